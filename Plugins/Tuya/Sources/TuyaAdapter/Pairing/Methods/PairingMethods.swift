package import HomeModel
import JSON

/// The methods as the plugin's manifest names them; a test compares the two.
package enum PairingMethods {
    /// All, in the order to offer them in.
    package static let all: [PairingMethod] = [
        PairingMethod(
            "ap",
            title: "New device, in its hotspot",
            description:
                "The device blinks slowly and opens a hotspot such as SmartLife-3F2A. The gateway goes there, tells it "
                + "the network, and comes back. Which of the two processes the device knows is found out.",
            needs: ["wifi", "cloud"],
            form: hotspot
        ),
        PairingMethod(
            "ap-plus",
            title: "New device, in its hotspot, new process",
            description:
                "For firmware of 2021 and later (TuyaOS 3.6.1): the device lists the networks that it sees, and a wrong "
                + "password is asked for again.",
            needs: ["wifi", "cloud"],
            form: hotspot
        ),
        PairingMethod(
            "ap-legacy",
            title: "New device, in its hotspot, old process",
            description:
                "For all firmware: name and password are sent again and again until the device closes its hotspot. "
                + "Whoever is near can read them.",
            needs: ["wifi", "cloud"],
            form: hotspot
        ),
        PairingMethod(
            "manual",
            title: "A device by its id and local key",
            description:
                "For a device that is in the network already. Its key is tried before it is kept. No cloud is asked.",
            form: ManualCourse.form.optional
        ),
        PairingMethod(
            "import",
            title: "A list of devices with their keys",
            description:
                "The devices.json of tinytuya's wizard. Also gives devices that are here already their new keys. No cloud "
                + "is asked.",
            form: ImportCourse.startForm
        ),
        PairingMethod(
            "account",
            title: "The account with the vendor's cloud",
            description:
                "Names the project and the app account that new devices join. Checked with the cloud, kept sealed.",
            needs: ["cloud"],
            form: AccountCourse.form.optional
        ),
        PairingMethod(
            "cloud",
            title: "Devices that the account has already",
            description:
                "Reads the account's devices with their local keys, for devices that the vendor's app has paired.",
            needs: ["cloud"],
            form: CloudCourse.startForm
        ),
    ]

    /// What may be given at the start of a pairing in a hotspot.
    private static let hotspot = InputForm(
        title: "What is known already",
        why:
            "Everything is asked for when it is needed; where the gateway has one radio only, give name and password now.",
        fields: [
            InputField("ssid", title: "Network that the device shall join", isRequired: false, range: 1...32),
            InputField("password", title: "Its password", kind: .password, isRequired: false, range: 0...64),
            InputField("hotspot", title: "Name of the device's hotspot", isRequired: false, range: 1...32),
            InputField(
                "pincode",
                title: "Code printed on the device",
                kind: .password,
                isRequired: false,
                range: 1...64
            ),
            InputField("uuid", title: "The factory's id of the device", isRequired: false, range: 1...64),
            InputField(
                "token",
                title: "Pairing token from elsewhere",
                kind: .password,
                hint: "14 characters; without one the account is asked.",
                isRequired: false,
                range: 14...14
            ),
            InputField(
                "timeout",
                title: "Seconds until the device must be paired",
                kind: .number,
                isRequired: false,
                range: 1...600
            ),
        ]
    )
}
