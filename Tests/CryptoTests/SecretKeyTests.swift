import Crypto
import Testing

struct SecretKeyTests {
    @Test("a key never shows its bytes")
    func redaction() {
        let key = SecretKey(ascii("hunter2hunter2hu"))
        var dumped = ""
        dump(key, to: &dumped)
        dump([key], to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped, "\([key])", "\(Optional(key) as Any)"] {
            #expect(!text.contains("hunter"))
            #expect(!text.contains("104"))
            #expect(text.contains("<redacted>"))
        }
    }

    @Test("keys are equal by their bytes")
    func equality() {
        #expect(SecretKey([1, 2, 3]) == SecretKey([1, 2, 3]))
        #expect(SecretKey([1, 2, 3]) != SecretKey([1, 2, 4]))
        #expect(SecretKey([1, 2, 3]) != SecretKey([1, 2]))
        #expect(SecretKey([1, 2, 3]).exposedBytes == [1, 2, 3])
        #expect(SecretKey([]).count == 0)
    }
}
