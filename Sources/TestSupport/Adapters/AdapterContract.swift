package import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON

/// What every adapter must do, whatever its vendor, checked through the device interface alone.
///
/// ```swift
/// @Test("the adapter keeps the contract", arguments: AdapterContract.allCases)
/// func contract(rule: AdapterContract) async throws {
///     try await rule.check(startedSubject())
/// }
/// ```
package enum AdapterContract: String, CaseIterable, Sendable {
    case describesItsDevices
    case reportsOnlyWhatItDescribed
    case reportsWhatWasWritten
    case readsBackWhatWasWritten
    case keepsTheOrderOfWrites
    case answersEveryCallOnce
    case refusesUnknownDevices
    case refusesUnreachableDevices
    case refusesUnknownActions
    case invokesActions
    case givesDiagnostics
    case removesDevices
    case pairsWithOneEnd
    case keepsSecretsOfPairing
    case cancelsPairingInSilence
    case refusesUnknownSessions
    case refusesUnknownMethods
    case isSilentAfterStop

    /// A way of pairing to be tried.
    @Loop
    package struct Pairing {
        /// One of the adapter's methods, that succeeds with ``input`` and ``answer``.
        package var method: String
        package var input: JSONObject
        /// What a person answers to a question.
        package var answer: @Loop (InputForm) -> JSONObject
        /// What must not be in anything that is told: values of the input and of the answers.
        package var secrets: [String]

        package init(
            method: String,
            input: JSONObject = JSONObject(),
            secrets: [String] = [],
            answer: @escaping @Loop (InputForm) -> JSONObject = { _ in JSONObject() }
        ) {
            self.method = method
            self.input = input
            self.secrets = secrets
            self.answer = answer
        }
    }

    /// A started adapter and what can be tried on it.
    @Loop
    package struct Subject {
        /// Initialized with ``host``, and started.
        package var adapter: any DeviceAdapter
        package var host: RecordingHost
        /// A device that can be reached.
        package var device: VendorID
        /// A device that cannot be reached, where there is one.
        package var unreachable: VendorID?
        /// A property of the device that can be written.
        package var property: String
        /// Two different values of the property.
        package var values: (JSON, JSON)
        /// An action of the device, its input and the output to expect, where there is one.
        package var action: (name: String, input: JSON, output: JSON)?
        /// A way of pairing, where the adapter has one.
        package var pairing: Pairing?

        package init(
            adapter: any DeviceAdapter,
            host: RecordingHost,
            device: VendorID,
            unreachable: VendorID? = nil,
            property: String,
            values: (JSON, JSON),
            action: (name: String, input: JSON, output: JSON)? = nil,
            pairing: Pairing? = nil
        ) {
            self.adapter = adapter
            self.host = host
            self.device = device
            self.unreachable = unreachable
            self.property = property
            self.values = values
            self.action = action
            self.pairing = pairing
        }
    }

    /// How an adapter breaks the contract.
    package struct Breach: Error, CustomStringConvertible {
        package let description: String
    }

    /// Checks this rule.
    ///
    /// - Throws: ``Breach``. What never comes is waited for without end, so give the test a time limit.
    @Loop package func check(_ subject: Subject) async throws(Breach) {
        let device = subject.device
        await subject.host.until { subject.host.descriptions[device] != nil }
        await subject.host.until { subject.host.connectivity(of: device)?.isOnline == true }
        switch self {
        case .describesItsDevices: try describesItsDevices(subject)
        case .reportsOnlyWhatItDescribed: try await reportsOnlyWhatItDescribed(subject)
        case .reportsWhatWasWritten: try await reportsWhatWasWritten(subject)
        case .readsBackWhatWasWritten: try await readsBackWhatWasWritten(subject)
        case .keepsTheOrderOfWrites: try await keepsTheOrderOfWrites(subject)
        case .answersEveryCallOnce: try await answersEveryCallOnce(subject)
        case .refusesUnknownDevices: try await refusesUnknownDevices(subject)
        case .refusesUnreachableDevices: try await refusesUnreachableDevices(subject)
        case .refusesUnknownActions: try await refusesUnknownActions(subject)
        case .invokesActions: try await invokesActions(subject)
        case .givesDiagnostics: try await givesDiagnostics(subject)
        case .removesDevices: try await removesDevices(subject)
        case .pairsWithOneEnd: try await pairsWithOneEnd(subject)
        case .keepsSecretsOfPairing: try await keepsSecretsOfPairing(subject)
        case .cancelsPairingInSilence: try await cancelsPairingInSilence(subject)
        case .refusesUnknownSessions: try await refusesUnknownSessions(subject)
        case .refusesUnknownMethods: try await refusesUnknownMethods(subject)
        case .isSilentAfterStop: try await isSilentAfterStop(subject)
        }
    }

    func demand(_ holds: Bool, _ words: @autoclosure () -> String) throws(Breach) {
        if !holds { throw Breach(description: "\(rawValue): \(words())") }
    }

    /// The value of a result that must be a success.
    func value<Value>(_ result: Result<Value, CommandError>, _ what: String) throws(Breach) -> Value {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            throw Breach(description: "\(rawValue): \(what): \(error.code.rawValue), \(error.message)")
        }
    }

    func demand<Value>(_ result: Result<Value, CommandError>, is codes: Set<ErrorCode>) throws(Breach) {
        switch result {
        case .success: throw Breach(description: "\(rawValue): succeeded, expected \(codes)")
        case .failure(let error):
            try demand(codes.contains(error.code), "expected \(codes), not \(error.code.rawValue)")
            try demand(!error.message.isEmpty, "an error without words")
        }
    }
}
