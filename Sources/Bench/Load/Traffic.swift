import EventLoop
import JSON
import Simulators

/// Sends messages through a subject, from either side, and knows them again on the other.
@Loop
final class Traffic {
    /// What became of the messages of one direction since the last ``reset()``.
    struct Tally {
        var sent = 0
        var arrived = 0
        var superseded = 0
        var latencies = Latencies()

        var open: Int { sent - arrived - superseded }
    }

    private struct Lamp {
        let lamp: TuyaLamp
        let setTopic: String
        var level = Level()
        var commands = PendingMessages()
        var reports = PendingMessages()
        var answers = PendingMessages()
        var isSeen = false
    }

    let baseTopic: String
    private let client: LoadClient
    private var lamps: [Lamp]
    private(set) var commands = Tally()
    private(set) var reports = Tally()
    /// Answers to commands, for subjects that give any.
    private(set) var answers = Tally()
    private(set) var errorAnswers = 0
    /// Lamps whose state has been seen since ``forgetStates()``, and when the last of them was.
    private(set) var seenCount = 0
    private(set) var lastSeen: MonotonicTime?
    /// Called with each message that has arrived, for a record of all.
    var onArrival: (@Loop (Direction, _ lamp: Int, _ sent: MonotonicTime, _ arrived: MonotonicTime) -> Void)?

    init(_ subject: RunningSubject, _ client: LoadClient) {
        baseTopic = subject.subject.baseTopic
        self.client = client
        lamps = subject.house.lamps.map { lamp in
            Lamp(lamp: lamp, setTopic: "\(subject.subject.baseTopic)/device/\(lamp.identity.id)/set")
        }
        for (index, lamp) in subject.house.lamps.enumerated() {
            lamp.onSet = { [weak self] _, values, moment in self?.lampDidHear(index, values, moment) }
        }
    }

    var lampCount: Int { lamps.count }

    func tally(_ direction: Direction) -> Tally { direction == .command ? commands : reports }

    /// Forgets what was counted, and what has not arrived.
    func reset() {
        for index in lamps.indices {
            _ = lamps[index].commands.clear()
            _ = lamps[index].reports.clear()
            _ = lamps[index].answers.clear()
        }
        commands = Tally()
        reports = Tally()
        answers = Tally()
        errorAnswers = 0
    }

    func forgetStates() {
        for index in lamps.indices { lamps[index].isSeen = false }
        seenCount = 0
        lastSeen = nil
    }

    // MARK: Sending

    /// Sends one message for a lamp, counted from 0.
    func send(_ direction: Direction, lamp index: Int) {
        let level = lamps[index].level.next
        lamps[index].level = level
        switch direction {
        case .command:
            let payload = [UInt8]("{\"brightness\":\(level.brightness)}".utf8)
            let moment = Loop.now
            lamps[index].commands.add(level, at: moment)
            lamps[index].answers.add(level, at: moment)
            commands.sent += 1
            client.publish(payload, to: lamps[index].setTopic)
        case .report:
            reports.sent += 1
            let values: DataPointValues = [22: JSON(level.raw)]
            // Entered before the report leaves, for the case that it arrives within the call.
            lamps[index].reports.add(level, at: Loop.now)
            lamps[index].lamp.report(values)
        }
    }

    // MARK: Arriving

    private func lampDidHear(_ index: Int, _ values: DataPointValues, _ moment: MonotonicTime) {
        guard let raw = values[22]?.intValue,
            let arrival = lamps[index].commands.take(brightness: Level.brightness(of: raw))
        else { return }
        commands.arrived += 1
        commands.superseded += arrival.superseded
        commands.latencies.add((moment - arrival.sent).nanoseconds)
        onArrival?(.command, index, arrival.sent, moment)
    }

    /// Takes a message of the subscriber.
    func receive(topic: String, payload: [UInt8], at moment: MonotonicTime) {
        if topic.hasSuffix("/state") {
            guard let index = lampIndex(topic, suffix: 6) else { return }
            if !lamps[index].isSeen {
                lamps[index].isSeen = true
                seenCount += 1
                lastSeen = moment
            }
            guard let brightness = Self.brightness(in: payload),
                let arrival = lamps[index].reports.take(brightness: brightness)
            else { return }
            reports.arrived += 1
            reports.superseded += arrival.superseded
            reports.latencies.add((moment - arrival.sent).nanoseconds)
            onArrival?(.report, index, arrival.sent, moment)
        } else if topic.hasSuffix("/response") {
            guard let index = lampIndex(topic, suffix: 9) else { return }
            answer(index, payload, moment)
        }
    }

    private func answer(_ index: Int, _ payload: [UInt8], _ moment: MonotonicTime) {
        guard let json = try? JSON.parse(payload) else { return }
        if json["status"] != "ok" { errorAnswers += 1 }
        guard let brightness = json["applied"]?["brightness"]?.intValue,
            let arrival = lamps[index].answers.take(brightness: brightness)
        else { return }
        answers.arrived += 1
        answers.latencies.add((moment - arrival.sent).nanoseconds)
    }

    /// The lamp's number: the last six characters of its id, before a suffix of so many bytes.
    private func lampIndex(_ topic: String, suffix: Int) -> Int? {
        guard topic.hasPrefix(baseTopic) else { return nil }
        var number = 0
        for byte in topic.utf8.dropLast(suffix).suffix(6) {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return lamps.indices.contains(number) ? number : nil
    }

    /// The number behind `"brightness":`, found without parsing the whole: thousands of these come in a second.
    private static func brightness(in payload: [UInt8]) -> Int? {
        let name = [UInt8]("\"brightness\":".utf8)
        guard payload.count > name.count else { return nil }
        for start in 0..<(payload.count - name.count) where payload[start] == 0x22 && payload[start + 1] == 0x62 {
            guard payload[start..<(start + name.count)].elementsEqual(name) else { continue }
            var number = 0
            for byte in payload[(start + name.count)...] {
                guard (0x30...0x39).contains(byte) else { break }
                number = number * 10 + Int(byte - 0x30)
            }
            return number
        }
        return nil
    }
}

extension Duration {
    /// Whole nanoseconds, 0 for negative spans.
    var nanoseconds: UInt64 { UInt64(max(0, wholeNanoseconds)) }
}
