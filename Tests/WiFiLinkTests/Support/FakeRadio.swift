import EventLoop
import Glibc
import TestSupport
import WiFiLink

/// A folder with programs that act like those of the system and keep the state of a radio in files.
///
/// Each call is a line of `calls`. The call whose number stands in `kill-before` or `kill-after` kills whoever made it,
/// before or after it does its work.
final class FakeRadio: Sendable {
    let folder: TemporaryFolder
    /// The data directory of the gateway.
    let data: String
    let programs: String

    init() throws {
        folder = try TemporaryFolder()
        data = folder.file("data")
        programs = folder.file("bin")
        for path in [data, programs] { mkdir(path, 0o700) }
    }

    /// Writes a program; `$S` is the folder in it.
    func program(_ name: String, _ script: String) throws {
        let prelude = """
            #!/bin/sh
            S='\(folder.path)'
            n=$(( $(cat "$S/count" 2>/dev/null || echo 0) + 1 )); echo $n > "$S/count"
            printf '%s\\n' "\(name) $*" >> "$S/calls"
            if [ "$(cat "$S/kill-before" 2>/dev/null)" = $n ]; then kill -9 $PPID; exit 1; fi
            trap 'if [ "$(cat "$S/kill-after" 2>/dev/null)" = $n ]; then kill -9 $PPID; fi' EXIT

            """
        let path = try folder.write(prelude + script + "\n", to: "bin/\(name)")
        chmod(path, 0o700)
    }

    func write(_ text: String, to name: String) throws { try folder.write(text, to: name) }

    /// A file's text; nil where there is none.
    func text(_ name: String) -> String? {
        guard let file = fopen(folder.file(name), "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let character = getc(file), character != EOF { bytes.append(UInt8(truncatingIfNeeded: character)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func remove(_ name: String) { unlink(folder.file(name)) }

    /// The calls so far, one a line.
    var calls: [String] { (text("calls") ?? "").split(separator: "\n").map { String($0) } }

    /// How many calls there were.
    var count: Int { Int((text("count") ?? "0").prefix { $0.isNumber }) ?? 0 }

    /// Whether the journal is there.
    var hasJournal: Bool { access("\(data)/wifi-journal.json", F_OK) == 0 }

    /// Options without a wait.
    func options(_ way: WiFiOptions.Way, interface: String? = "wlan9", command: [String] = []) -> WiFiOptions {
        var options = WiFiOptions(way: way, interface: interface, command: command, directory: data)
        options.searchPath = "\(programs):/usr/sbin:/usr/bin:/sbin:/bin"
        options.timeout = .seconds(10)
        options.scanTime = .zero
        options.leasePatience = .zero
        options.watchInterval = .milliseconds(20)
        options.retryDelays = [.milliseconds(10)]
        return options
    }
}
