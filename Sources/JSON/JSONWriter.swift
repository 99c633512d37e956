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
public struct JSONWriter: ~Copyable {
    private var sink: ByteSink
    private var needsComma = false

    /// Makes a writer with room for some bytes; more are made on the way.
    public init(reservingCapacity capacity: Int = 512) {
        sink = ByteSink(capacity: capacity)
    }

    /// A copy of what is written so far.
    public var bytes: [UInt8] { Array(sink.bytes) }

    /// How many bytes are written so far.
    public var count: Int { sink.count }

    /// Forgets what is written and keeps the memory.
    public mutating func removeAll() {
        sink.removeAll()
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
        sink.append(quoted: key)
        sink.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a value of any kind.
    public mutating func value(_ value: JSON) {
        separate()
        sink.append(value)
    }

    /// Writes an object.
    public mutating func object(_ object: JSONObject) {
        separate()
        sink.append(object)
    }

    /// Writes a string.
    public mutating func string(_ value: String) {
        separate()
        sink.append(quoted: value)
    }

    /// Writes an integer.
    public mutating func integer(_ value: Int) {
        separate()
        sink.append(integer: Int64(value))
    }

    /// Writes an integer.
    public mutating func integer(_ value: Int64) {
        separate()
        sink.append(integer: value)
    }

    /// Writes an integer that may be above `Int64.max`.
    public mutating func unsigned(_ value: UInt64) {
        separate()
        sink.append(unsigned: value)
    }

    /// Writes a double, `null` if it is not finite.
    public mutating func double(_ value: Double) {
        separate()
        sink.append(double: value)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        separate()
        sink.append(literal: value ? "true" : "false")
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        sink.append(literal: "null")
    }

    /// Writes a value that is JSON text already, such as a part of a message that is passed on.
    ///
    /// - Parameter json: one valid JSON value; it is not checked.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        json.withUnsafeBytes { sink.append(bytes: $0) }
    }

    /// Appends a newline after a finished text, for framing by lines.
    public mutating func newline() {
        sink.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    private mutating func separate() {
        if needsComma { sink.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        sink.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        sink.append(bracket)
        needsComma = true
    }
}
