import Crypto
import JSON
import Testing
import TuyaProtocol

/// What anyone on the network can send: nothing of it may crash, grow without bounds, or go unnamed.
struct HostileInputTests {
    static let rounds = 10_000
    static let key = SecretKey([UInt8]("8c1f5d0a7e92b346".utf8))

    /// Frames of every command that matters, from both sides.
    private func samples(_ codec: SessionCodec) throws -> [[UInt8]] {
        let body = [UInt8](
            #"{"devId":"bf0123456789abcdefgh","dps":{"20":true,"21":"white","22":500,"24":"00f003e803e8"}}"#.utf8
        )
        var frames: [[UInt8]] = []
        for (index, command) in [Command.heartbeat, .control, .report, .query, .controlNew, .queryNew].enumerated() {
            let sequence = UInt32(index)
            let header = VersionHeader(device: codec.version, serial: 3)
            frames.append(try codec.request(command, sequence: sequence, body: body))
            frames.append(try codec.answer(command, sequence: sequence, body: command == .heartbeat ? [] : body))
            frames.append(
                try codec.answer(command, sequence: sequence, options: AnswerOptions(header: header), body: body)
            )
        }
        return frames
    }

    @Test("mutated frames end in frames or named errors, in bounded memory", arguments: ProtocolVersion.supported)
    func mutatedFrames(version: ProtocolVersion) throws {
        let codec = try SessionCodec(version: version, key: Self.key)
        let samples = try samples(codec)
        var random = SeededGenerator(seed: 0xA11CE)
        var decoder = StreamDecoder(returnCodes: .whereSmall)
        var received = 0
        var discarded = 0
        for round in 0..<(Self.rounds / ProtocolVersion.supported.count) {
            let frame = random.mutated(samples[random.number(0..<samples.count)])
            received += frame.count
            decoder.append(frame)
            while let event = decoder.next(codec.protection) { inspect(event, codec) }
            let bound = decoder.maximumLength + 22
            guard decoder.buffered <= bound, decoder.discarded >= discarded, decoder.discarded <= received else {
                Issue.record("round \(round): \(decoder.buffered) bytes wait, \(decoder.discarded) of \(received) gone")
                return
            }
            discarded = decoder.discarded
        }
    }

    /// Goes on with a frame as a session does.
    private func inspect(_ event: StreamEvent, _ codec: SessionCodec) {
        switch event {
        case .frame(let frame):
            guard let body = plaintext(of: frame, codec) else { return }
            inspect(body, frame.command)
        case .failure(let error): #expect(error.code != "crypto_failed")
        case .wrongPrefix: break
        }
    }

    private func plaintext(of frame: Frame, _ codec: SessionCodec) -> [UInt8]? {
        do throws(TuyaProtocolError) {
            return try codec.plaintext(of: frame)
        } catch {
            #expect(["bad_padding", "bad_ciphertext_length", "bad_base64"].contains(error.code))
            return nil
        }
    }

    private func inspect(_ body: [UInt8], _ command: Command) {
        _ = DeviceRequest(command: command, plaintext: body)
        guard case .status(let report) = DeviceReply(command: command, plaintext: body) else { return }
        var state = DataPointState()
        _ = state.merge(report)
        if let profile = LightProfile.detect(report.points) { _ = Light(profile: profile, points: report.points).state }
    }

    @Test("a good frame behind garbage is found again", arguments: ProtocolVersion.supported)
    func resynchronisation(version: ProtocolVersion) throws {
        let codec = try SessionCodec(version: version, key: Self.key)
        let samples = try samples(codec)
        var random = SeededGenerator(seed: 0xB0B)
        for _ in 0..<60 {
            var decoder = StreamDecoder(returnCodes: .whereSmall)
            decoder.append(random.mutated(samples[random.number(0..<samples.count)]))
            while decoder.next(codec.protection) != nil {}
            // A false length can swallow as much as the longest frame.
            decoder.append([UInt8](repeating: 0x2A, count: decoder.maximumLength + 32))
            while decoder.next(codec.protection) != nil {}
            #expect(decoder.buffered == 0)
            decoder.append(try codec.answer(.report, sequence: 77, body: [UInt8]("{}".utf8)))
            #expect(try decoder.requireFrame(codec.protection).sequence == 77)
        }
    }

