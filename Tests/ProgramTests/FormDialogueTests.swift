import HomeModel
import JSON
import Testing

@testable import lintel

@Suite("The questions of a form")
struct FormDialogueTests {
    private static let network = InputField(
        "ssid",
        title: "Network",
        choices: [.init("home", title: "home (-50 dBm)"), .init("Guest"), .init("guest 5"), .init("7")],
        allowsOther: true,
        range: 1...32
    )
    private static let password = InputField("password", title: "Password", kind: .password, range: 8...63)

    @Test("are asked in their order, again until the answer is of the right form")
    func order() {
        var dialogue = FormDialogue(InputForm(title: "Wi-Fi", fields: [Self.network, Self.password]))
        #expect(dialogue.prompt == "Network (number or name): ")
        #expect(dialogue.enter("1") == nil)
        #expect(dialogue.isHidden)
        #expect(dialogue.enter("short") == nil)
        #expect(dialogue.complaint == "It must have 8 to 63 bytes, not 5.")
        #expect(dialogue.enter(" with blanks ") == ["ssid": "home", "password": " with blanks "])
    }

    @Test(
        "take a choice by its number, its value, its title, or another text where that is allowed",
        arguments: [
            ("2", "Guest"), ("home", "home"), ("home (-50 dBm)", "home"), ("GUEST", "Guest"), ("4", "7"), ("7", "7"),
            ("hidden net", "hidden net"), (" 1 ", "home"),
        ]
    )
    func choices(typed: String, value: String) {
        #expect(FieldQuestion(field: Self.network).read(typed) == .value(.string(value)))
    }

    @Test("another one is typed after its number, and taken as it is")
    func another() {
        var dialogue = FormDialogue(InputForm(title: "Wi-Fi", fields: [Self.network]))
        #expect(dialogue.enter("5") == nil)
        #expect(dialogue.question?.offersChoices == false)
        #expect(dialogue.enter("2") == ["ssid": "2"])
    }

    @Test("refuse a choice that is none, or could be several")
    func closed() {
        var field = Self.network
        field.allowsOther = false
        let question = FieldQuestion(field: field)
        #expect(question.read("uest") == .wrong("That could be 2 of them."))
        #expect(question.read("cellar") == .wrong("There is no such choice."))
        #expect(question.read("hom") == .value("home"))
        #expect(question.read("9") == .wrong("There is no such choice."))
        #expect(question.read("") == .wrong("This must be answered."))
    }

    @Test("take defaults, leave out what may be left out, and know yes and no and numbers")
    func kinds() {
        let flag = FieldQuestion(field: InputField("f", title: "F", kind: .flag, fallback: true))
        #expect(flag.prompt == "F (y/n) [y]: ")
        #expect(flag.read("") == .value(true))
        #expect(flag.read("No") == .value(false))
        #expect(flag.read("maybe") == .wrong("Answer with y or n."))
        let number = FieldQuestion(field: InputField("n", title: "N", kind: .number, range: 1...9))
        #expect(number.read("5") == .value(5))
        #expect(number.read("10") == .wrong("It must be from 1 to 9."))
        #expect(number.read("x") == .wrong("It must be a whole number."))
        let text = FieldQuestion(field: InputField("t", title: "T", isRequired: false, pattern: "^[A-Z]{6}$"))
        #expect(text.read("") == .omitted)
        #expect(text.read("ABCDEF") == .value("ABCDEF"))
        #expect(text.read("abc") == .wrong("It must match ^[A-Z]{6}$."))
        let open = FieldQuestion(field: InputField("p", title: "P", kind: .password, range: 0...63))
        #expect(open.read("") == .value(""))
    }

    @Test("a question without fields waits for Enter; answers that are known are not asked for")
    func known() {
        var plain = FormDialogue(InputForm(title: "Join the hotspot"))
        #expect(!plain.isComplete)
        #expect(plain.enter("") == [:])
        let known = FormDialogue(InputForm(title: "Wi-Fi", fields: [Self.network]), known: ["ssid": "x"])
        #expect(known.isComplete)
        var half = FormDialogue(InputForm(title: "Wi-Fi", fields: [Self.network, Self.password]), known: ["ssid": "x"])
        #expect(half.enter("12345678") == ["ssid": "x", "password": "12345678"])
    }
}
