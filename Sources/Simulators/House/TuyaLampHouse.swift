package import EventLoop

/// Simulated devices in one process, made from a plan.
@Loop
package final class TuyaLampHouse {
    package let lamps: [TuyaLamp]
    /// nil where the devices stay quiet on UDP.
    package let announcer: LampAnnouncer?

    /// Devices that do not listen yet.
    ///
    /// - Parameter beacons: how they announce themselves; nil for not at all.
    package init(_ plan: HousePlan, beacons: LampAnnouncer.Settings? = nil) throws {
        lamps = plan.devices().map { TuyaLamp($0.identity, $0.product) }
        announcer = try beacons.map { try LampAnnouncer($0) }
    }

    /// Opens every device's port, and announces them.
    package func start() throws(LoopError) {
        for lamp in lamps { try lamp.start() }
        try announcer?.start(lamps)
    }

    package func stop() {
        announcer?.stop()
        for lamp in lamps { lamp.stop() }
    }
}