    @Test("how a stream is cut into segments makes no difference", arguments: ProtocolVersion.supported)
    func segmentation(version: ProtocolVersion) throws {
        let codec = try SessionCodec(version: version, key: Self.key)
        let samples = try samples(codec)
        var random = SeededGenerator(seed: 0xC0FFEE)
        for _ in 0..<100 {
            var stream: [UInt8] = []
            for _ in 0..<random.number(1..<6) {
                let frame = samples[random.number(0..<samples.count)]
                stream += random.number(0..<3) == 0 ? random.mutated(frame) : frame
                if random.number(0..<3) == 0 { stream += random.bytes(random.number(0..<20)) }
            }
            var whole = StreamDecoder(returnCodes: .whereSmall)
            var events: [StreamEvent] = []
            whole.append(stream)
            while let event = whole.next(codec.protection) { events.append(event) }

            var cut = StreamDecoder(returnCodes: .whereSmall)
            var cutEvents: [StreamEvent] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let count = random.number(1..<40)
                cut.append([UInt8](rest.prefix(count)))
                rest = rest.dropFirst(count)
                while let event = cut.next(codec.protection) { cutEvents.append(event) }
            }
            #expect(events == cutEvents)
            #expect(whole.discarded == cut.discarded)
            #expect(whole.buffered == cut.buffered)
        }
    }

    @Test("random bytes are no frame, and are not kept")
    func randomStreams() throws {
        var random = SeededGenerator(seed: 0xD00D)
        let codec = try SessionCodec(version: .v35, key: Self.key)
        var decoder = StreamDecoder(returnCodes: .never)
        var received = 0
        for _ in 0..<Self.rounds {
            let bytes = random.bytes(random.number(0..<64))
            received += bytes.count
            decoder.append(bytes)
            while decoder.next(codec.protection) != nil {}
        }
        #expect(decoder.buffered <= decoder.maximumLength + 22)
        #expect(decoder.discarded + decoder.buffered <= received)
    }

    @Test("mutated and random datagrams are told apart or dropped with a code")
    func datagrams() throws {
        let (encoder, decoder) = try (DiscoveryEncoder(), DiscoveryDecoder())
        var samples = try ProtocolVersion.supported.map {
            try encoder.announcement(
                version: $0,
                fields: ["gwId": "bf01", "ip": "10.0.0.1", "version": .string($0.text)]
            )
        }
        samples.append(try encoder.request(address: "10.0.0.2"))
        let codes: Set<String> = [
            "unknown_datagram", "truncated", "bad_length", "bad_suffix", "crc_mismatch", "gcm_auth_failed",
            "bad_ciphertext_length", "bad_padding", "bad_json", "missing_gwId",
        ]
        var random = SeededGenerator(seed: 0xBEAC0)
        var seen: Set<String> = []
        for round in 0..<Self.rounds {
            let datagram =
                round % 4 == 0
                ? random.bytes(random.number(0..<100)) : random.mutated(samples[random.number(0..<samples.count)])
            let message = decoder.classify(datagram)
            if case .drop(let error) = message { seen.insert(error.code) }
            if case .device(let beacon) = message, beacon.gatewayID == nil { Issue.record("a device without an id") }
        }
        #expect(seen.isSubset(of: codes))
        #expect(seen.count >= 6)
    }

    @Test("mutated bodies are understood or unparsable")
    func bodies() {
        let samples = [
            #"{"devId":"x","dps":{"1":true,"9":0,"20":2312,"24":"00f003e803e8"}}"#,
            #"{"protocol":4,"t":1700000200,"data":{"cid":"a","dps":{"1":false,"2":null,"3":[1,{"a":2}]}}}"#,
            #"{"reqType":"subdev_online_stat_report","data":{"online":["a"]}}"#, "json obj data unvalid",
            #"{"dps":{"22":1e400,"23":-0,"21":"\ud800","20":18446744073709551615}}"#, "null", "[[[[[[", "",
        ].map { [UInt8]($0.utf8) }
        var random = SeededGenerator(seed: 0x5EED)
        let commands: [Command] = [.heartbeat, .control, .report, .query, .extended, Command(rawValue: .max)]
        for _ in 0..<Self.rounds {
            inspect(random.mutated(samples[random.number(0..<samples.count)]), commands[random.number(0..<6)])
        }
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 16_000)
        #expect(DeviceReply(command: .report, plaintext: deep) == .unparsable)
    }

    @Test("a light survives whatever its points say")
    func points() {
        var random = SeededGenerator(seed: 0x11947)
        let values: [JSON] = [
            true, false, nil, 0, -1, 500, 1001, 255, .integer(.max), .integer(.min), .unsigned(.max), 1.5,
            .double(.nan),
            .double(-1e300), "", "white", "colour", "scene_9", "music", "000003e803e8", "ff00000000ffff",
            "ffffffffffff",
            "ffffffffffffff", "00ff00", "zz", "000e0d0000000000000000c803e8", "00", ["a"], ["b": 1],
        ]
        let levels = [-1, 0, 1, 128, 255, 256, Int.max, Int.min]
        for _ in 0..<Self.rounds {
            var points = DataPoints()
            for _ in 0..<random.number(0..<6) {
                let id = [1, 2, 3, 4, 5, 20, 21, 22, 23, 24, 25, 26][random.number(0..<12)]
                points[id] = values[random.number(0..<values.count)]
            }
            guard let profile = LightProfile.detect(points) else { continue }
            var light = Light(profile: profile, points: points)
            let level = levels[random.number(0..<levels.count)]
            let change = LightChange(
                brightness: light.profile.brightness == nil || random.number(0..<2) == 0 ? nil : .of255(level),
                temperature: light.profile.temperaturePoint == nil ? nil : .kelvin(level),
                colour: light.profile.colour == nil || random.number(0..<2) == 0
                    ? nil : LightChange.Colour(hue: Double(level), saturation: Double(level), value: .infinity)
            )
            guard let plan = try? light.plan(change) else {
                Issue.record("no plan for \(change)")
                return
            }
            _ = light.learn(plan.points)
            let state = light.state
            guard (1...255).contains(state.brightness ?? 1), (2700...6500).contains(state.temperature ?? 2700),
                (0...360).contains(state.colour?.hue ?? 0), (0...100).contains(state.colour?.saturation ?? 0)
            else {
                Issue.record("\(change) is shown as \(state)")
                return
            }
        }
    }

    @Test("mutated schemas and lists of networks are read in part or not at all")
    func documents() {
        let samples = [
            #"[{"id":20,"mode":"rw","type":"obj","property":{"type":"value","min":-9223372036854775808,"max":1e99,"step":0}}]"#,
            #"{"functions":[{"code":"a","type":"Integer","values":"{\"min\":1,\"max\":2,\"scale\":99}","dp_id":9}]}"#,
            #"{"services":[{"properties":[{"abilityId":1,"typeSpec":{"type":"enum","range":["a",1]}}]}]}"#,
            #"{"reqType":"wifi_list_rpt","data":{"wifi_list":[{"ssid":"a","rssi":-1,"sec":4}]}}"#,
        ].map { [UInt8]($0.utf8) }
        var random = SeededGenerator(seed: 0x5C4E)
        for _ in 0..<Self.rounds {
            let text = random.mutated(samples[random.number(0..<samples.count)])
            _ = WiFiNetwork.list(text)
            guard let json = try? JSON.parse(text), let schema = DeviceSchema(json: json) else { continue }
            for point in schema.points {
                _ = point.engineering(.integer(.min))
                _ = try? point.raw(.double(1e300))
            }
            _ = LightProfile(schema: schema)
        }
    }
}
