import DeviceInterface
package import HomeModel
import JSON
package import PluginWire

/// What an adapter tells the gateway, before it is put into bytes, so that it can still be coalesced.
package enum Report {
    case state(StateNote)
    case event(EventNote)
    case connectivity(ConnectivityNote)
    /// `isNew`: whether the gateway has not been told of the device in this run.
    case described(DescribedNote, isNew: Bool)
    case removed(VendorID)
    case progress(ProgressNote)
    case status(StatusNote)
    case log(LogNote)

    /// The device that it is about.
    package var device: VendorID? {
        switch self {
        case .state(let note): note.device
        case .event(let note): note.device
        case .connectivity(let note): note.device
        case .described(let note, _): note.description.vendorID
        case .removed(let device): device
        case .status, .log, .progress: nil
        }
    }

    /// The notification as a line.
    package var line: [UInt8] {
        switch self {
        case .state(let note): note.line
        case .event(let note): PluginNote.event(note).line
        case .connectivity(let note): PluginNote.connectivity(note).line
        case .described(let note, true): PluginNote.added(note).line
        case .described(let note, false): PluginNote.changed(note).line
        case .removed(let device): PluginNote.removed(device).line
        case .progress(let note): PluginNote.progress(note).line
        case .status(let note): PluginNote.status(note).line
        case .log(let note): PluginNote.log(note).line
        }
    }
}
