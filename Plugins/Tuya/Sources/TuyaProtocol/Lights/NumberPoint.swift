/// A data point that holds a number.
package struct NumberPoint: Hashable, Sendable {
    package var id: Int
    package var range: ValueRange
}
