import HomeModel
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    @Test(
        "an id is made from any text",
        arguments: [
            ("bf0123456789abcdefgh", "bf0123456789abcdefgh"), ("Desk Lamp", "desk-lamp"), ("--A__b--", "a-b"),
            ("Küche", "k-che"), ("a/b+c#d$", "a-b-c-d"), ("💡", "d1gest00"), ("", "d1gest00"),
        ]
    )
    func derived(source: String, id: String) {
        #expect(DeviceID.derived(from: source, isTaken: { _ in false }, digest: { _ in "d1gest00ffff" }).text == id)
    }

    @Test("a taken id gets eight digits of the digest, more while that is taken, too, and stays within 63 bytes")
    func taken() {
        let long = String(repeating: "x", count: 70)
        let digest = String(repeating: "0123456789abcdef", count: 4)
        let id = DeviceID.derived(from: long, isTaken: { _ in false }, digest: { _ in digest })
        #expect(id.text == String(repeating: "x", count: 54) + "-01234567")
        let second = DeviceID.derived(
            from: "a",
            isTaken: { $0.text == "a" || $0.text == "a-01234567" },
            digest: { _ in digest }
        )
        #expect(second.text == "a-0123456789abcdef")
    }

    @Test("what is no id is refused", arguments: ["", "-a", "A", "a b", "a_b", "ä", String(repeating: "a", count: 64)])
    func refused(text: String) {
        #expect(DeviceID(text) == nil)
    }
}
