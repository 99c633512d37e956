import Glibc

/// Whether a process runs; one that has ended and is not waited for yet does not.
func isAlive(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0, let file = fopen("/proc/\(process)/stat", "r") else { return false }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let character = getc(file), character != EOF { bytes.append(UInt8(truncatingIfNeeded: character)) }
    return !String(decoding: bytes, as: UTF8.self).contains(") Z ")
}
