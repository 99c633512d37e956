package import HomeModel

extension RegistryError {
    /// The failure as an answer to a request: `internal`, but for a request that asks for what cannot be.
    package var commandError: CommandError {
        let code: ErrorCode =
            switch self {
            case .reserved: .conflict
            case .unknown: .badRequest
            default: .internal
            }
        return CommandError(code, message, hint: hint)
    }
}
