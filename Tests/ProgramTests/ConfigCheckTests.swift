import Config
import Testing

@testable import lintel

@Suite("Checking a configuration")
struct ConfigCheckTests {
    @Test(
        "warns of a program for the radio that cannot be run",
        arguments: [
            (
                ["/nonexistent/radio", "--air"],
                ["wifi.command: /nonexistent/radio cannot be run: No such file or directory"]
            ),
            (["/bin/sh"], []), (["radio"], []), ([], []),
        ]
    )
    func command(_ command: [String], _ warnings: [String]) {
        var wifi = WiFiSettings()
        wifi.command = command
        #expect(ConfigCheck.warnings(of: wifi) == warnings)
    }
}
