import VitrineFramePacing
import VitrineRendering

/// A report as a self-contained HTML page, without scripts, fonts or images from other files.
struct ReportPage {
  /// The report.
  let report: RunReport
  /// The chart of the last frames.
  let chart: FrameChart
  /// The histogram of commit times.
  let histogram: CommitHistogram

  /// The page as HTML that is also well-formed XML.
  var text: String {
    """
    <!DOCTYPE html>
    <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width"/>
    <title>\(HTMLText.escaped(title))</title>
    <style>
    \(ReportPageStyle.styleSheet)
    </style>
    </head>
    <body>
    <main>
    <h1>\(HTMLText.escaped(title))</h1>
    \(tiles)
    <h2>Frames</h2>
    \(frames)
    \(commitTimes)\(tables)
    </main>
    </body>
    </html>

    """
  }

  private var title: String { "Vitrine \(report.version): frames of a run" }

  /// The most important figures in large type.
  private var tiles: String {
    var tiles: [(name: String, value: String, unit: String, style: String)] = []
    if let hitches = report.hitches {
      tiles.append(
        (
          "hitch ratio", ReportNumberFormatter.decimal(hitches.ratioMsPerS, 1), "ms/s",
          HitchRating(ratio: hitches.ratioMsPerS).rawValue
        ))
      tiles.append(("longest hitch", ReportNumberFormatter.decimal(hitches.longestMs, 1), "ms", ""))
    } else {
      tiles.append(("hitch ratio", "–", ReportNumberFormatter.notMeasured, ""))
    }
    if let commit = report.frames.commitUs {
      tiles.append(("commit, median", ReportNumberFormatter.decimal(commit.p50 / 1_000, 2), "ms", ""))
      tiles.append(("commit, 99th percentile", ReportNumberFormatter.decimal(commit.p99 / 1_000, 2), "ms", ""))
    } else {
      tiles.append(("commit", "–", ReportNumberFormatter.notMeasured, ""))
    }
    tiles.append(("frames", ReportNumberFormatter.whole(report.frames.count), "", ""))
    if let waited = report.images?.placeholderCellMs {
      tiles.append(("time with placeholder (all cells)", ReportNumberFormatter.decimal(waited / 1_000, 1), "s", ""))
    }
    return "<section class=\"tiles\">\n"
      + tiles.map { tile in
        "<div class=\"tile \(tile.style)\"><span>\(tile.name)</span><b>\(tile.value)</b><i>\(tile.unit)</i></div>\n"
      }.joined() + "</section>"
  }

  private var legend: String {
    let names = FrameChart.phases.map { "<li class=\"\($0.name)\">\($0.name)</li>" }
    return "<ul class=\"legend\">" + names.joined()
      + "<li class=\"deadline\">deadline of the commit</li><li class=\"hitch\">shown late</li></ul>"
  }

  /// The chart, if the clock measures the costs of frames.
  private var frames: String {
    seesTimes ? chart.svg + legend : "<p>What frames take is \(ReportNumberFormatter.notMeasured) on this clock.</p>"
  }

  private var commitTimes: String {
    seesTimes ? histogram.svg.map { "<h2>Commit times</h2>\n\($0)" } ?? "" : ""
  }

  /// Whether the charts show times.
  ///
  /// On the virtual clock, only if costs were modelled.
  private var seesTimes: Bool {
    report.frames.commitUs != nil || report.display.clock != ClockKind.virtual.rawValue
  }

  private var tables: String {
    report.sections.map { section in
      "<h2>\(HTMLText.escaped(section.title))</h2>\n<table>\n"
        + section.rows.map { row in
          "<tr><th>\(HTMLText.escaped(row.name))</th><td>\(HTMLText.escaped(row.value))"
            + (row.rating.map { " <em class=\"\($0.rawValue)\">\($0.rawValue)</em>" } ?? "") + "</td></tr>\n"
        }.joined() + "</table>\n"
    }.joined()
  }
}

/// The style of the page: one column on a grid of 8 pixels, in the reader's color scheme.
private enum ReportPageStyle {
  /// The style sheet.
  static var styleSheet: String {
    let colors = FrameChart.phases.map { phase in
      let color = OverlayPalette.color(of: phase)
      return ".\(phase.name) { fill: \(css(color)); --mark: \(css(color)); }"
    }
    return base + "\n" + colors.joined(separator: "\n")
  }

  private static func css(_ color: Color) -> String { "rgb(\(color.red) \(color.green) \(color.blue))" }

  private static let base = """
    :root { color-scheme: light dark; --back: #f7f7f8; --card: #ffffff; --text: #1b1c20; --faint: #6a6c76;
      --line: #e1e2e6; --good: #1f8a4c; --warning: #a86a00; --critical: #c9302c; }
    @media (prefers-color-scheme: dark) { :root { --back: #111215; --card: #191a1e; --text: #e9eaee; --faint: #8b8d98;
      --line: #2a2c32; --good: #7bd88f; --warning: #ffd166; --critical: #ff6b6b; } }
    body { margin: 0; background: var(--back); color: var(--text); font: 15px/24px Inter, system-ui, sans-serif; }
    main { max-width: 960px; margin: 0 auto; padding: 48px 24px; }
    h1 { font-size: 24px; line-height: 32px; font-weight: 600; margin: 0 0 24px; }
    h2 { font-size: 15px; line-height: 24px; font-weight: 600; margin: 32px 0 8px; }
    svg { display: block; width: 100%; height: auto; background: var(--card); border-radius: 8px; }
    svg text { font-size: 11px; fill: var(--faint); }
    line { stroke: var(--line); } line.deadline { stroke: var(--warning); stroke-dasharray: 4 3; }
    rect.hitch { fill: var(--critical); }
    .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(144px, 1fr)); gap: 8px; }
    .tile { background: var(--card); border-radius: 8px; padding: 16px; }
    .tile span { display: block; color: var(--faint); font-size: 13px; line-height: 16px; min-height: 32px; }
    .tile b { font-size: 24px; line-height: 32px; font-weight: 600; font-variant-numeric: tabular-nums; }
    .tile i { font-style: normal; color: var(--faint); margin-left: 4px; }
    .good b, em.good { color: var(--good); } .warning b, em.warning { color: var(--warning); }
    .critical b, em.critical { color: var(--critical); } em { font-style: normal; margin-left: 8px; }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0 16px; padding: 0; margin: 8px 0; font-size: 13px;
      color: var(--faint); }
    .legend li::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 2px;
      margin-right: 6px; background: var(--mark, var(--line)); }
    .legend .deadline { --mark: var(--warning); } .legend .hitch { --mark: var(--critical); }
    table { width: 100%; border-collapse: collapse; }
    th, td { text-align: left; vertical-align: top; padding: 4px 0; border-bottom: 1px solid var(--line); }
    th { width: 40%; font-weight: 400; color: var(--faint); } td { font-variant-numeric: tabular-nums; white-space: pre-wrap; }
    """
}

/// A namespace for functions that format HTML text.
enum HTMLText {
  /// Escapes the reserved characters of HTML (HTML Living Standard, 13.3) and removes control characters.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result += " "
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
