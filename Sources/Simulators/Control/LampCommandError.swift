/// Why a line of the control channel was not carried out.
package enum LampCommandError: Error, Equatable, Sendable {
    case notJSON(String)
    /// Neither a number from 1 on, nor a device id, nor `all`.
    case noSuchLamp(String)
    case unknownFault(String)
    case missing(String)
    case refused(String)
    case nothingToDo

    /// What to tell the person at the console.
    package var message: String {
        switch self {
        case .notJSON(let detail): "not a JSON object: \(detail); type help for examples"
        case .noSuchLamp(let name): "no lamp \(name); use a number from 1 on, a device id, or \"all\""
        case .unknownFault(let name): "no fault \"\(name)\"; type help for the list"
        case .missing(let name): "\"\(name)\" is missing or of the wrong type"
        case .refused(let detail): detail
        case .nothingToDo: "nothing to do: give \"set\", \"change\", \"fault\" or \"show\""
        }
    }
}
