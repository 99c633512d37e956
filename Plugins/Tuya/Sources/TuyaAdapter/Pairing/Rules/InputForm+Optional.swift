package import HomeModel

extension InputForm {
    /// The same form with nothing required: for what may be given at the start.
    package var optional: InputForm {
        var form = self
        for index in form.fields.indices { form.fields[index].isRequired = false }
        return form
    }
}
