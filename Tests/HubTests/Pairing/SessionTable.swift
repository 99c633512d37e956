/// What every event does in every state that is not the end: the place after it, and the outputs.
enum SessionTable {
    static let text = """
        fresh
            started running publish
            refused closing-failed publish,close+tell
            works running publish
            asks asking publish
            succeeds closing-succeeded publish,close
            fails closing-failed publish,close
            gaveUp closing-cancelled publish,close
            answer running refuse:bad_request
            wrongAnswer running refuse:bad_request
            radioAnswer running refuse:bad_request
            answerRefused running -
            radioAsks radio publish
            radioSettled running -
            cancel closing-cancelled publish,close+tell
            stop closing-failed publish,close+tell
            pluginDown closing-failed publish,close
            tick running -
            overdue closing-expired publish,close+tell
            registered running -
            lost running -
            closed running -
        running
            started running publish
            refused closing-failed publish,close+tell
            works running publish
            asks asking publish
            succeeds closing-succeeded publish,close
            fails closing-failed publish,close
            gaveUp closing-cancelled publish,close
            answer running refuse:bad_request
            wrongAnswer running refuse:bad_request
            radioAnswer running refuse:bad_request
            answerRefused running -
            radioAsks radio publish
            radioSettled running -
            cancel closing-cancelled publish,close+tell
            stop closing-failed publish,close+tell
            pluginDown closing-failed publish,close
            tick running -
            overdue closing-expired publish,close+tell
            registered running -
            lost running -
            closed running -
        asking
            started asking publish
            refused closing-failed publish,close+tell
            works running publish
            asks asking publish
            succeeds closing-succeeded publish,close
            fails closing-failed publish,close
            gaveUp closing-cancelled publish,close
            answer running plugin,publish
            wrongAnswer asking refuse:bad_request
            radioAnswer asking refuse:bad_request
            answerRefused asking -
            radioAsks radio publish
            radioSettled asking -
            cancel closing-cancelled publish,close+tell
            stop closing-failed publish,close+tell
            pluginDown closing-failed publish,close
            tick asking -
            overdue closing-expired publish,close+tell
            registered asking -
            lost asking -
            closed asking -
        radioAsking
            started radio publish
            refused closing-failed abandon,publish,close+tell
            works radio publish
            asks radio publish
            succeeds closing-succeeded abandon,publish,close
            fails closing-failed abandon,publish,close
            gaveUp closing-cancelled abandon,publish,close
            answer radio refuse:bad_request
            wrongAnswer radio refuse:bad_request
            radioAnswer running radio,publish
            answerRefused radio -
            radioAsks radio publish
            radioSettled running publish
            cancel closing-cancelled abandon,publish,close+tell
            stop closing-failed abandon,publish,close+tell
            pluginDown closing-failed abandon,publish,close
            tick radio -
            overdue closing-expired abandon,publish,close+tell
            registered radio -
            lost radio -
            closed radio -
        bothAsking
            started radio publish
            refused closing-failed abandon,publish,close+tell
            works radio publish
            asks radio publish
            succeeds closing-succeeded abandon,publish,close
            fails closing-failed abandon,publish,close
            gaveUp closing-cancelled abandon,publish,close
            answer radio refuse:bad_request
            wrongAnswer radio refuse:bad_request
            radioAnswer asking radio,publish
            answerRefused radio -
            radioAsks radio publish
            radioSettled asking publish
            cancel closing-cancelled abandon,publish,close+tell
            stop closing-failed abandon,publish,close+tell
            pluginDown closing-failed abandon,publish,close
            tick radio -
            overdue closing-expired abandon,publish,close+tell
            registered radio -
            lost radio -
            closed radio -
        answered
            started running publish
            refused closing-failed publish,close+tell
            works running publish
            asks asking publish
            succeeds closing-succeeded publish,close
            fails closing-failed publish,close
            gaveUp closing-cancelled publish,close
            answer running refuse:bad_request
            wrongAnswer running refuse:bad_request
            radioAnswer running refuse:bad_request
            answerRefused asking publish
            radioAsks radio publish
            radioSettled running -
            cancel closing-cancelled publish,close+tell
            stop closing-failed publish,close+tell
            pluginDown closing-failed publish,close
            tick running -
            overdue closing-expired publish,close+tell
            registered running -
            lost running -
            closed running -
        closing
            started closing-cancelled -
            refused closing-cancelled -
            works closing-cancelled -
            asks closing-cancelled -
            succeeds closing-cancelled -
            fails closing-cancelled -
            gaveUp closing-cancelled -
            answer closing-cancelled refuse:bad_request
            wrongAnswer closing-cancelled refuse:bad_request
            radioAnswer closing-cancelled refuse:bad_request
            answerRefused closing-cancelled -
            radioAsks closing-cancelled-asking publish
            radioSettled closing-cancelled -
            cancel closing-cancelled -
            stop closing-cancelled -
            pluginDown closing-cancelled -
            tick closing-cancelled -
            overdue cancelled finish
            registered closing-cancelled -
            lost closing-cancelled -
            closed cancelled finish
        closingAsking
            started closing-cancelled-asking -
            refused closing-cancelled-asking -
            works closing-cancelled-asking -
            asks closing-cancelled-asking -
            succeeds closing-cancelled-asking -
            fails closing-cancelled-asking -
            gaveUp closing-cancelled-asking -
            answer closing-cancelled-asking refuse:bad_request
            wrongAnswer closing-cancelled-asking refuse:bad_request
            radioAnswer closing-cancelled radio,publish
            answerRefused closing-cancelled-asking -
            radioAsks closing-cancelled-asking publish
            radioSettled closing-cancelled publish
            cancel closing-cancelled-asking -
            stop closing-cancelled-asking -
            pluginDown closing-cancelled-asking -
            tick closing-cancelled-asking -
            overdue cancelled abandon,finish
            registered closing-cancelled-asking -
            lost closing-cancelled-asking -
            closed cancelled finish
        """

    /// Place and outputs by story and event.
    static let rows: [String: (place: String, outputs: String)] = {
        var rows: [String: (place: String, outputs: String)] = [:]
        var story = ""
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.count == 1 { story = words[0] } else { rows["\(story) \(words[0])"] = (words[1], words[2]) }
        }
        return rows
    }()
}
