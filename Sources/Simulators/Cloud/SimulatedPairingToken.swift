internal import JSON

/// A pairing token that the simulated cloud handed out.
package struct SimulatedPairingToken: Sendable, Equatable {
    /// A device that the cloud refused.
    package struct Refusal: Sendable, Equatable {
        package var deviceID: String
        package var name: String
        package var code: String
        package var message: String

        package init(deviceID: String, name: String, code: String, message: String) {
            self.deviceID = deviceID
            self.name = name
            self.code = code
            self.message = message
        }
    }

    package var region: String
    package var token: String
    package var secret: String
    /// The user and the home that a device joins with it.
    package var uid: String
    package var home: Int
    /// Milliseconds of the cloud's clock.
    package var expires: Int64
    /// A device has come with it, whatever became of that.
    package var isUsed = false
    package var joined: [String] = []
    package var refused: [Refusal] = []

    /// What a device gets.
    package var text: String { region + token + secret }
}

extension SimulatedPairingToken.Refusal {
    var json: JSON {
        ["id": .string(deviceID), "name": .string(name), "code": .string(code), "msg": .string(message)]
    }
}
