import HomeModel
import JSON
import Testing

@Suite("PairingMethod")
struct PairingMethodTests {
    @Test("a method is shown with what it needs and its form, and is read back")
    func json() {
        let form = InputForm(title: "Network", fields: [InputField("ssid", title: "Name")])
        let method = PairingMethod(
            "ap",
            title: "Hotspot",
            description: "By hotspot.",
            needs: ["wifi", "cloud"],
            form: form
        )
        #expect(
            method.json == [
                "id": "ap", "title": "Hotspot", "description": "By hotspot.", "needs": ["wifi", "cloud"],
                "form": form.json,
            ]
        )
        #expect(PairingMethod(json: method.json) == method)
        #expect(PairingMethod(json: "ap") == PairingMethod("ap"))
        #expect(PairingMethod("ap").json == ["id": "ap", "title": "ap", "needs": []])
    }
}
