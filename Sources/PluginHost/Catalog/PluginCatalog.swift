import Glibc
package import HomeModel
package import PluginWire

/// The plugins of this machine: what stands in the plugin folders.
package struct PluginCatalog: Sendable {
    /// A plugin that can be started.
    package struct Plugin: Sendable, Equatable {
        /// What its `plugin.json` says.
        package var manifest: PluginManifest
        /// The folder of its `plugin.json`.
        package var folder: String
        /// The absolute path of its executable.
        package var executable: String
    }

    /// A plugin folder that cannot be used.
    package struct Broken: Sendable, Equatable {
        /// The folder of the `plugin.json`.
        package var folder: String
        /// Its id, where that could be read.
        package var id: PluginID?
        /// Why it is passed over.
        package var reason: String
    }

    /// The first plugin found of each id, in the order found.
    package var plugins: [Plugin] = []
    /// What was passed over, in the order found.
    package var broken: [Broken] = []

    /// The plugin with an id.
    package func plugin(_ id: PluginID) -> Plugin? { plugins.first { $0.manifest.id == id } }

    /// Looks through folders for `*/plugin.json`; blocks, so call it through `Loop.offload`.
    ///
    /// - Parameters:
    ///   - folders: searched in order; within one, by name. One that does not exist has no plugins.
    ///   - executables: where a manifest's bare executable name is looked for when it is not in the plugin's own folder.
    package static func search(folders: [String], executables: [String] = []) -> PluginCatalog {
        var catalog = PluginCatalog()
        for folder in folders {
            for name in subfolders(of: folder) { catalog.add(folder + "/" + name, executables) }
        }
        return catalog
    }

    private mutating func add(_ folder: String, _ executables: [String]) {
        let bytes: [UInt8]
        do {
            guard let found = try readSmallFile(folder + "/plugin.json", limit: PluginManifest.maxBytes) else { return }
            bytes = found
        } catch {
            broken.append(Broken(folder: folder, id: nil, reason: error.description))
            return
        }
        let manifest: PluginManifest
        do { manifest = try PluginManifest(bytes: bytes) } catch {
            broken.append(Broken(folder: folder, id: nil, reason: "plugin.json: \(error)"))
            return
        }
        let reject = { (reason: String) in Broken(folder: folder, id: manifest.id, reason: reason) }
        if let first = plugin(manifest.id) {
            broken.append(reject("\(first.folder) has the same id and comes first"))
        } else if ProtocolRange.ours.best(with: manifest.protocols) == nil {
            broken.append(reject("it speaks none of our protocol versions (\(ProtocolRange.ours.versions))"))
        } else if let executable = Self.executable(manifest.executable, folder, executables) {
            plugins.append(Plugin(manifest: manifest, folder: folder, executable: executable))
        } else {
            broken.append(reject("the executable \(manifest.executable) does not exist or is not executable"))
        }
    }

    /// A path inside the plugin's folder, or a bare name in the search path.
    private static func executable(_ name: String, _ folder: String, _ executables: [String]) -> String? {
        var candidates = [folder + "/" + name]
        if !name.contains("/") { candidates += executables.map { $0 + "/" + name } }
        let found = candidates.first { path in
            var facts = stat()
            return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
        }
        // The plugin runs in a folder of its own, from where a relative path leads elsewhere.
        return found.flatMap(absolutePath)
    }

    private static func subfolders(of folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}

/// The absolute path of something that exists, without links.
func absolutePath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// Why a file cannot be read.
private struct FileFault: Error, CustomStringConvertible {
    let description: String
}

/// Reads a whole file, nil where there is none.
private func readSmallFile(_ path: String, limit: Int) throws(FileFault) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw FileFault(description: "plugin.json: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
        let got = bytes.withUnsafeMutableBytes {
            read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
        }
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw FileFault(description: "plugin.json: \(String(cString: strerror(errno)))") }
        guard got > 0 else { break }
        count += got
    }
    guard count <= limit else { throw FileFault(description: "plugin.json is longer than \(limit) bytes") }
    return Array(bytes.prefix(count))
}
