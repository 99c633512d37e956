import EventLoop
import Glibc
import HomeModel
import JSON

/// A pairing on a terminal: one screen that is drawn again in place.
@Loop
final class LiveStage: PairingStage {
    private let terminal: Terminal
    private let keyboard: Keyboard?
    private let glyphs: Glyphs
    private var screen: PairingScreen
    private var region = LiveRegion()
    private var drawn: (picture: PairingScreen.Picture, size: ScreenSize)?
    private var frame = 0
    private var timer: LoopTimer?
    private var watches: [SignalWatch] = []
    private var buffer = LineBuffer()
    private var answer: (@Loop (JSONObject?) -> Void)?

    /// - Parameter keyboard: nil where nobody can be asked.
    init(_ title: String, terminal: Terminal, keyboard: Keyboard?, glyphs: Glyphs) {
        self.terminal = terminal
        self.keyboard = keyboard
        self.glyphs = glyphs
        screen = PairingScreen(title: title)
        TerminalMode.willDraw()
        keyboard?.onBytes = { [weak self] in self?.typed($0) }
        keyboard?.onEnd = { [weak self] in self?.end(nil) }
        keyboard?.change(to: .keys)
        watch(SIGWINCH) { [weak self] in self?.draw() }
        watch(SIGTSTP) { [weak self] in self?.suspend() }
        timer = LoopTimer(after: .milliseconds(100), every: .milliseconds(100)) { [weak self] in self?.turn() }
    }

    var canAsk: Bool { keyboard != nil }

    func show(_ report: SessionReport?, notice: String?) {
        screen.report = report
        screen.notice = notice
        draw()
    }

    func ask(_ form: InputForm, known: JSONObject, answer: @escaping @Loop (JSONObject?) -> Void) {
        screen.dialogue = FormDialogue(form, known: known)
        self.answer = answer
        buffer.clear()
        draw()
    }

    func stopAsking() {
        screen.dialogue = nil
        answer = nil
        buffer.clear()
        draw()
    }

    func complain(_ message: String, hint: String?) {
        terminal.put(region.finish())
        drawn = nil
        terminal.complain(terminal.paint(Cells.clean(message), .bad))
        if let hint { terminal.complain(hint) }
    }

    func finish(_ outcome: PairingOutcome) {
        timer = nil
        watches = []
        screen.dialogue = nil
        draw()
        terminal.put(region.finish())
        keyboard?.change(to: .original)
    }

    // MARK: Typing

    private func typed(_ bytes: [UInt8]) {
        // What is typed before it is asked for is meant for nothing.
        guard screen.dialogue != nil else { return }
        for step in buffer.type(bytes) {
            switch step {
            case .changed: break
            case .ended: return end(nil)
            case .entered(let text):
                guard let answers = screen.dialogue?.enter(text) else { continue }
                return end(answers)
            }
        }
        draw()
    }

    private func end(_ answers: JSONObject?) {
        let answer = answer
        stopAsking()
        answer?(answers)
    }

    // MARK: Drawing

    private func turn() {
        frame += 1
        draw()
    }

    private func draw() {
        screen.typed = buffer.text
        let size = ScreenSize.of(STDOUT_FILENO)
        let terminal = terminal
        let picture = screen.picture(size: size, glyphs: glyphs, frame: frame, now: .now) {
            terminal.paint($0, $1)
        }
        if let drawn, drawn.picture == picture, drawn.size == size { return }
        drawn = (picture, size)
        terminal.put(region.draw(picture.lines, cursor: picture.cursor, columns: size.columns))
    }

    // MARK: Signals

    private func watch(_ signal: Int32, _ body: @escaping @Loop () -> Void) {
        // Without a watch the screen is a little late after a change of its size.
        if let watch = try? SignalWatch(signal, body) { watches.append(watch) }
    }

    /// Ctrl-Z: the shell gets its terminal back until it lets us go on.
    private func suspend() {
        terminal.put(region.finish())
        TerminalMode.restore()
        raise(SIGSTOP)
        keyboard?.apply()
        drawn = nil
        draw()
    }
}
