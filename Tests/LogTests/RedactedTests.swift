import JSON
import Log
import Testing

@Suite("Redacted")
struct RedactedTests {
    private struct Account {
        var name = "jo"
        var password = Redacted("correct horse")
        var keys: [Redacted<String>?] = [Redacted(key: "0123456789abcdef"), nil]
    }

    private func everyPrint(of value: some Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        var printed = ""
        print(value, Optional(value) as Any, [value], ["k": value], to: &printed)
        return "\(value)" + String(describing: value) + String(reflecting: value) + dumped + printed
    }

    @Test("no way of printing shows the secret, alone or within other values")
    func printing() {
        let account = Account()
        for text in [everyPrint(of: account), everyPrint(of: account.password), everyPrint(of: account.keys)] {
            #expect(!text.contains("horse") && !text.contains("0123") && !text.contains("cdef"))
            #expect(text.contains("<redacted"))
        }
        #expect("\(account.password)" == "<redacted>")
        #expect(Mirror(reflecting: account.password).children.isEmpty)
        #expect(account.password.exposed == "correct horse")
    }

    @Test("a key shows its first two characters and its length, a short one nothing")
    func keys() {
        #expect("\(Redacted(key: "0123456789abcdef"))" == "<redacted 01… 16 characters>")
        #expect("\(Redacted(key: "1234567"))" == "<redacted>")
        #expect("\(Redacted(key: ""))" == "<redacted>")
    }

    @Test("it has no coding")
    func coding() {
        let secret: Any = Redacted("x")
        #expect(!(secret is any Encodable))
        #expect(!(secret is any Decodable))
    }

    @Test("a log with secrets in it holds none, in any format")
    func logs() {
        let secret = Redacted("canary-4711")
        let ring = RingSink(capacity: 10)
        let log = Log("a", levels: LogLevels(.trace), sink: ring).adding(["added": LogValue(secret)])
        log.notice("x", ["direct": LogValue(secret), "text": "\(secret)", "described": LogValue(describing: secret)])
        log.notice("x", ["nested": LogValue(describing: [Optional(secret)]), "json": LogValue(secret.json)])
        for record in ring.records {
            for format in [LogFormat.text, .colouredText, .journal, .json] {
                let line = String(decoding: format.line(record), as: UTF8.self)
                #expect(!line.contains("4711"))
                #expect(line.contains("<redacted>"))
            }
            #expect(!everyPrint(of: record).contains("4711"))
        }
    }

    @Test("secrets are compared by their value")
    func equality() {
        #expect(Redacted("a") == Redacted("a"))
        #expect(Redacted("a") != Redacted("b"))
        #expect(Set([Redacted(1), Redacted(1), Redacted(2)]).count == 2)
    }
}
