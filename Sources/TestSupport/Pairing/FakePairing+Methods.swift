package import HomeModel
package import JSON

extension FakePairing {
    /// What the manifest of the fake plugin lists.
    package nonisolated static let methods = [
        PairingMethod("quick", title: "Quick", description: "A lamp comes in at once."),
        PairingMethod(
            "ask",
            title: "With questions",
            description: "Asks for the network and its password; the password \"wrong\" is refused.",
            form: InputForm(
                title: "Network, if you like",
                fields: [ssid(isRequired: false), password(isRequired: false)]
            )
        ),
        PairingMethod(
            "radio",
            title: "By the lamp's hotspot",
            description: "Moves the gateway's radio to a hotspot that begins with Fake-, and back.",
            needs: ["wifi"],
            form: InputForm(
                title: "Hotspot, if you know it",
                fields: [
                    InputField("hotspot", title: "Name of the hotspot", isRequired: false, range: 1...32),
                    InputField("hold", title: "Stay until the hotspot is gone", kind: .flag, isRequired: false),
                ]
            )
        ),
        PairingMethod("slow", title: "Slow", description: "Runs for 100 seconds."),
        PairingMethod(
            "fail",
            title: "Failing",
            description: "Fails for a wrong password; a new try from there succeeds.",
            form: InputForm(
                title: "Network, if you like",
                fields: [ssid(isRequired: false), password(isRequired: false)]
            )
        ),
        PairingMethod("batch", title: "Two at once", description: "Two lamps come in."),
        PairingMethod("crash", title: "Crash", description: "The plugin crashes in the middle."),
    ]

    /// ``methods`` as a manifest lists them.
    package nonisolated static var manifest: JSON { .array(methods.map(\.json)) }

    /// The steps of a method, in order.
    package nonisolated static func steps(of method: String) -> [String] {
        switch method {
        case "ask", "fail": ["query_device", "choose_network", "send_credentials", "register"]
        case "radio": ["find_device_ap", "join_device_ap", "send_credentials", "return_home", "register"]
        default: ["find_on_lan", "register"]
        }
    }

    /// The question of the method `ask`.
    nonisolated static func question(ssid given: String?, error: PairingFailure?) -> InputForm {
        InputForm(
            title: "Which network?",
            why: "The lamp joins it; it knows 2.4 GHz only.",
            fields: [ssid(isRequired: true, given: given), password(isRequired: true)],
            error: error
        )
    }

    private nonisolated static func ssid(isRequired: Bool, given: String? = nil) -> InputField {
        InputField(
            "ssid",
            title: "Network",
            isRequired: isRequired,
            choices: [InputField.Choice("home", title: "home (-50 dBm)"), InputField.Choice("guest")],
            allowsOther: true,
            range: 1...32,
            fallback: given.map(JSON.string)
        )
    }

    private nonisolated static func password(isRequired: Bool) -> InputField {
        InputField("password", title: "Password", kind: .password, isRequired: isRequired, range: 1...63)
    }
}
