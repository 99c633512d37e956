/// A version of the LAN protocol, as devices announce it.
package enum ProtocolVersion: Hashable, Sendable {
    case v31
    case v32
    case v33
    case v34
    case v35
    /// Announced by a device, unknown to us: listed, never guessed.
    case unknown(String)

    /// The versions we speak, oldest first.
    package static let supported: [ProtocolVersion] = [.v31, .v32, .v33, .v34, .v35]

    /// - Parameter text: `3.1` … `3.5`; anything else is ``unknown(_:)``.
    package init(text: String) {
        self = Self.supported.first { $0.text == text } ?? .unknown(text)
    }

    /// The text in beacons, configurations and version headers.
    package var text: String {
        switch self {
        case .v31: "3.1"
        case .v32: "3.2"
        case .v33: "3.3"
        case .v34: "3.4"
        case .v35: "3.5"
        case .unknown(let text): text
        }
    }

    /// Whether we can talk to a device of this version.
    package var isSupported: Bool {
        if case .unknown = self { false } else { true }
    }

    /// Whether a session key is agreed before the first request.
    package var negotiates: Bool { self == .v34 || self == .v35 }

    /// The frames of this version; unknown versions are taken to use the newest.
    package var frameFormat: FrameFormat {
        switch self {
        case .v31, .v32, .v33, .v34: .classic
        case .v35, .unknown: .sealed
        }
    }
}

extension ProtocolVersion: CustomStringConvertible {
    package var description: String { text }
}
