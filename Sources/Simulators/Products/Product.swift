package import JSON

/// A simulated product: its data points and its name in the vendor's catalogue.
package struct Product: Sendable, Equatable {
    /// A short name for people, for example `RGBCW light, generation 2`.
    package let name: String
    /// The vendor's category, for example `dj` for a light.
    package let category: String
    /// What beacons carry as `productKey`.
    package let productKey: String
    /// In ascending order of their ids.
    package let points: [DataPoint]
    /// A number of seconds that counts down and switches another point over when it reaches zero.
    package let countdown: Countdown?

    /// Which point counts down and which one it switches.
    package struct Countdown: Sendable, Equatable {
        package let point: Int
        package let switches: Int

        package init(point: Int, switches: Int) {
            self.point = point
            self.switches = switches
        }
    }

    package init(
        name: String,
        category: String,
        productKey: String,
        points: [DataPoint],
        countdown: Countdown? = nil
    ) {
        self.name = name
        self.category = category
        self.productKey = productKey
        self.points = points.sorted { $0.id < $1.id }
        self.countdown = countdown
    }

    /// The data point with this id.
    package func point(_ id: Int) -> DataPoint? { points.first { $0.id == id } }

    /// The values that the device holds at its first start.
    package var initialValues: [Int: JSON] {
        var values: [Int: JSON] = [:]
        for point in points where point.transfer != .sendOnly { values[point.id] = point.initial }
        return values
    }
}
