import EventLoop
import Simulators

/// A bridge between MQTT and lamps that is measured: its programs and its own lamps, seen only from outside.
@Loop
protocol Subject: AnyObject {
    /// A short name for tables, for example `floor`.
    var name: String { get }
    /// The first part of all its topics.
    var baseTopic: String { get }
    /// Of the address of its first lamp.
    var firstLamp: UInt32 { get }

    /// The program and its arguments for these lamps, with what it needs written to `folder`.
    func command(
        broker: UInt16,
        house: TuyaLampHouse,
        folder: String
    ) throws -> (executable: String, arguments: [String])
}

extension Subject {
    /// What its lamps are made of.
    func plan(lamps count: Int, _ options: BenchOptions) -> HousePlan {
        var plan = HousePlan()
        plan.count = count
        plan.versions = [options.version]
        plan.types = [.cw]
        plan.firstAddress = SocketAddress(ipv4: firstLamp, port: 6668)
        plan.sharedKey = BenchOptions.key
        plan.idPrefix = BenchOptions.idPrefix
        return plan
    }
}
