internal import HomeModel

/// `homes` and `rooms`.
enum HomeTable {
    static func put(_ id: HomeID, name: String, _ connection: borrowing Connection) throws(RegistryError) {
        try connection.run(
            "INSERT INTO homes (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            .text(id.text),
            .text(name)
        )
    }

    static func put(_ room: Room, home: HomeID, _ connection: borrowing Connection) throws(RegistryError) {
        try check(home, connection)
        try connection.run(
            """
            INSERT INTO rooms (id, home, name) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET home = excluded.home, name = excluded.name
            """,
            .text(room.id.text),
            .text(home.text),
            .text(room.name)
        )
    }

    /// Removes a home; its rooms go with it and devices lose both (ON DELETE in the schema).
    static func remove(_ home: HomeID, _ connection: borrowing Connection) throws(RegistryError) {
        try connection.run("DELETE FROM homes WHERE id = ?", .text(home.text))
    }

    static func remove(_ room: RoomID, _ connection: borrowing Connection) throws(RegistryError) {
        try connection.run("DELETE FROM rooms WHERE id = ?", .text(room.text))
    }

    /// All homes and rooms, in order of creation.
    static func all(_ connection: borrowing Connection) throws(RegistryError) -> [Home] {
        var rooms: [String: [Room]] = [:]
        let rows = try connection.all("SELECT home, id, name FROM rooms ORDER BY number") { row throws(RegistryError) in
            (home: row.text(0), id: row.text(1), name: row.text(2))
        }
        for row in rows {
            guard let id = RoomID(row.id) else { continue }
            rooms[row.home, default: []].append(Room(id: id, name: row.name))
        }
        return try connection.all("SELECT id, name FROM homes ORDER BY number") { row throws(RegistryError) in
            HomeID(row.text(0)).map { Home(id: $0, name: row.text(1), rooms: rooms[$0.text] ?? []) }
        }
        .compactMap(\.self)
    }

    /// Throws where a home is not there, in better words than a foreign key has.
    static func check(_ home: HomeID, _ connection: borrowing Connection) throws(RegistryError) {
        let found = try connection.first("SELECT 1 FROM homes WHERE id = ?", .text(home.text)) { _ in true }
        guard found == true else { throw .unknown(kind: "home", id: home.text) }
    }

    /// Throws where a room is not there.
    static func check(_ room: RoomID, _ connection: borrowing Connection) throws(RegistryError) {
        let found = try connection.first("SELECT 1 FROM rooms WHERE id = ?", .text(room.text)) { _ in true }
        guard found == true else { throw .unknown(kind: "room", id: room.text) }
    }
}
