import EventLoop
import HomeModel
import Hub

/// Looks whether a pairing could move the radio now.
@Loop
struct Preflight {
    let options: WiFiOptions
    let ways: WiFiWays
    /// Whether the radio is at rest.
    let mayScan: Bool

    /// One finding each for `way`, `radio`, `home_link`, `band` (unless the radio moves just now) and `journal`.
    ///
    /// - Parameter whereabouts: asked at the end: what has moved, and why it is not back though it should be.
    func findings(
        _ whereabouts: @Loop () -> (away: MoveRecord?, pending: WiFiError?)
    ) async -> [WiFiFinding] {
        let way: any WiFiWay
        do throws(WiFiError) {
            way = try await ways.chosen()
        } catch {
            let (away, pending) = whereabouts()
            return [WiFiFinding(.failure, check: "way", error.words), Self.journal(away, pending)]
        }
        var findings = [Self.way(way, ways.reason)]
        do throws(WiFiError) {
            let interface = try await way.radio()
            findings.append(WiFiFinding(.ok, check: "radio", "The radio is \(interface)."))
            findings.append(await homeLink(way, interface))
            if mayScan { findings.append(await Self.band(way)) }
        } catch {
            let hint = error.commandError.hint ?? "Plug a Wi-Fi adapter in, or switch the radio on (rfkill list)."
            findings.append(WiFiFinding(.failure, check: "radio", error.words, hint: hint))
        }
        let (away, pending) = whereabouts()
        findings.append(Self.journal(away, pending))
        return findings
    }

    private static func way(_ way: any WiFiWay, _ reason: String) -> WiFiFinding {
        let isManual = way.name == WiFiOptions.Way.manual.rawValue
        let words =
            switch WiFiOptions.Way(rawValue: way.name) {
            case .manual: "A person moves the radio"
            case .command: "A program of the operator's moves the radio"
            default: "\(way.name) moves the radio"
            }
        let hint = "Run NetworkManager or wpa_supplicant, or set wifi.command, and it moves by itself."
        return WiFiFinding(
            isManual ? .warning : .ok,
            check: "way",
            "\(words): \(reason).",
            hint: isManual ? hint : nil
        )
    }

    private func homeLink(_ way: any WiFiWay, _ radio: String) async -> WiFiFinding {
        if let home = options.homeInterface {
            if home != radio, Interface.isUp(home) {
                return WiFiFinding(.ok, check: "home_link", "\(home) leads home while \(radio) is away.")
            }
            return WiFiFinding(
                .failure,
                check: "home_link",
                home == radio ? "\(home) is the radio itself." : "\(home) is down or has no address.",
                hint: "Connect \(home), or set wifi.home_interface to the interface that leads home."
            )
        }
        let survives: Bool
        if let told = await way.homeSurvives() {
            survives = told
        } else {
            survives = DefaultRoute.all().contains { $0.interface != radio && Interface.isUp($0.interface) }
        }
        if survives { return WiFiFinding(.ok, check: "home_link", "The home network stays in reach meanwhile.") }
        return WiFiFinding(
            .warning,
            check: "home_link",
            "The radio is the only way home: a broker or cloud out there is out of reach while it is away.",
            hint: "Connect the gateway by cable as well; it works without, for the time of a hotspot."
        )
    }

    private static func band(_ way: any WiFiWay) async -> WiFiFinding {
        let seen: [WiFiSighting]
        do throws(WiFiError) {
            seen = try await way.scan()
        } catch .cannotScan {
            return WiFiFinding(
                .ok,
                check: "band",
                "Networks are not listed in this way; most devices take 2.4 GHz only."
            )
        } catch {
            return WiFiFinding(
                .warning,
                check: "band",
                "The scan failed: \(error.words)",
                hint: error.commandError.hint
            )
        }
        if seen.contains(where: { $0.is2GHz != false }) {
            return WiFiFinding(.ok, check: "band", "Networks of 2.4 GHz are in reach.")
        }
        return WiFiFinding(
            .warning,
            check: "band",
            seen.isEmpty ? "No network is in reach." : "No network of 2.4 GHz is in reach.",
            hint: "Most devices know 2.4 GHz only: switch that band on in the access point, and check the antenna."
        )
    }

    private static func journal(_ away: MoveRecord?, _ pending: WiFiError?) -> WiFiFinding {
        if let pending {
            return WiFiFinding(
                .failure,
                check: "journal",
                "The radio is not back\(away.map { " from \"\($0.ssid)\"" } ?? ""): \(pending.words)",
                hint: pending.commandError.hint ?? "It is tried again and again; or join the home network by hand."
            )
        }
        if let away {
            return WiFiFinding(.warning, check: "journal", "The radio is in \"\(away.ssid)\" for \(away.session).")
        }
        return WiFiFinding(.ok, check: "journal", "The radio is where it belongs.")
    }
}
