public import JSON

/// A place with rooms and devices.
public struct Home: Equatable, Sendable {
    /// Its stable id.
    public var id: HomeID
    /// What people call it.
    public var name: String
    /// Its rooms, in order of creation.
    public var rooms: [Room]

    /// Describes a home.
    public init(id: HomeID, name: String, rooms: [Room] = []) {
        self.id = id
        self.name = name
        self.rooms = rooms
    }

    /// `{"id","name","rooms":[{"id","name"}]}`.
    public var json: JSON {
        ["id": .string(id.text), "name": .string(name), "rooms": .array(rooms.map(\.json))]
    }
}

/// A room of a home.
public struct Room: Equatable, Sendable {
    /// Its stable id, unique among all homes.
    public var id: RoomID
    /// What people call it.
    public var name: String

    /// Describes a room.
    public init(id: RoomID, name: String) {
        self.id = id
        self.name = name
    }

    /// `{"id","name"}`.
    public var json: JSON { ["id": .string(id.text), "name": .string(name)] }
}
