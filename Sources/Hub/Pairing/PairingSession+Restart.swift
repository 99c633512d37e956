import HomeModel

extension PairingSession {
    /// A session of an earlier life of the gateway: it has failed.
    init(interrupted record: PairingRecord, times: PairingTimes) {
        self.init(times: times)
        step = record.step
        steps = record.step.map { [$0] } ?? []
        phase = .ended(.failed(record.failure ?? failureAfterKill))
    }

    /// What it fails with when the gateway is killed now.
    var failureAfterKill: PairingFailure {
        ownFailure(
            .interrupted,
            "The gateway was ended in the middle.",
            hint: "Start again; what was answered before was held in memory only and is gone."
        )
    }
}
