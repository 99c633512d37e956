/// The vendor's data centres; project, app account and device must be in the same one.
///
/// Source: protocol description, section 9.1.
package enum CloudRegion: String, CaseIterable, Sendable {
    case china = "cn"
    case westernAmerica = "us"
    case easternAmerica = "us-east"
    case centralEurope = "eu"
    case westernEurope = "eu-west"
    case india = "in"
    case singapore = "sg"

    /// The host of its OpenAPI.
    package var host: String {
        switch self {
        case .china: "openapi.tuyacn.com"
        case .westernAmerica: "openapi.tuyaus.com"
        case .easternAmerica: "openapi-ueaz.tuyaus.com"
        case .centralEurope: "openapi.tuyaeu.com"
        case .westernEurope: "openapi-weaz.tuyaeu.com"
        case .india: "openapi.tuyain.com"
        case .singapore: "openapi-sg.iotbing.com"
        }
    }

    /// For a person who chooses.
    package var title: String {
        switch self {
        case .china: "China"
        case .westernAmerica: "Western America"
        case .easternAmerica: "Eastern America"
        case .centralEurope: "Central Europe"
        case .westernEurope: "Western Europe"
        case .india: "India"
        case .singapore: "Singapore"
        }
    }
}
