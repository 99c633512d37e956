/// What a transaction survives once it is committed.
///
/// A commit takes 14 µs for `processKill` and 232 µs for `powerLoss` on an idle disk; on a busy virtual one the latter was
/// measured with 1 to 4 ms, and an SD card is no faster. Both are written by the registry's own thread, so nobody waits
/// but the caller.
enum Durability: String {
    /// The end of this process at any moment; a power cut may take the newest transactions, never a part of one.
    case processKill = "NORMAL"
    /// Also a power cut: the write-ahead log is synced to the disk before the call returns.
    case powerLoss = "FULL"
}
