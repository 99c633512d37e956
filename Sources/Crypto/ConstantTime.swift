/// Comparison whose duration says nothing about where two secrets differ.
package enum ConstantTime {
    /// Whether both hold the same bytes; only the lengths influence the duration.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        equal(left[...], right[...])
    }

    /// Whether both hold the same bytes; only the lengths influence the duration.
    package static func equal(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        var other = right.startIndex
        for byte in left {
            difference |= byte ^ right[other]
            other += 1
        }
        return difference == 0
    }
}
