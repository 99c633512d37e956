/// A brightness, in one of the scales in which it is asked for.
package enum LightLevel: Hashable, Sendable {
    /// 0 … 100, the scale of the vendor's app.
    case percent(Double)
    /// 0 … 255, the scale on MQTT.
    case of255(Int)

    /// 0 … 1; what is above the scale is the scale's end.
    var fraction: Double {
        switch self {
        case .percent(let percent): min(max(percent / 100, 0), 1)
        case .of255(let level): min(max(Double(level) / 255, 0), 1)
        }
    }

    var isZero: Bool { fraction <= 0 }
}
