// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"), .enableUpcomingFeature("ImmutableWeakCaptures"),
]
/// Targets that touch C memory are also checked for unmarked unsafe code.
let wrapsC = strict + [.strictMemorySafety()]

/// A C library behind a module map and a shim header, and nothing else.
func cLibrary(_ name: String, pkgConfig: String, debian: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([debian])])
}

func library(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    path: String? = nil,
    documents: [String] = [],
    settings: [SwiftSetting] = strict
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: path ?? "Sources/\(name)",
        exclude: documents,
        swiftSettings: settings
    )
}

func program(
    _ name: String,
    _ dependencies: [Target.Dependency],
    path: String,
    exclude: [String] = [],
    settings: [SwiftSetting] = strict
)
    -> Target
{
    .executableTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: settings)
}

func tests(
    _ name: String,
    _ dependencies: [Target.Dependency],
    path: String? = nil,
    exclude: [String] = [],
    resources: [Resource] = []
)
    -> Target
{
    .testTarget(
        name: name,
        dependencies: dependencies,
        path: path ?? "Tests/\(name)",
        exclude: exclude,
        resources: resources,
        swiftSettings: strict
    )
}

let package = Package(
    name: "lintel",
    targets: [
        cLibrary("CUV", pkgConfig: "libuv", debian: "libuv1-dev"),
        cLibrary("CMosquitto", pkgConfig: "libmosquitto", debian: "libmosquitto-dev"),
        cLibrary("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
        cLibrary("CCrypto", pkgConfig: "libcrypto", debian: "libssl-dev"),
        cLibrary("CYAML", pkgConfig: "yaml-0.1", debian: "libyaml-dev"),
        cLibrary("CTLS", pkgConfig: "libssl", debian: "libssl-dev"),
        // Without pkg-config, which would link what is loaded when it is needed.
        .systemLibrary(name: "CCurl", path: "Sources/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),

        library("JSON"),
        library("HomeModel", ["JSON"]),
        library("EventLoop", ["CUV"], settings: wrapsC),
        library("Crypto", ["CCrypto"], settings: wrapsC),
        library("Log", ["JSON"]),
        library("DeviceInterface", ["EventLoop", "HomeModel", "JSON"]),
        library("PluginWire", ["HomeModel", "JSON"], documents: ["PROTOCOL.md"]),
        library("PluginKit", ["DeviceInterface", "EventLoop", "HomeModel", "JSON", "Log", "PluginWire"]),
        library("PluginHost", ["DeviceInterface", "EventLoop", "HomeModel", "JSON", "Log", "PluginWire"]),
        library("Hub", ["DeviceInterface", "EventLoop", "HomeModel", "JSON", "Log"]),
        library("Registry", ["Crypto", "CSQLite", "HomeModel", "Hub", "JSON", "Log"], settings: wrapsC),
        library("MQTT", ["CMosquitto", "EventLoop"], settings: wrapsC),
        library("MQTTBridge", ["EventLoop", "HomeModel", "Hub", "JSON", "Log", "MQTT"], documents: ["TOPICS.md"]),
        library("TLS", ["CTLS", "Crypto", "EventLoop"], settings: wrapsC),
        library("HTTPClient", ["CCurl", "EventLoop"], settings: wrapsC),
        library(
            "WiFiLink",
            ["DeviceInterface", "EventLoop", "HomeModel", "Hub", "JSON", "Log"],
            documents: ["WIFI.md"]
        ),
        library("Config", ["CYAML", "HomeModel", "JSON", "Log"], settings: wrapsC),

        library("TuyaProtocol", ["Crypto", "JSON"], path: "Plugins/Tuya/Sources/TuyaProtocol"),
        library(
            "TuyaAdapter",
            [
                "Crypto", "DeviceInterface", "EventLoop", "HTTPClient", "HomeModel", "JSON", "Log", "PluginKit", "TLS",
                "TuyaProtocol",
            ],
            path: "Plugins/Tuya/Sources/TuyaAdapter"
        ),
        program(
            "lintel-plugin-tuya",
            ["EventLoop", "PluginKit", "TuyaAdapter"],
            path: "Plugins/Tuya/Sources/TuyaPlugin"
        ),

        library("Simulators", ["Crypto", "EventLoop", "HTTPClient", "JSON", "TLS", "TuyaProtocol"]),
        program(
            "lintel-simulator",
            ["EventLoop", "JSON", "Simulators", "TuyaProtocol"],
            path: "Sources/SimulatorProgram"
        ),
        program(
            "lintel",
            [
                "Config", "Crypto", "DeviceInterface", "EventLoop", "HomeModel", "Hub", "JSON", "Log", "MQTT",
                "MQTTBridge", "PluginHost", "PluginWire", "Registry", "WiFiLink",
            ],
            path: "Sources/lintel"
        ),
        program(
            "lintel-bench",
            ["EventLoop", "JSON", "MQTT", "Simulators", "TuyaProtocol"],
            path: "Sources/Bench",
            exclude: ["README.md", "Results"]
        ),

        .executableTarget(
            name: "lintel-bench-floor",
            dependencies: ["CCrypto", "CMosquitto"],
            path: "Sources/BenchFloor",
            linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("mosquitto")]
        ),

        library("TestSupport", ["DeviceInterface", "EventLoop", "HomeModel", "Hub", "JSON", "Log"]),
        program(
            "lintel-plugin-fake",
            ["DeviceInterface", "EventLoop", "HomeModel", "JSON", "PluginKit", "TestSupport"],
            path: "Sources/FakePlugin",
            exclude: ["plugin.json"]
        ),
        tests("JSONTests", ["JSON"]),
        tests("EventLoopTests", ["EventLoop", "TestSupport"]),
        tests("CryptoTests", ["Crypto"]),
        tests("TLSTests", ["Crypto", "EventLoop", "TLS", "TestSupport"], exclude: ["Scripts"]),
        tests("HTTPClientTests", ["EventLoop", "HTTPClient", "JSON", "Simulators", "TestSupport"]),
        program(
            "lintel-wifi-mover",
            ["DeviceInterface", "EventLoop", "HomeModel", "Hub", "JSON", "Log", "WiFiLink"],
            path: "Tests/WiFiMover"
        ),
        tests(
            "WiFiLinkTests",
            [
                "DeviceInterface", "EventLoop", "HomeModel", "Hub", "JSON", "Log", "TestSupport", "WiFiLink",
                "lintel-wifi-mover",
            ]
        ),
        tests("LogTests", ["JSON", "Log"]),
        tests("HomeModelTests", ["HomeModel", "JSON"]),
        tests("PluginWireTests", ["HomeModel", "JSON", "PluginWire", "TestSupport"]),
        tests(
            "PluginKitTests",
            ["DeviceInterface", "EventLoop", "HomeModel", "JSON", "PluginKit", "PluginWire", "TestSupport"]
        ),
        tests(
            "PluginHostTests",
            [
                "DeviceInterface", "EventLoop", "HomeModel", "JSON", "Log", "PluginHost", "PluginKit", "PluginWire",
                "TestSupport", "lintel-plugin-fake",
            ]
        ),
        tests("HubTests", ["DeviceInterface", "EventLoop", "HomeModel", "Hub", "JSON", "Log", "TestSupport"]),
        program(
            "lintel-registry-writer",
            ["HomeModel", "Hub", "JSON", "Registry"],
            path: "Tests/RegistryWriter"
        ),
        tests(
            "RegistryTests",
            ["HomeModel", "Hub", "JSON", "Log", "Registry", "TestSupport", "lintel-registry-writer"]
        ),
        tests("MQTTTests", ["EventLoop", "MQTT", "TestSupport"]),
        tests(
            "MQTTBridgeTests",
            ["EventLoop", "HomeModel", "Hub", "JSON", "Log", "MQTT", "MQTTBridge", "TestSupport"]
        ),
        tests("ConfigTests", ["Config", "HomeModel", "JSON", "Log"]),
        tests(
            "TuyaProtocolTests",
            ["Crypto", "JSON", "TuyaProtocol"],
            path: "Plugins/Tuya/Tests/TuyaProtocolTests"
        ),
        tests(
            "TuyaAdapterTests",
            [
                "Crypto", "DeviceInterface", "EventLoop", "HTTPClient", "HomeModel", "JSON", "Log", "Simulators", "TLS",
                "TestSupport", "TuyaAdapter", "TuyaProtocol",
            ],
            path: "Plugins/Tuya/Tests/TuyaAdapterTests",
            exclude: ["Scripts"]
        ),
        tests(
            "SimulatorsTests",
            ["Crypto", "EventLoop", "HTTPClient", "JSON", "Simulators", "TLS", "TestSupport", "TuyaProtocol"],
            exclude: ["Scripts"]
        ),
        tests("BenchTests", ["lintel-bench"]),
        tests("ProgramTests", ["Config", "HomeModel", "JSON", "TestSupport", "lintel"]),
        tests(
            "IntegrationTests",
            [
                "EventLoop", "JSON", "MQTT", "Simulators", "TestSupport", "TuyaProtocol", "lintel",
                "lintel-plugin-tuya",
                "lintel-simulator",
            ]
        ),
    ]
)

// Fuzz programs need libFuzzer and coverage in all modules, so they exist only when asked for: Sources/Fuzz/run.sh.
// Another one: Sources/Fuzz/<Folder> with a FuzzTarget and Seeds, and a line here named fuzz-<folder in lower case>.
if Context.environment["LINTEL_FUZZ"] == "1" {
    func fuzz(_ name: String, _ dependencies: [Target.Dependency], folder: String) -> Target {
        .executableTarget(
            name: name,
            dependencies: dependencies + ["FuzzSupport"],
            path: "Sources/Fuzz/\(folder)",
            exclude: ["Seeds"],
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        )
    }
    package.targets += [
        library("FuzzSupport", path: "Sources/Fuzz/Support"),
        fuzz("fuzz-json", ["JSON"], folder: "JSON"),
        fuzz("fuzz-frame", ["Crypto", "TuyaProtocol"], folder: "Frame"),
        fuzz("fuzz-beacon", ["JSON", "TuyaProtocol"], folder: "Beacon"),
        fuzz("fuzz-lines", ["HomeModel", "JSON", "PluginWire"], folder: "Lines"),
    ]
}
