/// A password that shows itself to nobody but libmosquitto.
package struct MQTTPassword: Sendable, Hashable {
    let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension MQTTPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
