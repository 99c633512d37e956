/// A device as its vendor's plugin knows it: any non-empty text, unique within the plugin.
///
/// The plugin wire speaks of devices by this id alone; the hub keeps the mapping to ``DeviceID``.
public struct VendorID: Hashable, Sendable, CustomStringConvertible {
    /// The id exactly as the vendor gives it.
    public let text: String

    /// Wraps a vendor's id.
    public init(_ text: String) { self.text = text }

    /// The id itself.
    public var description: String { text }
}
