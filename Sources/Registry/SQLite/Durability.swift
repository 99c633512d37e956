/// What a transaction survives once it is committed.
///
/// Measured on an NVMe disk: 14 µs a commit for `processKill`, 230 µs for `powerLoss`. An SD card needs some
/// milliseconds for the latter. Both are written by the registry's own thread, so nobody waits but the caller.
enum Durability: String {
    /// The end of this process at any moment; a power cut may take the newest transactions, never a part of one.
    case processKill = "NORMAL"
    /// Also a power cut: the write-ahead log is synced to the disk before the call returns.
    case powerLoss = "FULL"
}
