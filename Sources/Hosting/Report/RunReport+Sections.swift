import FramePacing

extension RunReport {
  /// The report in sections for the user, most important first.
  ///
  /// Figures that were not measured are marked as such.
  var sections: [ReportSection] {
    [motion, frameTimes, worstHitches, cellUsage, pictures, environment].filter { !$0.rows.isEmpty }
  }

  /// The smoothness of the run.
  private var motion: ReportSection {
    var rows: [ReportSection.Row] = []
    if let hitches {
      rows.append(
        .init(
          "hitch ratio", ReportNumberFormatter.decimal(hitches.ratioMsPerS, 1) + " ms/s",
          HitchRating(ratio: hitches.ratioMsPerS)))
      rows.append(.init("hitches", ReportNumberFormatter.whole(hitches.count)))
      if hitches.count > 0 {
        rows.append(.init("longest", ReportNumberFormatter.decimal(hitches.longestMs, 1) + " ms"))
      }
      for (name, count) in hitches.byClass.sorted(by: { $0.key < $1.key }) where count > 0 {
        rows.append(.init("of these \(name)", ReportNumberFormatter.whole(count)))
      }
    } else {
      rows.append(.init("hitch ratio", ReportNumberFormatter.notMeasured))
    }
    rows.append(
      .init(
        "frames",
        ReportNumberFormatter.whole(frames.count) + ", moving for "
          + ReportNumberFormatter.decimal(frames.trackedSeconds, 1) + " s"))
    if let images, let waited = images.placeholderCellMs {
      rows.append(.init("cells without their picture", ReportNumberFormatter.time(milliseconds: waited)))
      if let blank = images.blankCellMs {
        rows.append(.init("of these blank", ReportNumberFormatter.time(milliseconds: blank)))
      }
    }
    func addLaunch(_ name: String, _ time: Double?) {
      rows.append(
        .init(name, time.map { ReportNumberFormatter.time(milliseconds: $0) } ?? ReportNumberFormatter.notMeasured))
    }
    addLaunch("first frame after", launch.firstFrameMs)
    addLaunch("first full screen after", launch.firstFullScreenMs)
    return ReportSection(title: "Motion", rows: rows)
  }

  /// The costs of frames while something moved.
  private var frameTimes: ReportSection {
    var rows: [ReportSection.Row] = []
    func add(_ name: String, _ values: Quantiles?) {
      guard let values else { return rows.append(.init(name, ReportNumberFormatter.notMeasured)) }
      let times = [("p50", values.p50), ("p95", values.p95), ("p99", values.p99), ("max", values.max)]
      rows.append(
        .init(name, times.map { "\($0.0) " + ReportNumberFormatter.time(microseconds: $0.1) }.joined(separator: "   ")))
    }
    add("commit", frames.commitUs)
    add("beyond its deadline", frames.overrunUs)
    if let counts = frames.allocations {
      rows.append(
        .init(
          "allocations a frame",
          "p50 \(ReportNumberFormatter.whole(counts.p50))   p99 \(ReportNumberFormatter.whole(counts.p99))"
            + "   max \(ReportNumberFormatter.whole(counts.max))"))
    }
    for phase in ReportSection.phaseNames {
      guard let phases = frames.phasesUs, let seen = phases[phase] else { continue }
      let words = seen.map {
        "p50 " + ReportNumberFormatter.time(microseconds: $0.p50) + "   p99 "
          + ReportNumberFormatter.time(microseconds: $0.p99)
      }
      rows.append(.init(phase, words ?? ReportNumberFormatter.notMeasured))
    }
    return ReportSection(title: "Frames while something moved", rows: rows)
  }

  /// The worst frames, with their causes.
  private var worstHitches: ReportSection {
    ReportSection(
      title: "Worst hitches",
      rows: (hitches?.worst ?? []).map { worst in
        .init(
          "frame " + ReportNumberFormatter.whole(worst.frame),
          ReportNumberFormatter.decimal(worst.ms, 1) + " ms late, \(worst.class), longest phase \(worst.phase)"
            + (worst.cause.map { ": \($0)" } ?? ""))
      })
  }

  private var cellUsage: ReportSection {
    var rows: [ReportSection.Row] = []
    if let cells {
      rows = [
        .init("made", ReportNumberFormatter.whole(cells.created)),
        .init("reused", ReportNumberFormatter.whole(cells.reused)),
        .init("prepared in slack", ReportNumberFormatter.whole(cells.preparedInSlack)),
        .init("prepared in a commit", ReportNumberFormatter.whole(cells.preparedForced)),
        .init("prepared and never shown", ReportNumberFormatter.whole(cells.preparedNeverDisplayed)),
        .init("configured again", ReportNumberFormatter.whole(cells.reconfigured)),
      ]
    }
    if let slack {
      rows.append(.init("slack used", RunReport.summary(of: slack)))
    }
    if let prefetch {
      rows.append(
        .init(
          "data asked for ahead",
          "\(ReportNumberFormatter.whole(prefetch.requested)), \(ReportNumberFormatter.whole(prefetch.cancelled)) given up"
        ))
    }
    if let operations {
      rows.append(
        .init(
          "operations",
          "\(ReportNumberFormatter.whole(operations.started)) begun, \(ReportNumberFormatter.whole(operations.completed)) ended"
            + ", \(ReportNumberFormatter.whole(operations.cancelled)) cancelled, \(ReportNumberFormatter.whole(operations.wasted)) for nothing"
        ))
    }
    return ReportSection(title: "Cells", rows: rows)
  }

