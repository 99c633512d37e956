/// A data point that holds a colour.
package struct ColourPoint: Hashable, Sendable {
    package var id: Int
    package var encoding: ColourEncoding
}
