internal import EventLoop
internal import JSON

/// A value of a plan, to be read as what its key takes.
struct PlanValue {
    let key: String
    let value: JSON

    func text() throws(HotspotPlanError) -> String {
        guard let text = value.stringValue else { throw .value(key: key, takes: "a text") }
        return text
    }

    func flag() throws(HotspotPlanError) -> Bool {
        guard let flag = value.boolValue else { throw .value(key: key, takes: "true or false") }
        return flag
    }

    func number(_ range: ClosedRange<Int>) throws(HotspotPlanError) -> Int {
        guard let number = value.intValue, range.contains(number) else {
            throw .value(key: key, takes: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func port() throws(HotspotPlanError) -> UInt16 { UInt16(try number(0...65_535)) }

    /// Milliseconds, up to a day.
    func duration() throws(HotspotPlanError) -> Duration { .milliseconds(try number(0...86_400_000)) }

    func address(port: UInt16) throws(HotspotPlanError) -> SocketAddress {
        guard let address = SocketAddress(ip: value.stringValue ?? "", port: port), !address.isIPv6 else {
            throw .value(key: key, takes: "an IPv4 address")
        }
        return address
    }

    func object() throws(HotspotPlanError) -> JSONObject {
        guard let object = value.objectValue else { throw .value(key: key, takes: "an object") }
        return object
    }

    func array() throws(HotspotPlanError) -> [JSON] {
        guard let array = value.arrayValue else { throw .value(key: key, takes: "a list") }
        return array
    }

    func word<Word: RawRepresentable & CaseIterable>(
        _: Word.Type
    ) throws(HotspotPlanError) -> Word where Word.RawValue == String {
        guard let word = value.stringValue.flatMap(Word.init(rawValue:)) else {
            throw .value(key: key, takes: Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }

    /// nil for null.
    func optional<Value>(
        _ read: (PlanValue) throws(HotspotPlanError) -> Value
    ) throws(HotspotPlanError) -> Value? {
        value.isNull ? nil : try read(self)
    }
}
