package import HomeModel

/// What the bridge needs to know of the gateway.
package struct BridgeOptions: Sendable {
    /// The base topic.
    package var baseTopic: String
    /// Eight hex digits, made once for this installation.
    package var installationID: String
    /// The gateway's version.
    package var version: String
    /// When the gateway started.
    package var startedAt: Timestamp
    /// How long to wait for another instance to answer before taking the base topic.
    package var probeWait: Duration = .milliseconds(500)
    /// The largest command or request, in bytes.
    package var commandBytes = 64 << 10
    /// How often `bridge/health` is published.
    package var healthInterval: Duration = .seconds(60)
    /// How long changes of the index are gathered.
    package var indexDelay: Duration = .milliseconds(250)

    package init(baseTopic: String, installationID: String, version: String, startedAt: Timestamp) {
        self.baseTopic = baseTopic
        self.installationID = installationID
        self.version = version
        self.startedAt = startedAt
    }

    /// The version of the topics and payloads.
    package static let api = 1
}
