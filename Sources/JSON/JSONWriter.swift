/// Appends JSON to bytes without building a value: for messages on hot paths.
///
/// The calls must follow the grammar (a key before each member's value, brackets in pairs); commas are put by the writer.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.key("seq")
/// writer.integer(17)
/// writer.endObject()
/// send(writer.bytes)
/// ```
public struct JSONWriter: Sendable {
    /// What is written so far.
    public private(set) var bytes: [UInt8]
    private var needsComma = false

    /// Makes a writer that appends to bytes, which are kept as they are.
    public init(appendingTo bytes: [UInt8] = [], reservingCapacity capacity: Int = 256) {
        self.bytes = bytes
        self.bytes.reserveCapacity(bytes.count + capacity)
    }

    /// Forgets what is written and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Opens an object.
    public mutating func beginObject() {
        open(UInt8(ascii: "{"))
    }

    /// Closes the innermost object.
    public mutating func endObject() {
        close(UInt8(ascii: "}"))
    }

    /// Opens an array.
    public mutating func beginArray() {
        open(UInt8(ascii: "["))
    }

    /// Closes the innermost array.
    public mutating func endArray() {
        close(UInt8(ascii: "]"))
    }

    /// Writes the key of the member that comes next.
    public mutating func key(_ key: String) {
        separate()
        bytes.append(quoted: key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a value of any kind.
    public mutating func value(_ value: JSON) {
        separate()
        value.write(into: &bytes)
    }

    /// Writes an object.
    public mutating func object(_ object: JSONObject) {
        separate()
        object.write(into: &bytes)
    }

    /// Writes a string.
    public mutating func string(_ value: String) {
        separate()
        bytes.append(quoted: value)
    }

    /// Writes an integer.
    public mutating func integer(_ value: some BinaryInteger & FixedWidthInteger & SignedInteger) {
        separate()
        bytes.append(integer: Int64(value))
    }

    /// Writes an integer that may be above `Int64.max`.
    public mutating func unsigned(_ value: UInt64) {
        separate()
        bytes.append(unsigned: value)
    }

    /// Writes a double, `null` if it is not finite.
    public mutating func double(_ value: Double) {
        separate()
        bytes.append(double: value)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(literal: value ? "true" : "false")
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append(literal: "null")
    }

    /// Writes a value that is JSON text already, such as a part of a message that is passed on.
    ///
    /// - Parameter json: one valid JSON value; it is not checked.
    public mutating func raw(_ json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Appends a newline after a finished text, for framing by lines.
    public mutating func newline() {
        bytes.append(0x0a)
        needsComma = false
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}
