import HomeModel
import PluginHost
import PluginWire
import TestSupport
import Testing

@Suite("PluginCatalog")
struct PluginCatalogTests {
    private static func manifest(_ id: String, executable: String = "run", protocols: String = "[1]") -> String {
        """
        {"id":"\(id)","name":"N","version":"1","protocols":\(protocols),"executable":"\(executable)","vendor":"V",
        "description":"D"}
        """
    }

    @Test("plugins are found in the order of the folders, and the first of an id wins")
    func order() throws {
        let (one, two) = (try TemporaryFolder(), try TemporaryFolder())
        for (folder, names) in [(one, ["b", "a"]), (two, ["a", "c"])] {
            for name in names {
                try folder.put(Self.manifest(name), at: "\(name)/plugin.json")
                try folder.put("", at: "\(name)/run", mode: 0o755)
            }
        }
        let catalog = PluginCatalog.search(folders: ["/nowhere", one.path, two.path])
        #expect(catalog.plugins.map(\.manifest.id.text) == ["a", "b", "c"])
        #expect(catalog.plugins.first?.executable == one.path + "/a/run")
        #expect(catalog.broken.map(\.folder) == [two.path + "/a"])
        #expect(catalog.broken.first?.reason == "\(one.path)/a has the same id and comes first")
    }

    @Test(
        "a broken plugin is reported and does not hide the others",
        arguments: [
            ("{", "plugin.json: it is not JSON"), (manifest("A"), "\"id\" must be"),
            (manifest("x", executable: "../run"), "\"executable\""),
            (manifest("x", executable: "gone"), "does not exist"),
            (manifest("x", executable: "text"), "is not executable"),
            (manifest("x", executable: "sub"), "does not exist"),
            (manifest("x", protocols: "[2,3]"), "protocol versions"),
            (String(repeating: " ", count: PluginManifest.maxBytes + 1), "longer than"),
        ]
    )
    func broken(text: String, reason: String) throws {
        let folder = try TemporaryFolder()
        try folder.put(text, at: "broken/plugin.json")
        try folder.put("", at: "broken/text", mode: 0o644)
        try folder.put("", at: "broken/sub/file")
        try folder.put(Self.manifest("good"), at: "good/plugin.json")
        try folder.put("", at: "good/run", mode: 0o755)
        try folder.put("", at: "no-plugin/readme")
        let catalog = PluginCatalog.search(folders: [folder.path])
        #expect(catalog.plugins.map(\.manifest.id.text) == ["good"])
        #expect(catalog.broken.count == 1)
        #expect(catalog.broken.first?.reason.contains(reason) == true, "\(catalog.broken)")
    }

    @Test("a bare executable name is looked for in the search path, a path is not")
    func searchPath() throws {
        let (folder, builds) = (try TemporaryFolder(), try TemporaryFolder())
        try builds.put("", at: "program", mode: 0o755)
        try builds.put("", at: "bin/program", mode: 0o755)
        try folder.put(Self.manifest("a", executable: "program"), at: "a/plugin.json")
        try folder.put(Self.manifest("b", executable: "bin/program"), at: "b/plugin.json")
        let catalog = PluginCatalog.search(folders: [folder.path], executables: ["/nowhere", builds.path])
        #expect(catalog.plugins.map(\.executable) == [builds.path + "/program"])
        #expect(catalog.broken.compactMap(\.id?.text) == ["b"])
    }
}
