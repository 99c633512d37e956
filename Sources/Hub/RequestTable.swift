package import EventLoop
import HomeModel
package import JSON
import Log

/// The gateway's requests by path; every door brings what it gets here.
@Loop
package final class RequestTable {
    /// Carries out one kind of request.
    ///
    /// Throws ``CommandError`` and nothing else; untyped because Swift infers no typed throws for closures.
    package typealias Handler = @Loop (RequestArguments) async throws -> JSONObject

    /// As ``Handler``, for long work that begins: it chooses the whole answer.
    package typealias AnsweringHandler = @Loop (RequestArguments) async throws -> RequestAnswer

    private struct Entry {
        let primary: String?
        let handler: AnsweringHandler
    }

    private let log: Log
    private var entries: [String: Entry] = [:]
    private var running: [Int: Task<Void, Never>] = [:]
    private var nextRun = 0

    init(log: Log) {
        self.log = log
    }

    /// All paths, sorted.
    package var paths: [String] { entries.keys.sorted() }

    /// Adds a kind of request.
    ///
    /// - Parameter primary: the argument that a payload of plain text stands for.
    package func add(_ path: String, primary: String? = nil, _ handler: @escaping Handler) {
        addAnswering(path, primary: primary) { .ok(try await handler($0)) }
    }

    /// Adds a kind of request whose handler chooses the whole answer.
    package func addAnswering(_ path: String, primary: String? = nil, _ handler: @escaping AnsweringHandler) {
        precondition(entries[path] == nil, "\(path) has a handler already")
        entries[path] = Entry(primary: primary, handler: handler)
    }

    /// Carries out a request; `reply` runs once.
    package func handle(_ path: String, _ payload: RequestPayload, reply: @escaping @Loop (RequestAnswer) -> Void) {
        guard let entry = entries[path] else {
            let known = JSON.array(paths.map { .string($0) })
            reply(
                .failed(
                    CommandError(
                        .unknownRequest,
                        "There is no request \"\(path.prefix(64))\".",
                        hint: "The known ones are in data.known.",
                        details: ["known": known]
                    )
                )
            )
            return
        }
        let arguments: RequestArguments
        do throws(CommandError) {
            arguments = try RequestArguments(payload, primary: entry.primary)
        } catch {
            reply(.failed(error))
            return
        }
        nextRun += 1
        let run = nextRun
        running[run] = Task { @Loop [weak self] in
            do {
                reply(try await entry.handler(arguments))
            } catch let error as CommandError {
                reply(.failed(error))
            } catch {
                reply(.failed(CommandError(.internal, "The request failed: \(error).")))
            }
            self?.running[run] = nil
        }
    }

    /// Cancels what is under way.
    package func cancelAll() {
        for task in running.values { task.cancel() }
    }
}
