import Config
import EventLoop
import JSON
import Log
import MQTT

/// The broker and base topic that a client's verb means: the configuration's, unless the command line says otherwise.
struct BrokerPlace {
    let options: MQTTOptions
    let baseTopic: String
    let timeout: Duration

    init(_ invocation: Invocation) throws(Failure) {
        guard let seconds = Double(invocation.options["timeout"] ?? "10"), seconds > 0, seconds <= 3600 else {
            throw Failure(.usage, "--timeout takes seconds, up to 3600.")
        }
        timeout = .milliseconds(Int(seconds * 1000))
        var settings = MQTTSettings()
        if let url = invocation.options["url"] {
            settings = try Self.settings(url)
        } else {
            do throws(Failure) {
                settings = try ConfigLocation.load(try ConfigLocation.find(invocation.withoutOperands)).mqtt
            } catch {
                // Without any configuration the usual broker on this machine is a good guess; a broken one is not passed over.
                guard invocation.options["config"] == nil, error.message.hasPrefix("No configuration") else {
                    throw error
                }
            }
        }
        baseTopic = invocation.options["base-topic"] ?? settings.baseTopic
        options = settings.clientOptions(clientID: "lintel-cli-\(UInt32.random(in: 0 ... .max))")
    }

    /// Reads a URL as the configuration would.
    private static func settings(_ url: String) throws(Failure) -> MQTTSettings {
        let text = "mqtt: {url: \(JSON.string(url).text)}"
        do throws(ConfigProblems) {
            return try Configuration.parse(
                Array(text.utf8),
                file: "--url",
                sources: SecretSources(directory: ".")
            ).mqtt
        } catch {
            throw Failure(.usage, error.problems.map(\.message).joined(separator: "\n"))
        }
    }
}

extension Invocation {
    /// The same without operands, so that none of them is taken for a file.
    var withoutOperands: Invocation { Invocation(verb: verb, operands: [], options: options) }
}

extension MQTTSettings {
    /// What the MQTT client takes of the settings.
    func clientOptions(clientID: String) -> MQTTOptions {
        var options: MQTTOptions
        switch broker {
        case .embedded(let port): options = MQTTOptions(host: "127.0.0.1", port: port, clientID: clientID)
        case .remote(let host, let port): options = MQTTOptions(host: host, port: port, clientID: clientID)
        }
        options.username = username
        options.password = password.map { MQTTPassword($0.exposed) }
        options.keepAlive = keepAlive
        switch version {
        case .automatic: options.versions = .automatic
        case .five: options.versions = .only(.v5)
        case .threeOneOne: options.versions = .only(.v311)
        }
        if let tls {
            options.tls = MQTTTLSOptions(
                caFile: tls.caFile,
                certificateFile: tls.certificateFile,
                keyFile: tls.keyFile,
                isInsecure: tls.isInsecure
            )
        }
        return options
    }
}
