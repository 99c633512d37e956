internal import Hub
internal import Log

/// Keeps homes, devices, secrets, last states and retained topics in SQLite.
///
/// All work with the database is done by a thread of its own. Changes and ledger entries are on the disk when their call
/// returns; notes are gathered and written about once a second.
package actor Registry {
    /// Eight hexadecimal digits, made once; tells this installation from others.
    package nonisolated let installationID: String

    nonisolated let notes = Guarded(NoteBuffer())
    private nonisolated let thread: RegistryThread
    private nonisolated let noteInterval: Duration
    let notify: @Sendable (RegistryNotice) -> Void
    private var database: Database?
    private var isClosed = false
    private var isDelayed = false

    /// The registry's own thread.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// Opens the registry of a data directory, or makes it.
    ///
    /// - Parameter notify: takes what a person should read in the log, on the registry's thread, from the opening on.
    /// - Throws: what is wrong, with the file in question untouched.
    package static func open(
        _ options: RegistryOptions,
        notify: @escaping @Sendable (RegistryNotice) -> Void = { _ in }
    ) async throws(RegistryError) -> Registry {
        let opener = Opener()
        return try await opener.open(options, notify: notify)
    }

    /// Lends its thread to the opening, before there is a registry that it could belong to.
    private actor Opener {
        private let thread = RegistryThread()
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

        func open(
            _ options: RegistryOptions,
            notify: @escaping @Sendable (RegistryNotice) -> Void
        ) throws(RegistryError) -> Registry {
            let database = try Database.open(options, notify: notify)
            return Registry(database, thread: thread, options: options, notify: notify)
        }
    }

    private init(
        _ database: consuming Database,
        thread: RegistryThread,
        options: RegistryOptions,
        notify: @escaping @Sendable (RegistryNotice) -> Void
    ) {
        installationID = database.installationID
        self.thread = thread
        self.notify = notify
        noteInterval = options.noteInterval
        self.database = consume database
        thread.onTimer { [weak self] in self?.assumeIsolated { $0.writeNotes() } }
    }

    /// Writes what was noted and closes the database; every later call fails with ``RegistryError/closed``.
    package func close() {
        writeNotes()
        isClosed = true
        guard let database = database.take() else { return }
        database.close()
    }

    /// Calls `body` with the open database.
    func withDatabase<T>(_ body: (borrowing Database) throws(RegistryError) -> T) throws(RegistryError) -> T {
        switch database {
        case .some(let database): return try body(database)
        case .none: throw .closed
        }
    }

    // MARK: Notes

    nonisolated func take(_ note: HouseNote) {
        let isFirst = notes.withLock { notes in
            defer { notes.add(note) }
            return notes.isEmpty
        }
        if isFirst { thread.startTimer(after: noteInterval) }
    }

    /// Writes all notes in one transaction; where that fails they wait for the next time.
    func writeNotes() {
        let taken = notes.withLock { $0.take() }
        guard !taken.isEmpty, !isClosed else { return }
        do {
            let missed = try withDatabase { database throws(RegistryError) in
                try NoteTable.write(taken, to: database.connection)
            }
            if isDelayed {
                isDelayed = false
                notify(.notesResumed(lost: taken.droppedCommands))
            }
            guard !missed.isEmpty else { return }
            notes.withLock { notes in for (device, state) in missed { notes.putBackMissed(device, state) } }
        } catch {
            notes.withLock { $0.putBack(taken) }
            if !isDelayed {
                isDelayed = true
                notify(.notesDelayed(error))
            }
        }
        if notes.withLock({ !$0.isEmpty }) { thread.startTimer(after: isDelayed ? noteInterval * 5 : noteInterval) }
    }
}
