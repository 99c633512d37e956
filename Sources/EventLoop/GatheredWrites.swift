/// The streams that gathered bytes in this turn of the loop and send them, each in one system call, before it polls.
@Loop
enum GatheredWrites {
    /// Strong, so that bytes reach the system even if the stream's owner lets go of it right after writing.
    private static var streams: [ByteStream] = []

    static func add(_ stream: ByteStream) {
        streams.append(stream)
    }

    static func flush() {
        while !streams.isEmpty {
            let due = streams
            streams.removeAll(keepingCapacity: true)
            for stream in due { stream.sendGathered() }
        }
    }
}
