/// How patient the supervisor of a plugin is; tests shorten it.
package struct SupervisionTimes: Sendable {
    /// From the start of the process to the end of `start`.
    package var start = Duration.seconds(10)
    /// Between two pings.
    package var pingInterval = Duration.seconds(15)
    /// How long a ping may take.
    package var pingGrace = Duration.seconds(5)
    /// How long the plugin may take to follow `shutdown`.
    package var shutdown = Duration.seconds(5)
    /// How long it may take, after that, to follow SIGTERM.
    package var terminate = Duration.seconds(5)
    /// When it is started again.
    package var restart = RestartPolicy.Rules()

    package init() {}
}
