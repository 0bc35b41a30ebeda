import FramePacing

/// A report as a page that needs nothing else: no script, no font, no picture from elsewhere.
struct ReportPage {
  /// The figures.
  let report: RunReport
  /// The last frames.
  let chart: FrameChart
  /// How long commits took.
  let histogram: CommitHistogram

  /// The page, as HTML that is well-formed XML too.
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

  /// What is asked for first, in large type.
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
      tiles.append(("cells without their picture", ReportNumberFormatter.decimal(waited / 1_000, 1), "s", ""))
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

  /// Bars, where the clock sees what frames take.
  private var frames: String {
    seesTimes ? chart.svg + legend : "<p>What frames take is \(ReportNumberFormatter.notMeasured) on this clock.</p>"
  }

  private var commitTimes: String {
    seesTimes ? histogram.svg.map { "<h2>Commit times</h2>\n\($0)" } ?? "" : ""
  }

  /// Whether the graphs show times: on the virtual clock only where some were modelled.
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
