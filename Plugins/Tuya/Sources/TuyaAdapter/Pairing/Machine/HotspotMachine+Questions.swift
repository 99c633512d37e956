import EventLoop
import HomeModel
import JSON
import TuyaProtocol

// What a person is asked, and what the answers do.
extension HotspotMachine {
    mutating func ask(_ question: Question, _ why: String, error: PairingFailure? = nil, _ now: MonotonicTime) {
        phase = .asking(question)
        stateDeadline = nil
        let form = makeForm(question, why, error)
        self.form = form
        switch question {
        case .hotspot: step = .findHotspot
        case .network: step = .chooseNetwork
        case .code: step = .openChannel
        case .token: step = .token
        case .sameWiFi: step = .confirmSameWiFi
        }
        if question == .sameWiFi, !steps.contains(.confirmSameWiFi) {
            let index = steps.firstIndex(of: .findOnLAN) ?? steps.endIndex
            steps.insert(.confirmSameWiFi, at: index)
        }
        emit(.tell(progress(.needsInput, why, asking: form)))
    }

    mutating func askNetwork(_ error: PairingFailure?, _ now: MonotonicTime) {
        ask(
            .network,
            error?.message
                ?? (networks.isEmpty
                    ? "The device needs the name and the password of a 2.4 GHz network."
                    : "These networks the device can use; others it does not see."),
            error: error,
            now
        )
    }

    private func makeForm(_ question: Question, _ why: String, _ error: PairingFailure?) -> InputForm {
        var form = InputForm(title: "", why: why, error: error)
        switch question {
        case .hotspot:
            form.title = "Which hotspot is the device's?"
            form.why =
                why + " It is named like SmartLife-3F2A while the device blinks slowly. Answer nothing to look again."
            form.fields = [
                InputField(
                    "hotspot",
                    title: "Hotspot",
                    isRequired: false,
                    choices: offered.map { InputField.Choice($0) },
                    allowsOther: true,
                    range: 1...32
                )
            ]
        case .network:
            form.title = error?.code == .wrongPassword ? "The password again" : "Which network shall the device join?"
            form.fields = [
                InputField(
                    "ssid",
                    title: "Network",
                    hint: "Only 2.4 GHz. A hidden network is typed by hand.",
                    isRequired: listTrouble != .listFailed && ssid == nil,
                    choices: networks.map { InputField.Choice($0.ssid, title: $0.title) },
                    allowsOther: true,
                    range: 1...32,
                    fallback: error == nil || listTrouble == .listFailed ? nil : ssid.map { .string($0) }
                ),
                InputField(
                    "password",
                    title: "Password",
                    kind: .password,
                    hint: "Empty for an open network.",
                    isRequired: false,
                    range: 0...64
                ),
            ]
        case .code:
            form.title = "Which code is printed on the device?"
            form.fields = [
                InputField("pincode", title: "Code", kind: .password, hint: "On its label or its card.", range: 1...64)
            ]
        case .token:
            form.title = "A new pairing token"
            form.fields = [InputField("token", title: "Token", kind: .password, range: 14...14)]
        case .sameWiFi:
            form.title = "Join the same Wi-Fi, then continue"
        }
        return form
    }

    mutating func answered(_ input: JSONObject, _ now: MonotonicTime) {
        guard case .asking(let question) = phase else { return }
        form = nil
        switch question {
        case .hotspot:
            guard let name = input["hotspot"]?.stringValue, !name.isEmpty else { return look(now) }
            join(name, now)
        case .network: answeredNetwork(input, now)
        case .code:
            pincode = input["pincode"]?.stringValue
            open(now)
        case .token:
            guard let token = input["token"]?.stringValue.flatMap({ PairingToken($0) }) else {
                let error = PairingErrorCode.wrongInformation.failure("A token has 14 characters.", step: .token)
                return ask(.token, error.message, error: error, now)
            }
            ticket = PairingTicket(token: token, home: nil, asked: now)
            tokenIsSpent = false
            needToken(for: continuation, now)
        case .sameWiFi:
            guard let source = lastSighting?.source else { return waitForDevice(now) }
            phase = .awaiting
            emit(.checkNeighbourhood(source.ip))
        }
    }

    private mutating func answeredNetwork(_ input: JSONObject, _ now: MonotonicTime) {
        let name = input["ssid"]?.stringValue
        if name == nil || name == "", listTrouble == .listFailed {
            listTrouble = nil
            return channelIsUp ? list(now) : returnToHotspot(now)
        }
        if let name, !name.isEmpty { ssid = name }
        password = input["password"]?.stringValue ?? ""
        if let error = credentialProblem() { return askNetwork(error, now) }
        listTrouble = nil
        credentialsChosen(now)
    }

    /// Credentials are there: to the device with them, whatever is between.
    private mutating func credentialsChosen(_ now: MonotonicTime) {
        switch process {
        case nil: approach(now)
        case .legacy? where place != nil: needToken(for: .send, now)
        case .plus? where channelIsUp: needToken(for: .send, now)
        case .legacy?, .plus?: returnToHotspot(now)
        }
    }

    /// Back into the hotspot, or to the device in it, in order to send.
    mutating func returnToHotspot(_ now: MonotonicTime) {
        mustSend = true
        guard place == nil, let hotspot else { return open(now) }
        join(hotspot, now)
    }

    /// What speaks against the credentials before they are sent; nil where nothing does.
    func credentialProblem() -> PairingFailure? {
        guard let ssid, let password else { return nil }
        do throws(PairingCredentials.Problem) {
            _ = try PairingCredentials(ssid: ssid, password: password, token: nil)
        } catch {
            let words =
                switch error {
                case .ssidLength(let count): "A network's name has 1 to 32 bytes; this one has \(count)."
                case .passwordLength(let count):
                    "A password has 8 to 64 bytes, or none for an open network; this one has \(count)."
                }
            return PairingErrorCode.wrongInformation.failure(words, step: .chooseNetwork)
        }
        if password.isEmpty, networks.first(where: { $0.ssid == ssid })?.isSecured == true {
            return PairingErrorCode.wrongInformation.failure("This network wants a password.", step: .chooseNetwork)
        }
        return nil
    }
}

extension WiFiNetwork {
    /// The network in a list for people.
    var title: String { "\(ssid) (\(signal) dBm, \(securityName))" }

    /// - Source: the open device SDK's enumeration.
    var securityName: String {
        switch security {
        case 0: "open"
        case 1: "WEP"
        case 2: "WPA"
        case 3: "WPA2"
        case 4: "WPA/WPA2"
        case 5: "WPA2/WPA3"
        default: "secured"
        }
    }
}
