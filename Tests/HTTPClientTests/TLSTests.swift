import EventLoop
import HTTPClient
import TestSupport
import Testing

@Suite("HTTPS", .timeLimit(.minutes(2)))
@Loop
struct TLSTests {
    private func withServer(
        names: [String] = ["DNS:localhost", "IP:127.0.0.1"],
        options: [String] = [],
        _ body: @Loop (TLSServer, Certificates) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let certificates = try await Certificates.make(in: folder, serverNames: names)
        let server = try await TLSServer.start(
            certificate: certificates.serverCertificate,
            key: certificates.serverKey,
            options: options
        )
        defer { server.stop() }
        try await body(server, certificates)
    }

    private func failure(_ url: String, caFile: String?) async -> HTTPError? {
        let client = HTTPClient(HTTPClient.Options(caFile: caFile))
        defer { client.close() }
        do throws(HTTPError) {
            _ = try await client.send(HTTPClient.Request(url: url))
            return nil
        } catch { return error }
    }

    private func isUntrusted(_ error: HTTPError?) -> Bool {
        if case .untrusted? = error { true } else { false }
    }

    @Test("a server of the given authority is trusted, by address and by name", arguments: ["127.0.0.1", "localhost"])
    func trusted(host: String) async throws {
        try await withServer { server, certificates in
            let client = HTTPClient(HTTPClient.Options(caFile: certificates.caFile))
            let response = try await client.send(HTTPClient.Request(url: "https://\(host):\(server.port)/"))
            #expect(response.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self).contains("TLSv1.3"))
            client.close()
        }
    }

    @Test("a server of another authority, or of none that the system knows, is refused")
    func strangers() async throws {
        try await withServer { server, certificates in
            let url = "https://127.0.0.1:\(server.port)/"
            #expect(isUntrusted(await failure(url, caFile: certificates.strangerCAFile)))
            #expect(isUntrusted(await failure(url, caFile: nil)))
            #expect(await failure(url, caFile: certificates.caFile) == nil)
        }
    }

    @Test("a certificate of another host is refused")
    func otherHost() async throws {
        try await withServer(names: ["DNS:elsewhere.example", "IP:127.0.0.9"]) { server, certificates in
            #expect(isUntrusted(await failure("https://127.0.0.1:\(server.port)/", caFile: certificates.caFile)))
            #expect(isUntrusted(await failure("https://localhost:\(server.port)/", caFile: certificates.caFile)))
        }
    }

    @Test("a certificate that has expired is refused")
    func expired() async throws {
        let folder = try TemporaryFolder()
        let certificates = try await Certificates.make(in: folder)
        let request = ["req", "-new", "-key", "server.key", "-subj", "/CN=server"]
        try await Command.run(
            "openssl",
            request + ["-addext", "subjectAltName=IP:127.0.0.1", "-out", "old.csr"],
            in: folder.path
        )
        let signing = ["x509", "-req", "-in", "old.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-days", "-1"]
        try await Command.run("openssl", signing + ["-copy_extensions", "copy", "-out", "old.crt"], in: folder.path)
        let server = try await TLSServer.start(certificate: folder.file("old.crt"), key: certificates.serverKey)
        defer { server.stop() }
        let error = await failure("https://127.0.0.1:\(server.port)/", caFile: certificates.caFile)
        #expect(isUntrusted(error))
        #expect("\(error.map { "\($0)" } ?? "")".contains("expired"))
    }

    @Test("a server that speaks nothing newer than TLS 1.1 is refused")
    func oldProtocol() async throws {
        try await withServer(options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"]) { server, certificates in
            #expect(isUntrusted(await failure("https://127.0.0.1:\(server.port)/", caFile: certificates.caFile)))
        }
    }

    @Test("a file of authorities that does not exist is an error, not the end of checking")
    func noAuthorities() async throws {
        try await withServer { server, _ in
            let error = await failure("https://127.0.0.1:\(server.port)/", caFile: "/nonexistent/ca.pem")
            #expect(isUntrusted(error))
        }
    }
}
