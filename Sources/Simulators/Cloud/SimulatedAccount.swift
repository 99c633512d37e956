/// A project of the simulated cloud together with the user whose app account is linked to it.
package struct SimulatedAccount: Sendable, Equatable {
    package struct Home: Sendable, Equatable {
        package var id: Int
        package var name: String

        package init(id: Int, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// The project's id and secret; of tests, so nothing to hide.
    package var clientID: String
    package var secret: String
    /// The user.
    package var uid: String
    /// The two letters that its pairing tokens begin with.
    package var region: String
    package var homes: [Home]
    /// `false`: the user's account is not linked to the project, or lives in another data centre.
    package var isLinked = true

    package init(
        clientID: String = "simulatedclient00001",
        secret: String = "0123456789abcdef0123456789abcdef",
        uid: String = "sim0000000000000001",
        region: String = "EU",
        homes: [Home] = [Home(id: 1_000_001, name: "Home"), Home(id: 1_000_002, name: "Cabin")]
    ) {
        self.clientID = clientID
        self.secret = secret
        self.uid = uid
        self.region = region
        self.homes = homes
    }
}
