import Crypto
import Testing

struct SecureRandomTests {
    @Test("bytes have the length asked for and differ from call to call")
    func bytes() throws {
        #expect(try SecureRandom.bytes(0) == [])
        let first = try SecureRandom.bytes(32)
        #expect(first.count == 32)
        #expect(try SecureRandom.bytes(32) != first)
    }

    @Test("nonces never repeat, across refills of the stock")
    func nonces() throws {
        var nonces = RandomNonces()
        var seen: Set<[UInt8]> = []
        for _ in 0..<300 {
            let nonce = try nonces.next()
            #expect(nonce.count == AESGCM.nonceLength)
            #expect(seen.insert(nonce).inserted)
        }
    }
}
