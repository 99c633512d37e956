package import HomeModel
import JSON

extension InputForm {
    /// The same form with nothing required: for what may be given at the start.
    package var optional: InputForm {
        var form = self
        for index in form.fields.indices { form.fields[index].isRequired = false }
        return form
    }

    /// The same form with what was answered before as its defaults, passwords aside, and what was wrong with that.
    func again(_ error: PairingFailure?, after answer: JSONObject) -> InputForm {
        var form = self
        form.error = error
        for index in form.fields.indices where form.fields[index].kind != .password {
            form.fields[index].fallback = answer[form.fields[index].name]
        }
        return form
    }
}
