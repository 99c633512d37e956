import EventLoop
import HomeModel
import JSON

/// A method that is a plain course of steps, as a task.
@Loop
final class CourseRun: PairingRun {
    /// The course: it returns the devices that came in, and one sentence.
    typealias Course = @Loop (PairingDialogue) async throws(PairingFailure) -> (devices: [VendorID], message: String)

    private let dialogue: PairingDialogue
    private let course: Course
    private let ended: @Loop () -> Void
    private var task: Task<Void, Never>?

    init(_ dialogue: PairingDialogue, _ course: @escaping Course, ended: @escaping @Loop () -> Void) {
        self.dialogue = dialogue
        self.course = course
        self.ended = ended
    }

    func begin() {
        let (dialogue, course, ended) = (dialogue, course, ended)
        task = Task { @Loop in
            do throws(PairingFailure) {
                let (devices, message) = try await course(dialogue)
                if !Task.isCancelled { dialogue.succeed(devices, message) }
            } catch {
                if !Task.isCancelled { dialogue.fail(error) }
            }
            if !Task.isCancelled { ended() }
        }
    }

    func answer(_ input: JSONObject) throws(CommandError) { try dialogue.answer(input) }

    func cancel() async {
        task?.cancel()
        dialogue.cancel()
        await task?.value
    }
}
