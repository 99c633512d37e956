/// Names of the modes of a light: ours, and the vendor's behind them.
package enum LightMode {
    package static let white = "white"
    package static let color = "color"
    package static let scene = "scene"
    package static let music = "music"

    static let vendorColour = "colour"

    /// Our name for a vendor's mode; modes that nobody knows keep their name.
    package static func name(vendor: String) -> String {
        if vendor == vendorColour { return color }
        return vendor.hasPrefix("scene") ? scene : vendor
    }
}
