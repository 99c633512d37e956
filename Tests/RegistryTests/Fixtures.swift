import HomeModel
import Hub
import JSON
import Registry
import Log
import Testing

/// An id that the test knows to be one.
func deviceID(_ text: String) throws -> DeviceID { try #require(DeviceID(text)) }

func tuya() throws -> PluginID { try #require(PluginID("tuya")) }

/// A lamp with everything that a record can hold.
func record(_ id: String, vendorID: String? = nil, createdAt: Int64 = 1_700_000_000_000) throws -> DeviceRecord {
    let vendorID = VendorID(vendorID ?? "bf-\(id)")
    var description = DeviceDescription(vendorID: vendorID, name: "Lamp \(id)", kind: .light, manufacturer: "Tuya")
    description.properties = [
        PropertyDescription("power", title: "Power", role: .power, schema: .boolean),
        PropertyDescription("brightness", title: "Brightness", role: .brightness, schema: .integer(0...255)),
        PropertyDescription(
            "color",
            title: "Color",
            role: .color,
            schema: .object([.init("h", .integer(0...360)), .init("s", .integer(0...100))])
        ),
    ]
    return DeviceRecord(
        id: try deviceID(id),
        plugin: try tuya(),
        vendorID: vendorID,
        description: description,
        createdAt: Timestamp(milliseconds: createdAt)
    )
}

/// Collects notices.
final class Notices: Sendable {
    private let kept = Guarded<[RegistryNotice]>([])

    var all: [RegistryNotice] { kept.withLock { $0 } }

    func take(_ notice: RegistryNotice) { kept.withLock { $0.append(notice) } }
}

/// Runs `body` with an open registry, and closes it.
func withRegistry<T: Sendable>(
    _ directory: String,
    notices: Notices = Notices(),
    change: (inout RegistryOptions) -> Void = { _ in },
    _ body: (Registry) async throws -> T
) async throws -> T {
    var options = RegistryOptions(directory: directory)
    options.credentialsDirectory = nil
    // Tests flush by themselves.
    options.noteInterval = .seconds(3600)
    change(&options)
    let registry = try await Registry.open(options) { notices.take($0) }
    do {
        let result = try await body(registry)
        await registry.close()
        return result
    } catch {
        await registry.close()
        throw error
    }
}

/// What opening the registry of a directory throws.
func failure(
    opening directory: String,
    change: (inout RegistryOptions) -> Void = { _ in }
) async -> RegistryError? {
    var options = RegistryOptions(directory: directory)
    options.credentialsDirectory = nil
    change(&options)
    do {
        await (try Registry.open(options)).close()
        return nil
    } catch {
        return error
    }
}
