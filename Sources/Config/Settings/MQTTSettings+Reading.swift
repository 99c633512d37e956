internal import Log

extension MQTTSettings {
    /// Reads the `mqtt` section.
    init(_ section: inout SectionReader) {
        self.init()
        let url = Self.url(&section)
        let isEmbedded = if case .embedded = url?.broker ?? broker { true } else { false }
        if let url { broker = url.broker }
        if let topic = section.text("base_topic") {
            if let fault = BaseTopic.fault(topic) {
                section.problem(fault, "base_topic")
            } else {
                baseTopic = topic
            }
        }
        readCredentials(&section, url)
        readClient(&section)
        let tls = Self.tls(&section)
        switch url {
        case .some(let url) where url.isEncrypted: self.tls = tls
        case .none where section.place("url") != nil: break
        default: Self.refuseTLS(section, isEmbedded ? "the embedded broker" : "mqtt://; write mqtts:// for TLS")
        }
        if isEmbedded {
            for key in ["username", "password"] where section.place(key) != nil {
                section.problem("is not used with the embedded broker", key)
            }
        }
        section.finish()
    }

    private static func url(_ section: inout SectionReader) -> BrokerURL? {
        guard let text = section.text("url") else { return nil }
        switch BrokerURL.parse(text) {
        case .success(let url): return url
        case .failure(let fault):
            section.problem(fault.message, "url")
            return nil
        }
    }

    private mutating func readCredentials(_ section: inout SectionReader, _ url: BrokerURL?) {
        username = section.text("username", upTo: 1024)
        password = section.secret("password")
        guard let url, url.username != nil else { return }
        if url.password != nil {
            let message = "a password in an address shows up in more places than one; use username and password"
            section.problems.warn(message, at: section.path.appending("url"), section.place("url"))
            section.problems.warnOfSecret(at: section.path.appending("url"), section.place("url"))
        }
        for key in ["username", "password"] where section.place(key) != nil {
            section.problem("is also given in url; use one of the two", key)
        }
        username = url.username
        password = url.password
    }

    private mutating func readClient(_ section: inout SectionReader) {
        if let id = section.text("client_id", upTo: 128) {
            if id.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                section.problem("must not contain control characters", "client_id")
            }
            clientID = id
        }
        if let version = section.choice("version", Version.self) { self.version = version }
        if let time = section.duration("keep_alive", .seconds(5)...(.seconds(65_535))) { keepAlive = time }
    }

    private static func tls(_ section: inout SectionReader) -> TLSSettings {
        var tls = TLSSettings()
        tls.caFile = section.file("ca_file")
        tls.certificateFile = section.file("certificate_file")
        tls.keyFile = section.file("key_file")
        tls.isInsecure = section.bool("tls_insecure") ?? false
        for (key, other) in [("certificate_file", "key_file"), ("key_file", "certificate_file")]
        where section.place(key) != nil && section.place(other) == nil {
            section.problem("needs \(other) beside it", key)
        }
        if tls.isInsecure {
            let message = "the broker's certificate is not checked: anybody in between can read and send"
            section.problems.warn(message, at: section.path.appending("tls_insecure"), section.place("tls_insecure"))
        }
        return tls
    }

    private static func refuseTLS(_ section: SectionReader, _ reason: String) {
        for key in ["ca_file", "certificate_file", "key_file", "tls_insecure"] where section.place(key) != nil {
            section.problem("is not used with \(reason)", key)
        }
    }
}

extension SectionReader {
    /// Tells of a key that is there and well formed, but cannot be.
    func problem(_ message: String, _ key: String) {
        problems.add(message, at: path.appending(key), place(key))
    }
}
