import EventLoop
import JSON

/// The models of products in use; devices that are alike share one, and it goes with the last of them.
@Loop
final class ProductCatalog {
    private struct Entry {
        weak var model: ProductModel?
    }

    private var entries: [ProductModel.Source: Entry] = [:]

    /// The model for a device with these settings that has shown these data points.
    func model(for settings: DeviceSettings, seen: [Int: SeenType]) -> ProductModel {
        let source = ProductModel.Source(settings, seen: seen)
        if let model = entries[source]?.model { return model }
        entries = entries.filter { $0.value.model != nil }
        let model = ProductModel(source, settings: settings)
        entries[source] = Entry(model: model)
        return model
    }
}

extension ProductModel.Source {
    /// What the model of a device with these settings is made of.
    package init(_ settings: DeviceSettings, seen: [Int: SeenType]) {
        schema = settings.schema?.text
        category = settings.category
        mayBeLight = settings.mayBeLight
        lightKind = settings.light.kind
        generation = settings.light.generation
        kelvin = settings.light.kelvin
        isTemperatureReversed = settings.light.isTemperatureReversed
        scenes = settings.light.scenes.flatMap { [$0.name, $0.data] }
        phasePoints = settings.phasePoints
        phasePowerIsSigned = settings.phasePowerIsSigned
        self.seen = seen
    }
}
