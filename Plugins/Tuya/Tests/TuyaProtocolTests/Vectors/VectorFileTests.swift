import JSON
import Testing

struct VectorFileTests {
    /// The kinds that a suite of this target runs.
    static let known: Set<String> = [
        "frame", "session", "session_error", "discovery", "stream", "undecryptable", "request", "reply", "md5_key",
        "colour_encode", "colour_decode", "brightness", "temperature", "light_command", "light_report", "dp_value",
        "scene", "control_data", "phase_a", "token", "ap_frame", "ap_psk", "ap_error", "pair_poll", "cloud_sign",
        "cloud_reply",
    ]

    @Test("the vector file can be read and holds vectors")
    func readable() {
        #expect(!VectorFile.all.isEmpty, "nothing in \(VectorFile.path)")
        let kinds = Set(VectorFile.all.compactMap { $0["kind"]?.stringValue })
        for kind in kinds.subtracting(Self.known).sorted() {
            print("note: the vectors of kind \(kind) in \(VectorFile.path) are not run, nobody knows them")
        }
    }
}
