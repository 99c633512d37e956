import DeviceInterface
import EventLoop
import HomeModel
import JSON

/// One session of ``FakePairing``: runs the script of its method in a task of its own.
@Loop
final class FakePairingSession {
    /// How a script ends early.
    private enum Ending: Error {
        case cancelled
        case failed(PairingFailure)
    }

    private let start: PairingStart
    private let steps: [String]
    private let host: any AdapterHost
    private let crash: (@Loop () -> Void)?
    private let finish: @Loop ([VendorID]) -> Void
    private var step: String
    private var isOpen = true
    private var task: Task<Void, Never>?
    private var asked: CheckedContinuation<JSONObject?, Never>?
    private var lost: CheckedContinuation<Void, Never>?

    /// - Parameter finish: called before the final state is told, with the devices that came in.
    init(
        _ start: PairingStart,
        host: any AdapterHost,
        crash: (@Loop () -> Void)?,
        finish: @escaping @Loop ([VendorID]) -> Void
    ) {
        self.start = start
        self.host = host
        self.crash = crash
        self.finish = finish
        steps = FakePairing.steps(of: start.method)
        step = steps[0]
    }

    func run() {
        task = Task { @Loop [self] in
            do throws(Ending) {
                let devices = try await script()
                end(.succeeded, devices: devices)
            } catch {
                if case .failed(let failure) = error { end(.failed, failure: failure) }
            }
        }
    }

    func answer(_ input: JSONObject) throws(CommandError) {
        guard let waiting = asked else { throw CommandError(.badRequest, "Nothing was asked.") }
        asked = nil
        waiting.resume(returning: input)
    }

    /// Ends the script; nothing is told any more.
    func cancel() async {
        isOpen = false
        task?.cancel()
        asked?.resume(returning: nil)
        asked = nil
        wifiLost()
        await task?.value
    }

    func wifiLost() {
        lost?.resume()
        lost = nil
    }

    // MARK: Scripts

    private func script() async throws(Ending) -> [VendorID] {
        switch start.method {
        case "ask": try await ask()
        case "radio": try await radio()
        case "slow": try await slow()
        case "fail": try fail()
        case "crash": try await fallOver()
        default: tell("find_on_lan")
        }
        tell("register", percent: 90)
        let first = FakePairing.device(start.method)
        return start.method == "batch" ? [first, FakePairing.device("batch", 2)] : [first]
    }

    private func ask() async throws(Ending) {
        tell("query_device")
        var input = start.input
        var error: PairingFailure?
        while true {
            if input["ssid"] == nil || input["password"] == nil {
                input = try await answer(to: FakePairing.question(ssid: input["ssid"]?.stringValue, error: error))
            }
            tell("send_credentials", percent: 50)
            guard input["password"]?.stringValue == "wrong" else { return }
            error = Self.wrongPassword
            input["password"] = nil
        }
    }

    private func answer(to form: InputForm) async throws(Ending) -> JSONObject {
        step = "choose_network"
        report(
            .needsInput,
            needsInput: form,
            data: ["networks": [["ssid": "home", "signal": -50], ["ssid": "guest"]]]
        )
        guard isOpen, let answer = await withCheckedContinuation({ asked = $0 }) else { throw .cancelled }
        return answer
    }

    private func radio() async throws(Ending) {
        tell("find_device_ap")
        let wanted = start.input["hotspot"]?.stringValue
        let networks = try await asking { [self] () async throws(CommandError) in
            try await host.scanWiFi(for: start.session)
        }
        let found = networks.first { $0.ssid == wanted ?? $0.ssid && $0.ssid.hasPrefix("Fake-") }
        guard let hotspot = found else {
            throw .failed(
                PairingFailure(
                    .hotspotNotFound,
                    "No hotspot of a lamp is in reach.",
                    step: step,
                    retryFrom: "find_device_ap"
                )
            )
        }
        tell("join_device_ap", percent: 20)
        let join = WiFiJoin(
            session: start.session,
            ssid: hotspot.ssid,
            passphrase: hotspot.isSecured ? "fake-hotspot" : nil
        )
        let place = try await asking { [self] () async throws(CommandError) in try await host.joinWiFi(join) }
        tell("send_credentials", percent: 50, data: ["address": .string(place.address)])
        if start.input["hold"]?.boolValue == true {
            if isOpen { await withCheckedContinuation { lost = $0 } }
            throw .failed(PairingFailure(.noChannel, "The hotspot is gone.", step: step, retryFrom: "find_device_ap"))
        }
        tell("return_home", percent: 70)
        try await asking { [self] () async throws(CommandError) in try await host.leaveWiFi(for: start.session) }
    }

    private func slow() async throws(Ending) {
        for percent in 0..<100 {
            tell("find_on_lan", percent: percent)
            do { try await Loop.sleep(for: .seconds(1)) } catch { throw .cancelled }
        }
    }

    private func fail() throws(Ending) {
        if start.from != "send_credentials" { tell("query_device") }
        tell("send_credentials", percent: 50)
        guard start.from == nil else { return }
        throw .failed(Self.wrongPassword)
    }

    private func fallOver() async throws(Ending) {
        tell("find_on_lan", message: "It crashes now.")
        // The word of it leaves first.
        do { try await Loop.sleep(for: .milliseconds(50)) } catch { throw .cancelled }
        crash?()
        throw .failed(PairingFailure(.interrupted, "Nothing here can crash.", step: step))
    }

    private func asking<Value: Sendable>(
        _ body: @Loop () async throws(CommandError) -> Value
    ) async throws(Ending) -> Value {
        do throws(CommandError) { return try await body() } catch {
            throw isOpen ? .failed(PairingFailure(error, step: step)) : .cancelled
        }
    }

    private static let wrongPassword = PairingFailure(
        .wrongPassword,
        "The network refused the password.",
        hint: "Mind upper and lower case.",
        vendorCode: "207211",
        step: "send_credentials",
        retryFrom: "send_credentials"
    )

    // MARK: Telling

    private func tell(_ step: String, percent: Int? = nil, message: String? = nil, data: JSONObject = JSONObject()) {
        self.step = step
        report(.running, percent: percent, message: message, data: data)
    }

    private func end(_ state: PairingProgress.State, devices: [VendorID] = [], failure: PairingFailure? = nil) {
        guard isOpen else { return }
        finish(devices)
        report(state, percent: state == .succeeded ? 100 : nil, failure: failure, devices: devices)
        isOpen = false
    }

    private func report(
        _ state: PairingProgress.State,
        percent: Int? = nil,
        message: String? = nil,
        needsInput: InputForm? = nil,
        failure: PairingFailure? = nil,
        devices: [VendorID] = [],
        data: JSONObject = JSONObject()
    ) {
        guard isOpen else { return }
        host.pairingProgressed(
            PairingProgress(
                session: start.session,
                state: state,
                step: step,
                steps: steps,
                percent: percent,
                message: message,
                needsInput: needsInput,
                failure: failure,
                devices: devices,
                data: data
            )
        )
    }
}
