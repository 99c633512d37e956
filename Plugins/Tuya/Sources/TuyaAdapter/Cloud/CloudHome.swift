/// A home of the vendor's account.
package struct CloudHome: Equatable, Sendable {
    /// The vendor's id, decimal digits.
    package var id: String
    package var name: String

    /// Describes a home.
    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
