import EventLoop
import HomeModel
import JSON
import TuyaProtocol

/// Names the cloud account, checks it with the cloud, and keeps it sealed.
@Loop
struct AccountCourse {
    private let input: JSONObject
    private let desk: PairingDesk
    private static let patience = Duration.seconds(30)

    init(_ input: JSONObject, desk: PairingDesk) throws(CommandError) {
        self.input = try Self.form.optional.checked(input)
        self.desk = desk
    }

    nonisolated static let form = InputForm(
        title: "The account with the vendor's cloud",
        why:
            "A project on the vendor's developer platform, with the app account linked to it. It is needed to pair, and never "
            + "to control.",
        fields: [
            InputField(
                "region",
                title: "Data centre",
                hint: "The one of the app account.",
                isRequired: false,
                choices: CloudRegion.allCases.map { InputField.Choice($0.rawValue, title: $0.title) }
            ),
            InputField("url", title: "Address, instead of a data centre", isRequired: false, range: 1...512),
            InputField("client_id", title: "Access id", range: 1...128),
            InputField("secret", title: "Access secret", kind: .password, range: 1...128),
            InputField(
                "uid",
                title: "User id of the app account",
                hint: "Shown where app accounts are linked to the project.",
                range: 1...128
            ),
        ]
    )

    func run(_ dialogue: PairingDialogue) async throws(PairingFailure) -> (devices: [VendorID], message: String) {
        dialogue.tell(.preflight, "Checking the account.")
        guard !desk.isConfigured else {
            throw PairingFailure(
                PairingCode(.conflict),
                "The account stands in the configuration.",
                hint: "Change it under plugins.tuya.cloud and reload the plugin."
            )
        }
        var input = input
        var error: PairingFailure?
        while true {
            if error == nil, input["client_id"] != nil, input["secret"] != nil {
                do throws(PairingFailure) {
                    let account = try Self.account(input)
                    let cloud = try await check(account, dialogue)
                    do throws(CommandError) { try await desk.use(account, cloud) } catch { throw PairingFailure(error) }
                    return ([], "The account works and is kept, sealed.")
                } catch let failure {
                    if failure == PairingDialogue.cancelled { throw failure }
                    error = failure
                }
            }
            let form = Self.form.again(error, after: input)
            error = nil
            input = try await dialogue.ask(form)
            dialogue.tell(.preflight, "Checking the account.")
        }
    }

    /// Reads the account as if it had been kept.
    private static func account(_ input: JSONObject) throws(PairingFailure) -> CloudAccount {
        do throws(CommandError) {
            return try CloudAccount(
                secretName: CloudAccount.secretPrefix + CloudAccount.defaultName,
                text: JSON.object(input).text
            )
        } catch { throw PairingFailure(error) }
    }

    /// Asks the cloud something that only the owner of the account is told.
    private func check(
        _ account: CloudAccount,
        _ dialogue: PairingDialogue
    ) async throws(PairingFailure) -> any PairingCloud {
        let cloud = desk.makeCloud(account)
        do throws(CloudError) {
            let homes = try await cloud.homes(within: Self.patience)
            dialogue.facts["homes"] = .array(homes.map { ["id": .string($0.id), "name": .string($0.name)] })
        } catch { throw PairingFailure(error, step: .preflight) }
        return cloud
    }
}
