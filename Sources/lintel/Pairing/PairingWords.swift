import HomeModel

/// Steps and failures in words for a person.
enum PairingWords {
    /// What a step does; the id with blanks for one that is not known.
    static func title(ofStep id: String) -> String {
        if let known = steps[id] { return known }
        let words = Cells.clean(id).replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static let steps = [
        "preflight": "Check what pairing needs",
        "token": "Get leave from the vendor's cloud",
        "find_device_ap": "Find the device's hotspot",
        "join_device_ap": "Join the device's hotspot",
        "open_channel": "Open a channel to the device",
        "query_device": "Ask the device what it is",
        "list_networks": "Ask the device which networks it sees",
        "choose_network": "Choose the Wi-Fi",
        "send_credentials": "Tell the device the Wi-Fi and its password",
        "return_home": "Return to the home's network",
        "device_joins_wifi": "Wait for the device to join the Wi-Fi",
        "confirm_same_wifi": "Be in the same Wi-Fi as the device",
        "find_on_lan": "Find the device on the home's network",
        "handshake": "Try its key",
        "register": "Add it to the home",
    ]

    /// What to do after a failure that came without a hint.
    static func advice(_ code: PairingCode) -> String? {
        switch code {
        case .only5GHz: "Use a network of 2.4 GHz: most devices know no other."
        case .wrongPassword: "Check the password of the Wi-Fi, capital letters too, and try again."
        case .networkNotFound: "Check the name of the Wi-Fi, and bring the device nearer to the access point."
        case .joinFailed, .noLease: "Bring the device nearer to the access point, or restart the access point."
        case .hotspotNotFound: "Reset the device until its light blinks as its manual says, and stay near it."
        case .hotspotWrongMode: "Reset the device once more: it blinks in another way in its other mode."
        case .hotspotJoinFailed, .noChannel: "Stay near the device, reset it, and try again."
        case .noRadio: "See lintel wifi status."
        case .notOnLAN: "See that the gateway is in the same network as the device, without client isolation."
        case .keyMissing, .handshakeFailed: "Get the device's present local key, and add it again with that."
        case .alreadyBound: "Remove the device from the other account first."
        case .cloudUnreachable: "Check the internet connection, or use a method without a cloud."
        case .tokenExpired, .interrupted: "Start again."
        default: nil
        }
    }

    /// A time as a person counts it: `1:05`, or hours where it is longer.
    static func time(_ seconds: Int64) -> String {
        let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        guard seconds >= 3600 else { return "\(seconds / 60):\(two(seconds % 60))" }
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// What came of a session, for a person: the outcome, why, and what to do next.
    static func ending(_ report: SessionReport) -> [(text: String, tone: Terminal.Tone?)] {
        switch report.state {
        case .running, .needsInput: return []
        case .succeeded:
            guard let first = report.devices.first else { return [("Paired.", .good)] }
            let all = report.devices.map(Cells.clean).joined(separator: ", ")
            return [
                ("Paired: \(all)", .good), ("Next: lintel device \(Cells.clean(first)) show", nil),
            ]
        case .cancelled: return [("Cancelled; nothing was added.", .warning)]
        case .expired:
            return [("The time is over; nothing was added.", .bad)] + (report.failure.map(failure) ?? [])
        case .failed:
            return report.failure.map(failure) ?? [("It failed, without a word why.", .bad)]
        }
    }

    /// A failure: what happened, its codes, and what to do.
    static func failure(_ failure: PairingFailure) -> [(text: String, tone: Terminal.Tone?)] {
        var codes = failure.code.rawValue
        if let number = failure.vendorCode { codes += ", vendor's number \(number)" }
        var lines: [(text: String, tone: Terminal.Tone?)] = [
            ("\(Cells.clean(failure.message)) (\(Cells.clean(codes)))", .bad)
        ]
        if let hint = failure.hint ?? advice(failure.code) { lines.append(("What to do: \(Cells.clean(hint))", nil)) }
        return lines
    }
}
