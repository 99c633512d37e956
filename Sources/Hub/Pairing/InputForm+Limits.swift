import HomeModel
import JSON

extension InputForm {
    /// The largest question that is shown, in bytes of JSON: clients on small devices read it, and brokers carry it.
    static let maxBytes = 48 << 10
    /// Lists of choices are not cut below this.
    private static let fewestChoices = 8

    /// The question within the limits of what is shown: of choices beside which others may be given, only the first ones.
    ///
    /// Nil where it is too large all the same.
    var limited: InputForm? {
        var form = self
        form.error = error?.limited
        while form.json.serialized().count > Self.maxBytes {
            var isCut = false
            for index in form.fields.indices where form.fields[index].allowsOther {
                let count = form.fields[index].choices.count
                guard count > Self.fewestChoices else { continue }
                form.fields[index].choices.removeLast(count - max(count / 2, Self.fewestChoices))
                isCut = true
            }
            if !isCut { return nil }
        }
        return form
    }
}

extension PairingFailure {
    /// The failure with its words within the limits of what is shown.
    var limited: PairingFailure {
        func id(_ text: String) -> String { String(text.prefix(PairingSession.maxStepText)) }
        return PairingFailure(
            PairingCode(rawValue: id(code.rawValue)),
            String(message.prefix(PairingSession.maxMessage)),
            hint: hint.map { String($0.prefix(PairingSession.maxMessage)) },
            vendorCode: vendorCode.map(id),
            step: step.map(id),
            retryFrom: retryFrom.map(id)
        )
    }
}
