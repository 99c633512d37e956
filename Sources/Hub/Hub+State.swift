import EventLoop
import HomeModel
import JSON
import Log

extension Hub {
    /// Merges what a device reported into its state, tells of it where something changed, and answers the commands that
    /// it confirms.
    func merge(_ reported: JSONObject, at: Timestamp, into device: Device) {
        var isChanged = device.source != .reported
        for (key, value) in reported {
            guard let present = device.state[key] else {
                log.debug("a device reported a property that its description lacks", ["property": "\(key)"])
                continue
            }
            guard present != value else { continue }
            device.state[key] = value
            isChanged = true
        }
        device.source = .reported
        device.confirmedAt = at
        device.lastSeen = at
        if isChanged { publish(device) }
        for confirmation in device.unconfirmed { confirmation.hear(reported) }
        if !device.unconfirmed.isEmpty { answerConfirmed(device) }
    }

    /// The device has been silent for a while about values that it acknowledged: they are taken for true, and marked so.
    func assume(_ device: Device, _ confirmation: Confirmation) {
        guard !confirmation.isDone, !confirmation.isContradicted, directory[device.id] === device else { return }
        var isChanged = false
        for (key, value) in confirmation.expected where device.state[key] != nil && device.state[key] != value {
            device.state[key] = value
            isChanged = true
        }
        guard isChanged else { return }
        device.source = .assumed
        publish(device)
    }

    private func publish(_ device: Device) {
        if let at = device.confirmedAt { store.note(.state(device.id, device.state, at: at)) }
        tell { $0.stateChanged(device) }
    }
}
