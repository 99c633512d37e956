import Config
import Glibc
import HomeModel
import JSON
import PluginHost

/// `lintel config check`: all problems with their lines, those of the plugins' sections, too.
enum ConfigCheck {
    static func run(_ invocation: Invocation, _ terminal: Terminal) -> ExitCode {
        var problems: [String] = []
        var warnings: [String] = []
        do throws(Failure) {
            let path = try ConfigLocation.find(invocation)
            do throws(ConfigProblems) {
                let configuration = try Configuration.load(path: path)
                warnings = configuration.warnings.map(\.description) + Self.warnings(of: configuration.wifi)
                problems = Self.problems(ofPlugins: configuration, &warnings)
            } catch {
                problems = error.problems.map(\.description)
            }
        } catch {
            problems = [error.message]
        }
        if terminal.wantsJSON {
            let result: JSON = [
                "valid": .bool(problems.isEmpty), "problems": .array(problems.map { .string($0) }),
                "warnings": .array(warnings.map { .string($0) }),
            ]
            terminal.line(result.text)
        } else {
            for warning in warnings { terminal.line("\(terminal.paint("warning", .warning)) \(warning)") }
            for problem in problems { terminal.line("\(terminal.paint("error", .bad)) \(problem)") }
            if problems.isEmpty { terminal.line("\(terminal.paint("ok", .good)) the configuration can be used") }
        }
        return problems.isEmpty ? .ok : .configuration
    }

    /// What the radio's settings name and this machine does not have.
    ///
    /// It may come later, so that nothing is refused for it.
    static func warnings(of wifi: WiFiSettings) -> [String] {
        // A name without a folder is looked for among the system's programs.
        guard let program = wifi.command.first, program.contains("/"), access(program, X_OK) != 0 else { return [] }
        return ["wifi.command: \(program) cannot be run: \(String(cString: strerror(errno)))"]
    }

    private static func problems(ofPlugins configuration: Configuration, _ warnings: inout [String]) -> [String] {
        var problems: [String] = []
        let catalog = PluginFolders.catalog(configuration)
        for settings in configuration.plugins.values.sorted(by: { $0.id < $1.id }) where settings.isEnabled {
            guard let plugin = catalog.plugin(settings.id) else {
                problems.append(settings.problem(at: "", message: "there is no such plugin").description)
                continue
            }
            do {
                warnings += try PluginFolders.checked(settings, plugin).warnings.map(\.description)
            } catch let error as ConfigProblems {
                problems += error.problems.map(\.description)
            } catch {
                problems.append("\(error)")
            }
        }
        return problems
    }
}
