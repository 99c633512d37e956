import PluginWire

extension GatewayCall {
    /// The same request, with less time for the plugin where part of it was spent waiting.
    func limited(to remaining: Duration) -> GatewayCall {
        switch self {
        case .read(var call):
            call.deadline = min(call.deadline, remaining)
            return .read(call)
        case .write(var call):
            call.deadline = min(call.deadline, remaining)
            return .write(call)
        case .invoke(var call):
            call.deadline = min(call.deadline, remaining)
            return .invoke(call)
        default:
            return self
        }
    }
}
