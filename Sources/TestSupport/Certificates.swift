package import EventLoop

/// An authority of our own, with certificates for a server on loopback and for a client; PEM files, made by `openssl`.
@Loop
package struct Certificates: Sendable {
    package nonisolated let caFile: String
    package nonisolated let serverCertificate: String
    package nonisolated let serverKey: String
    package nonisolated let clientCertificate: String
    package nonisolated let clientKey: String
    /// Another authority, which signed none of these.
    package nonisolated let strangerCAFile: String

    /// Makes all files in a folder.
    ///
    /// - Parameter serverNames: whom the server's certificate is for, in OpenSSL's notation.
    package static func make(
        in folder: TemporaryFolder,
        serverNames: [String] = ["DNS:localhost", "IP:127.0.0.1"]
    ) async throws -> Certificates {
        try await make("ca", in: folder, "/CN=Test authority", ["basicConstraints=critical,CA:TRUE"])
        try await make("stranger", in: folder, "/CN=Other authority", ["basicConstraints=critical,CA:TRUE"])
        let names = "subjectAltName=\(serverNames.joined(separator: ","))"
        try await make("server", in: folder, "/CN=server", [names], signedBy: "ca")
        try await make("client", in: folder, "/CN=client", ["extendedKeyUsage=clientAuth"], signedBy: "ca")
        return Certificates(
            caFile: folder.file("ca.crt"),
            serverCertificate: folder.file("server.crt"),
            serverKey: folder.file("server.key"),
            clientCertificate: folder.file("client.crt"),
            clientKey: folder.file("client.key"),
            strangerCAFile: folder.file("stranger.crt")
        )
    }

    private static func make(
        _ name: String,
        in folder: TemporaryFolder,
        _ subject: String,
        _ extensions: [String],
        signedBy authority: String? = nil
    ) async throws {
        var arguments = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        arguments += ["-days", "2", "-subj", subject, "-keyout", "\(name).key", "-out", "\(name).crt"]
        for line in extensions { arguments += ["-addext", line] }
        if let authority { arguments += ["-CA", "\(authority).crt", "-CAkey", "\(authority).key"] }
        try await Command.run("openssl", arguments, in: folder.path)
    }
}
