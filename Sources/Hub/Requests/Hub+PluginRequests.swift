import EventLoop
import HomeModel
import JSON

extension Hub {
    func addPluginRequests() {
        requests.add("plugin/list") { [unowned self] _ in
            let plugins = plugins?.summaries ?? []
            return ["plugins": .array(plugins.map { .object($0.json(devices: deviceCount(of: $0.id))) })]
        }
        requests.add("plugin/reload", primary: "id") { [unowned self] in try await reloadPlugin($0) }
        requests.add("plugin/restart", primary: "id") { [unowned self] in try await reloadPlugin($0) }
        requests.add("plugin/logs", primary: "id") { [unowned self] in
            let plugin = try plugin($0)
            let limit = try $0.integer("limit", in: 1...200, default: 50)
            let lines = try plugins?.recording(of: plugin, limit: limit) ?? []
            return ["id": .string(plugin.text), "lines": .array(lines)]
        }
    }

    private func plugin(_ arguments: RequestArguments) throws(CommandError) -> PluginID {
        let text = try arguments.string("id")
        guard let id = PluginID(text), plugins?.summaries.contains(where: { $0.id == id }) == true else {
            let known = plugins?.summaries.map(\.id.text).joined(separator: ", ") ?? ""
            throw CommandError(.pluginNotFound, "No plugin with id \(text.prefix(64)).", hint: "Plugins: \(known).")
        }
        return id
    }

    private func reloadPlugin(_ arguments: RequestArguments) async throws(CommandError) -> JSONObject {
        let plugin = try plugin(arguments)
        try await plugins?.reload(plugin)
        let state = plugins?.summaries.first { $0.id == plugin }?.state ?? "stopped"
        return ["id": .string(plugin.text), "state": .string(state)]
    }
}
