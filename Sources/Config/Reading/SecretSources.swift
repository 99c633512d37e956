import Glibc

/// Where secrets are read from that do not stand in the configuration itself.
package struct SecretSources: Sendable {
    /// What relative paths start from.
    let directory: String
    private let environment: @Sendable (String) -> String?

    /// - Parameter environment: looks a variable up; the process's own environment by default.
    package init(
        directory: String,
        environment: @escaping @Sendable (String) -> String? = { name in
            unsafe getenv(name).map { unsafe String(cString: $0) }
        }
    ) {
        self.directory = directory
        self.environment = environment
    }

    /// The path as seen from where we stand.
    func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        let plain = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return "\(directory)/\(plain)"
    }

    /// A file's text without the line's end behind it, at most 64 KiB.
    func file(_ path: String) -> Result<String, SecretFault> {
        let path = absolute(path)
        switch FileReader.read(path, limit: 64 << 10) {
        case .failure(let fault): return .failure(SecretFault(message: "\(path) \(fault.message)"))
        case .success(var bytes):
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
                return .failure(SecretFault(message: "\(path) is empty or not UTF-8 text"))
            }
            return .success(text)
        }
    }

    /// A variable of the environment; an empty one counts as missing.
    func variable(_ name: String) -> Result<String, SecretFault> {
        guard let value = environment(name), !value.isEmpty else {
            return .failure(SecretFault(message: "the environment has no variable \(name)"))
        }
        return .success(value)
    }
}

/// Why a secret could not be had.
struct SecretFault: Error {
    let message: String
}
