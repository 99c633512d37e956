/// What is wrong with a plan of devices in their hotspots.
package enum HotspotPlanError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A key that no plan has.
    case unknown(key: String)
    /// A value that a key cannot have.
    case value(key: String, takes: String)

    package var description: String {
        switch self {
        case .unknown(let key): "\"\(key)\" is no key of a plan"
        case .value(let key, let takes): "\"\(key)\" takes \(takes)"
        }
    }
}
