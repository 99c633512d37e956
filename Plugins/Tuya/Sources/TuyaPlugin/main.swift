import EventLoop
import PluginKit
import TuyaAdapter

PluginProgram.run(id: "tuya", version: TuyaAdapter.version) { TuyaAdapter() }
