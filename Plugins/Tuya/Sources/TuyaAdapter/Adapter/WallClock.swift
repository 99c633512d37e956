import Glibc
import HomeModel

/// The time of day.
enum WallClock {
    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Unix time in seconds.
    static var seconds: Int64 { Int64(time(nil)) }
}
