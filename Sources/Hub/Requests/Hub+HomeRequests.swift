import EventLoop
import HomeModel
package import JSON

extension Hub {
    func addHomeRequests() {
        requests.add("home/list") { [unowned self] _ in homesJSON }
        requests.add("home/add", primary: "name") { [unowned self] in
            let name = try checkedName($0)
            let id = HomeID.derived(from: name, isTaken: { id in homes.contains { $0.id == id } }, digest: digest)
            try await commits.commit([.putHome(id: id, name: name)])
            homes.append(Home(id: id, name: name))
            tell { $0.homesChanged() }
            return ["id": .string(id.text), "name": .string(name)]
        }
        requests.add("home/rename") { [unowned self] in
            let home = try home(try $0.string("id"))
            let name = try checkedName($0)
            try await commits.commit([.putHome(id: home.id, name: name)])
            if let index = homes.firstIndex(where: { $0.id == home.id }) { homes[index].name = name }
            tell { $0.homesChanged() }
            return ["id": .string(home.id.text), "name": .string(name)]
        }
        requests.add("home/remove", primary: "id") { [unowned self] in
            let home = try home(try $0.string("id"))
            try await commits.commit([.removeHome(home.id)])
            homes.removeAll { $0.id == home.id }
            leave { $0.home == home.id }
            tell { $0.homesChanged() }
            return ["id": .string(home.id.text)]
        }
        addRoomRequests()
    }

    private func addRoomRequests() {
        requests.add("room/add") { [unowned self] in
            let name = try checkedName($0)
            let home = try homeForRoom($0)
            let id = RoomID.derived(from: name, isTaken: { (try? self.room($0.text)) != nil }, digest: digest)
            let room = Room(id: id, name: name)
            try await commits.commit([.putRoom(room, home: home.id)])
            if let index = homes.firstIndex(where: { $0.id == home.id }) { homes[index].rooms.append(room) }
            tell { $0.homesChanged() }
            return ["id": .string(id.text), "name": .string(name), "home": .string(home.id.text)]
        }
        requests.add("room/rename") { [unowned self] in
            let found = try room(try $0.string("id"))
            let renamed = Room(id: found.room.id, name: try checkedName($0))
            try await commits.commit([.putRoom(renamed, home: found.home)])
            change(found) { $0 = renamed }
            return ["id": .string(renamed.id.text), "name": .string(renamed.name)]
        }
        requests.add("room/remove", primary: "id") { [unowned self] in
            let found = try room(try $0.string("id"))
            try await commits.commit([.removeRoom(found.room.id)])
            change(found) { $0 = nil }
            leave { $0.room == found.room.id }
            return ["id": .string(found.room.id.text)]
        }
    }

    /// `{"homes":[…]}`.
    package var homesJSON: JSONObject { ["homes": .array(homes.map(\.json))] }

    /// The home with an id.
    ///
    /// - Throws: `bad_request`, listing the homes there are.
    func home(_ text: String) throws(CommandError) -> Home {
        guard let home = homes.first(where: { $0.id.text == text }) else {
            throw CommandError(
                .badRequest,
                "No home with id \(text.prefix(64)).",
                hint: "Homes: \(homes.map(\.id.text).joined(separator: ", "))."
            )
        }
        return home
    }

    /// The room with an id, and the home it is in.
    ///
    /// - Throws: `bad_request`, listing the rooms there are.
    func room(_ text: String) throws(CommandError) -> (home: HomeID, room: Room) {
        for home in homes {
            if let room = home.rooms.first(where: { $0.id.text == text }) { return (home.id, room) }
        }
        let known = homes.flatMap(\.rooms).map(\.id.text).joined(separator: ", ")
        throw CommandError(
            .badRequest,
            "No room with id \(text.prefix(64)).",
            hint: known.isEmpty ? "Add one with request room/add." : "Rooms: \(known)."
        )
    }

    private func homeForRoom(_ arguments: RequestArguments) throws(CommandError) -> Home {
        if let id = try arguments.optionalString("home") { return try home(id) }
        guard homes.count == 1, let only = homes.first else {
            throw CommandError(
                .badRequest,
                homes.isEmpty ? "There is no home yet." : "The request needs \"home\".",
                hint: homes.isEmpty ? "Add one with request home/add." : nil
            )
        }
        return only
    }

    private func checkedName(_ arguments: RequestArguments) throws(CommandError) -> String {
        guard let name = DeviceName.cleaned(try arguments.string("name")) else {
            throw CommandError(.badRequest, "A name has 1 to \(DeviceName.maxCharacters) plain characters.")
        }
        return name
    }

    private func change(_ found: (home: HomeID, room: Room), _ body: (inout Room?) -> Void) {
        guard let home = homes.firstIndex(where: { $0.id == found.home }),
            let index = homes[home].rooms.firstIndex(where: { $0.id == found.room.id })
        else { return }
        var room: Room? = homes[home].rooms[index]
        body(&room)
        if let room { homes[home].rooms[index] = room } else { homes[home].rooms.remove(at: index) }
        tell { $0.homesChanged() }
    }

    /// Takes devices out of homes and rooms that are gone; the store has done the same.
    private func leave(_ isAffected: (DeviceRecord) -> Bool) {
        for device in devices where isAffected(device.record) {
            if let home = device.record.home, !homes.contains(where: { $0.id == home }) { device.record.home = nil }
            device.record.room = nil
            tell { $0.deviceChanged(device) }
        }
    }
}
