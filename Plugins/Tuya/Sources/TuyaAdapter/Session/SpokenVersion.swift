import TuyaProtocol

/// A version that we speak, or none, in one byte; versions that we do not speak count as none.
@propertyWrapper
struct SpokenVersion: Sendable {
    private var index: UInt8 = .max

    init() {}

    var wrappedValue: ProtocolVersion? {
        get { index == .max ? nil : ProtocolVersion.supported[Int(index)] }
        set { index = newValue.flatMap(ProtocolVersion.supported.firstIndex).map { UInt8($0) } ?? .max }
    }
}
