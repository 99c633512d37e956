/// Builds one SVG picture that reads on light and dark pages.
struct SVGCanvas {
    /// Where a text stands relative to its point.
    enum Anchor: String {
        case start, middle, end
    }

    let width: Double
    let height: Double
    private var body: [String] = []

    /// - Parameter title: read out instead of the picture.
    init(width: Double, height: Double, title: String) {
        self.width = width
        self.height = height
        body.append("<title>\(Self.escaped(title))</title>")
    }

    /// The class of the series with this number, for ``line(_:_:_:_:_:)`` and the like.
    static func series(_ index: Int) -> String { "s\(index)" }

    mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) {
        body.append(#"<line class="\#(style)" x1="\#(n(x1))" y1="\#(n(y1))" x2="\#(n(x2))" y2="\#(n(y2))"/>"#)
    }

    mutating func path(_ points: [(x: Double, y: Double)], _ style: String) {
        let text = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
        body.append(#"<polyline class="\#(style)" points="\#(text)"/>"#)
    }

    mutating func dot(_ x: Double, _ y: Double, _ style: String) {
        body.append(#"<circle class="\#(style)" cx="\#(n(x))" cy="\#(n(y))" r="3.5"/>"#)
    }

    mutating func bar(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String) {
        body.append(
            #"<rect class="\#(style)" x="\#(n(x))" y="\#(n(y))" width="\#(n(width))" height="\#(n(height))" rx="2"/>"#
        )
    }

    mutating func text(_ x: Double, _ y: Double, _ text: String, _ anchor: Anchor = .start, _ style: String = "") {
        let style = style.isEmpty ? "" : #" class="\#(style)""#
        body.append(
            #"<text\#(style) x="\#(n(x))" y="\#(n(y))" text-anchor="\#(anchor.rawValue)">\#(Self.escaped(text))</text>"#
        )
    }

    /// The whole picture.
    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(n(width)) \(n(height))" width="\(n(width))" \
        height="\(n(height))" role="img">
        <style>
        svg { background: #ffffff }
        text { font: 12px system-ui, sans-serif; fill: #1f2933 }
        .head { font-size: 15px; font-weight: 600 }
        .panel { font-size: 13px; font-weight: 600 }
        .quiet { fill: #66727f }
        .grid { stroke: #e4e7eb }
        .s0 { fill: none; stroke-width: 2; stroke: #6b7a89 }
        .s1 { fill: none; stroke-width: 2; stroke: #c2410c }
        .thin { stroke-width: 1.5; stroke-dasharray: 4 3 }
        .f0 { fill: #6b7a89 }
        .f1 { fill: #c2410c }
        @media (prefers-color-scheme: dark) {
          svg { background: #15191e }
          text { fill: #e4e7eb }
          .quiet { fill: #9aa7b4 }
          .grid { stroke: #323a43 }
          .s0 { stroke: #9aa7b4 }
          .s1 { stroke: #fb923c }
          .f0 { fill: #9aa7b4 }
          .f1 { fill: #fb923c }
        }
        </style>
        \(body.joined(separator: "\n"))
        </svg>

        """
    }

    private func n(_ value: Double) -> String {
        let text = FigureText.fixed(value, 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
        return result
    }
}
