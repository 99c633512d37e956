package import JSON

/// A value in a record's metadata.
///
/// Secrets go in as ``Redacted`` values, by interpolation or ``init(_:)-(Redacted<T>)``, and come out as `<redacted>`.
package struct LogValue: Sendable, Equatable {
    /// The value as sinks see it.
    package let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package init(_ text: String) {
        json = .string(text)
    }

    package init(_ value: Int) {
        json = JSON(value)
    }

    package init(_ value: Double) {
        json = .double(value)
    }

    package init(_ value: Bool) {
        json = .bool(value)
    }

    /// The words of an error, or of anything else that describes itself.
    package init(describing value: some Any) {
        json = .string(String(describing: value))
    }

    package init<Value>(_ secret: Redacted<Value>) {
        json = secret.json
    }
}

extension LogValue: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) {
        self.init(value)
    }
}

extension LogValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) {
        self.init(value)
    }
}

extension LogValue: ExpressibleByFloatLiteral {
    package init(floatLiteral value: Double) {
        self.init(value)
    }
}

extension LogValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) {
        self.init(value)
    }
}
