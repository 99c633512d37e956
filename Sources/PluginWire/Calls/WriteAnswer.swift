public import HomeModel
public import JSON

/// The result of `device/write`.
public struct WriteAnswer: Sendable, Equatable {
    /// How far the write got.
    public var stage: CommandStage

    /// States how far a write got.
    public init(stage: CommandStage) { self.stage = stage }

    /// The answer `{"stage"}` as a line, made without a value in between.
    public func line(id: WireID) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 96)
        writer.beginMessage(id: id)
        writer.key("result")
        writer.beginObject()
        writer.key("stage")
        writer.string(stage.rawValue)
        writer.endObject()
        return writer.endMessage()
    }

    /// Reads the result that ``line(id:)`` writes.
    public init(json: JSON) throws(WireFault) {
        guard let stage = json["stage"]?.stringValue.flatMap(CommandStage.init(rawValue:)) else {
            throw .badResult("device/write: \"stage\" must be sent, acknowledged, confirmed or superseded")
        }
        self.init(stage: stage)
    }
}