  private static func summary(of slack: SlackFigures) -> String {
    let steps = "in \(ReportNumberFormatter.whole(slack.steps)) steps"
    guard let used = slack.usedMs, let available = slack.availableMs else {
      return "\(ReportNumberFormatter.notMeasured), \(steps)"
    }
    return ReportNumberFormatter.time(milliseconds: used) + " of " + ReportNumberFormatter.time(milliseconds: available)
      + " \(steps), \(ReportNumberFormatter.whole(slack.refusals ?? 0)) refused"
      + ", \(ReportNumberFormatter.whole(slack.overruns ?? 0)) too long"
  }

  private var pictures: ReportSection {
    guard let images else { return ReportSection(title: "Pictures", rows: []) }
    var rows: [ReportSection.Row] = [
      .init("asked for", ReportNumberFormatter.whole(images.requested)),
      .init("decoded", ReportNumberFormatter.whole(images.decoded)),
      .init("decoded on the drawing thread", ReportNumberFormatter.whole(images.decodedOnRenderThread)),
      .init("from memory", ReportNumberFormatter.whole(images.memoryHits)),
      .init("from disk", ReportNumberFormatter.whole(images.storeHits)),
      .init("given up", ReportNumberFormatter.whole(images.cancelled)),
      .init("failed", ReportNumberFormatter.whole(images.failed)),
    ]
    let times = images.decodeMs.map {
      "p50 " + ReportNumberFormatter.time(milliseconds: $0.p50) + "   p99 "
        + ReportNumberFormatter.time(milliseconds: $0.p99)
    }
    rows.append(.init("a decode", times ?? ReportNumberFormatter.notMeasured))
    rows.append(
      .init(
        "textures made",
        "\(ReportNumberFormatter.whole(images.uploads)), \(ReportNumberFormatter.bytes(images.uploadedBytes))"))
    if images.decoderDeaths > 0 {
      rows.append(.init("decoders lost", ReportNumberFormatter.whole(images.decoderDeaths)))
    }
    if let layers = images.sandbox { rows.append(.init("sandbox", layers.joined(separator: ", "))) }
    return ReportSection(title: "Pictures", rows: rows)
  }

  private var environment: ReportSection {
    var rows: [ReportSection.Row] = []
    if let library {
      rows.append(
        .init(
          "library",
          "items \(ReportNumberFormatter.whole(library.items)), sections \(ReportNumberFormatter.whole(library.sections))"
            + (library.failed.map { ", without a picture \(ReportNumberFormatter.whole($0))" } ?? "")))
    }
    let size =
      "\(ReportNumberFormatter.decimal(display.widthPoints, 0)) × \(ReportNumberFormatter.decimal(display.heightPoints, 0)) points"
    rows.append(.init("window", size + " at \(ReportNumberFormatter.decimal(display.scale, 2))"))
    rows.append(.init("drawn by", "\(display.driver), \(display.drawnBy)" + (display.device.map { ", \($0)" } ?? "")))
    let refresh =
      display.refreshHz.map { ReportNumberFormatter.decimal($0, 1) + " Hz" }
      ?? "refresh \(ReportNumberFormatter.notMeasured)"
    rows.append(.init("clock", "\(display.clock), \(refresh), \(display.clockReason)"))
    rows.append(.init("memory at most", ReportNumberFormatter.bytes(memory.residentPeakBytes)))
    if let bytes = memory.bitmapBytes { rows.append(.init("pictures in memory", ReportNumberFormatter.bytes(bytes))) }
    rows.append(.init("textures", ReportNumberFormatter.bytes(memory.textureBytes)))
    rows.append(.init("processor time", ReportNumberFormatter.decimal(process.cpuSeconds, 2) + " s"))
    if let frameThread = process.frameThread { rows.append(.init("frame thread", frameThread)) }
    if let frameDigest { rows.append(.init("digest of all frames", frameDigest)) }
    if let replay { rows.append(.init("replay of", replay.summary)) }
    rows.append(.init("version", version))
    return ReportSection(title: "Where", rows: rows)
  }
}

// MARK: - Sections

/// A section of a report for the user.
struct ReportSection: Hashable {
  /// A figure with its name.
  struct Row: Hashable {
    /// The name of the figure.
    var name: String
    /// The value with its unit.
    var value: String
    /// The rating of the value, if it has one.
    var rating: HitchRating?

    init(_ name: String, _ value: String, _ rating: HitchRating? = nil) {
      self.name = name
      self.value = value
      self.rating = rating
    }
  }

  /// The names of a frame's phases in their order.
  static let phaseNames = FramePhase.allCases.map(\.name)

  /// The title of the section.
  var title: String
  /// The figures in their order.
  var rows: [Row]
}

/// The rating of a hitch ratio by Apple's limits in "Eliminate animation hitches with XCTest" (WWDC20).
enum HitchRating: String, Hashable {
  /// At most 5 ms per second, which users do not notice.
  case good
  /// Below 10 ms per second, which some users notice.
  case warning
  /// At least 10 ms per second, which makes users stop scrolling.
  case critical

  /// Rates a hitch ratio in milliseconds per second.
  init(ratio: Double) { self = ratio <= 5 ? .good : ratio < 10 ? .warning : .critical }
}
