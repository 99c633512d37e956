/// What becomes of a simulated device's attempt to join a network.
package enum JoinOutcome: String, Sendable, Equatable, CaseIterable {
    /// It joins, if the password is right.
    case joins
    case wrongPassword = "wrong_password"
    case notFound = "not_found"
    case noLease = "no_lease"
    /// It joins; the cloud does not take its token.
    case cloudRefuses = "cloud_refuses"
    /// It joins; the cloud is out of reach.
    case cloudUnreachable = "cloud_unreachable"
    /// Nothing is ever heard of it again.
    case silent

    /// The device's own number for the failure; 0 where there is none.
    ///
    /// - Source: tuya.md section 7.4.
    package var deviceCode: Int {
        switch self {
        case .joins, .silent: 0
        case .notFound: 2
        case .wrongPassword: 3
        case .noLease: 5
        case .cloudUnreachable: 6
        case .cloudRefuses: 8
        }
    }
}
