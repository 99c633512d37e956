internal import EventLoop
internal import JSON

/// The countdown of a device: second by second to zero, then the switch turns over.
@Loop
final class LampCountdown {
    private var timer: LoopTimer?

    func stop() {
        timer = nil
    }

    /// Starts, changes or ends the countdown, where a set touched its data point.
    func follow(_ accepted: DataPointValues, of lamp: TuyaLamp) {
        guard let plan = lamp.product.countdown, let left = accepted[plan.point]?.intValue else { return }
        timer = nil
        guard left > 0 else { return }
        let second = lamp.habits.countdownSecond
        timer = LoopTimer(after: second, every: second) { [weak lamp, weak self] in
            guard let lamp else { return }
            self?.tick(lamp, plan)
        }
    }

    private func tick(_ lamp: TuyaLamp, _ plan: Product.Countdown) {
        let left = (lamp.values[plan.point]?.intValue ?? 0) - 1
        guard left > 0 else {
            timer = nil
            let isOn = lamp.values[plan.switches]?.boolValue ?? false
            lamp.report([plan.point: 0, plan.switches: .bool(!isOn)])
            return
        }
        let remaining: DataPointValues = [plan.point: .integer(Int64(left))]
        let interval = max(1, Int(lamp.habits.countdownReportInterval.components.seconds))
        if left % interval == 0 { lamp.report(remaining) } else { lamp.change(remaining) }
    }
}
