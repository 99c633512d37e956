import TuyaProtocol

extension StreamDecoder {
    /// The next frame; anything else that comes next is thrown.
    mutating func requireFrame(_ protection: FrameProtection) throws -> Frame {
        switch next(protection) {
        case .frame(let frame): frame
        case .failure(let error): throw error
        case .wrongPrefix, nil: throw NoFrame()
        }
    }
}

/// The stream holds no complete frame of its kind.
struct NoFrame: Error {}
