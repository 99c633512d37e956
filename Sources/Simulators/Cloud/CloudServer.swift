package import EventLoop
internal import Glibc

/// A ``CloudHouse`` behind HTTP.
@Loop
package final class CloudServer {
    /// May be changed at any time.
    package var house: CloudHouse
    /// Called after each request that was not the simulator's own.
    package var onRequest: (@Loop (HTTPRequest, _ code: Int) -> Void)?
    /// Unix time in milliseconds; tests put their own in.
    package var clock: @Loop () -> Int64
    package let server: HTTPServer

    /// Listens at an address; port 0 lets the system choose.
    package init(
        _ house: CloudHouse = CloudHouse(),
        bind: SocketAddress = SocketAddress(ipv4: 0x7F00_0001, port: 0),
        clock: @escaping @Loop () -> Int64 = { CloudServer.timeOfDay() }
    ) throws(LoopError) {
        self.house = house
        self.clock = clock
        server = try HTTPServer(bind: bind)
        server.handler = { [weak self] request in self?.answer(request) ?? HTTPAnswer(status: 503) }
    }

    /// The base URL for clients.
    package var url: String { server.url }

    /// A device of the same process comes with its token.
    package func activate(_ activation: CloudActivation) throws(CloudActivation.Refusal) -> CloudActivation.Result {
        try house.activate(activation, at: clock())
    }

    package func stop() { server.stop() }

    /// Unix time in milliseconds.
    package nonisolated static func timeOfDay() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private func answer(_ request: HTTPRequest) -> HTTPAnswer {
        let count = house.journal.count
        let answer = house.answer(request, at: clock())
        if house.journal.count > count, let last = house.journal.last { onRequest?(last.request, last.code) }
        return answer
    }
}
