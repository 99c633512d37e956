/// The data points of a product.
package struct DeviceSchema: Equatable, Sendable {
    /// Vendor category, such as `dj` for lights.
    package var category: String?
    /// In ascending order of their ids, each id once.
    package private(set) var points: [DataPointSchema]

    /// A schema of given points; the last of several with the same id counts.
    package init(category: String? = nil, points: [DataPointSchema]) {
        self.category = category
        var unique: [Int: DataPointSchema] = [:]
        for point in points { unique[point.id] = point }
        self.points = unique.values.sorted { $0.id < $1.id }
    }

    /// What is known about one point.
    package subscript(id: Int) -> DataPointSchema? { points.first { $0.id == id } }

    /// The first point that has one of the codes, in the order of the codes.
    package func point(code codes: String...) -> DataPointSchema? {
        for code in codes {
            if let point = points.first(where: { $0.code == code }) { return point }
        }
        return nil
    }
}
