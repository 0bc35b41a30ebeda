import VitrineFramePacing

extension RunReport {
  /// The figures of the report as tables for people, the most important first.
  ///
  /// The hitch ratio, launch times and frame durations are "not measured" if the clock does not measure them. Other
  /// figures that are missing are omitted, as are tables without figures.
  var sections: [ReportSection] {
    [motion, frameTimes, worstHitches, cellUsage, pictures, environment].filter { !$0.rows.isEmpty }
  }

  /// The hitches, the time that content moved, cells that waited for their images, and launch times.
  private var motion: ReportSection {
    var rows: [ReportSection.Row] = []
    if let hitches {
      rows.append(
        .init(
          "hitch ratio", ReportNumberFormatter.decimal(hitches.ratioMsPerS, 1) + " ms/s",
          HitchRating(ratio: hitches.ratioMsPerS)))
      rows.append(.init("hitches", ReportNumberFormatter.whole(hitches.count)))
      if hitches.count > 0 {
        rows.append(.init("longest hitch", ReportNumberFormatter.decimal(hitches.longestMs, 1) + " ms"))
      }
      for (name, count) in hitches.byClass.sorted(by: { $0.key < $1.key }) where count > 0 {
        rows.append(.init("hitches: \(name)", ReportNumberFormatter.whole(count)))
      }
    } else {
      rows.append(.init("hitch ratio", ReportNumberFormatter.notMeasured))
    }
    rows.append(
      .init(
        "frames",
        ReportNumberFormatter.whole(frames.count) + ", of which "
          + ReportNumberFormatter.decimal(frames.trackedSeconds, 1) + " s in motion"))
    if let images, let waited = images.placeholderCellMs {
      rows.append(.init("time with placeholder (all cells)", ReportNumberFormatter.time(milliseconds: waited)))
      if let blank = images.blankCellMs {
        rows.append(.init("time blank (all cells)", ReportNumberFormatter.time(milliseconds: blank)))
      }
    }
    func addLaunch(_ name: String, _ time: Double?) {
      rows.append(
        .init(name, time.map { ReportNumberFormatter.time(milliseconds: $0) } ?? ReportNumberFormatter.notMeasured))
    }
    addLaunch("time to first frame", launch.firstFrameMs)
    addLaunch("time to first full screen", launch.firstFullScreenMs)
    return ReportSection(title: "Motion", rows: rows)
  }

  /// The durations of commits and of their phases, for frames in which content moved.
  private var frameTimes: ReportSection {
    var rows: [ReportSection.Row] = []
    func add(_ name: String, _ values: Quantiles?) {
      guard let values else { return rows.append(.init(name, ReportNumberFormatter.notMeasured)) }
      let times = [("p50", values.p50), ("p95", values.p95), ("p99", values.p99), ("max", values.max)]
      rows.append(
        .init(name, times.map { "\($0.0) " + ReportNumberFormatter.time(microseconds: $0.1) }.joined(separator: "   ")))
    }
    add("commit", frames.commitUs)
    add("deadline overrun", frames.overrunUs)
    if let counts = frames.allocations {
      rows.append(
        .init(
          "allocations per frame",
          "p50 \(ReportNumberFormatter.whole(counts.p50))   p99 \(ReportNumberFormatter.whole(counts.p99))"
            + "   max \(ReportNumberFormatter.whole(counts.max))"))
    }
    for phase in ReportSection.phaseNames {
      guard let phases = frames.phasesUs, let quantiles = phases[phase] else { continue }
      let text = quantiles.map {
        "p50 " + ReportNumberFormatter.time(microseconds: $0.p50) + "   p99 "
          + ReportNumberFormatter.time(microseconds: $0.p99)
      }
      rows.append(.init(phase == "commit" ? "commit phase" : phase, text ?? ReportNumberFormatter.notMeasured))
    }
    return ReportSection(title: "Frame durations during motion", rows: rows)
  }

  /// The latest frames, with their causes.
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

  /// How cells were created, reused and prepared, and what was prefetched for them.
  private var cellUsage: ReportSection {
    var rows: [ReportSection.Row] = []
    if let cells {
      rows = [
        .init("created", ReportNumberFormatter.whole(cells.created)),
        .init("reused", ReportNumberFormatter.whole(cells.reused)),
        .init("prepared in slack", ReportNumberFormatter.whole(cells.preparedInSlack)),
        .init("prepared during commit (forced)", ReportNumberFormatter.whole(cells.preparedForced)),
        .init("prepared, never displayed", ReportNumberFormatter.whole(cells.preparedNeverDisplayed)),
        .init("reconfigured", ReportNumberFormatter.whole(cells.reconfigured)),
      ]
    }
    if let slack {
      rows.append(.init("slack used", RunReport.summary(of: slack)))
    }
    if let prefetch {
      rows.append(
        .init(
          "data prefetches",
          "\(ReportNumberFormatter.whole(prefetch.requested)), \(ReportNumberFormatter.whole(prefetch.cancelled)) cancelled"
        ))
    }
    if let operations {
      rows.append(
        .init(
          "content loads",
          "\(ReportNumberFormatter.whole(operations.started)) started, \(ReportNumberFormatter.whole(operations.completed)) completed"
            + ", \(ReportNumberFormatter.whole(operations.cancelled)) cancelled, \(ReportNumberFormatter.whole(operations.wasted)) never displayed"
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
      + " \(steps), \(ReportNumberFormatter.whole(slack.refusals ?? 0)) did not fit"
      + ", \(ReportNumberFormatter.whole(slack.overruns ?? 0)) overran"
  }

  /// How images were requested, cached and decoded.
  private var pictures: ReportSection {
    guard let images else { return ReportSection(title: "Pictures", rows: []) }
    var rows: [ReportSection.Row] = [
      .init("requested", ReportNumberFormatter.whole(images.requested)),
      .init("decoded", ReportNumberFormatter.whole(images.decoded)),
      .init("decoded on the drawing thread", ReportNumberFormatter.whole(images.decodedOnRenderThread)),
      .init("memory cache hits", ReportNumberFormatter.whole(images.memoryHits)),
      .init("disk cache hits", ReportNumberFormatter.whole(images.storeHits)),
      .init("cancelled", ReportNumberFormatter.whole(images.cancelled)),
      .init("failed", ReportNumberFormatter.whole(images.failed)),
    ]
    let times = images.decodeMs.map {
      "p50 " + ReportNumberFormatter.time(milliseconds: $0.p50) + "   p99 "
        + ReportNumberFormatter.time(milliseconds: $0.p99)
    }
    rows.append(.init("decode time", times ?? ReportNumberFormatter.notMeasured))
    rows.append(
      .init(
        "texture uploads",
        "\(ReportNumberFormatter.whole(images.uploads)), \(ReportNumberFormatter.bytes(images.uploadedBytes))"))
    if images.decoderDeaths > 0 {
      rows.append(.init("decoding processes crashed or killed", ReportNumberFormatter.whole(images.decoderDeaths)))
    }
    if let layers = images.sandbox { rows.append(.init("sandbox", layers.joined(separator: ", "))) }
    return ReportSection(title: "Pictures", rows: rows)
  }

  /// The library, the display, memory, processor time and version of the run.
  private var environment: ReportSection {
    var rows: [ReportSection.Row] = []
    if let library {
      rows.append(
        .init(
          "library",
          "\(ReportNumberFormatter.whole(library.items)) items, \(ReportNumberFormatter.whole(library.sections)) sections"
            + (library.failed.map { ", \(ReportNumberFormatter.whole($0)) failed" } ?? "")))
    }
    let size =
      "\(ReportNumberFormatter.decimal(display.widthPoints, 0)) × \(ReportNumberFormatter.decimal(display.heightPoints, 0)) points"
    rows.append(.init("window", size + " at scale \(ReportNumberFormatter.decimal(display.scale, 2))"))
    rows.append(.init("renderer", "\(display.driver), \(display.drawnBy)" + (display.device.map { ", \($0)" } ?? "")))
    let refresh =
      display.refreshHz.map { ReportNumberFormatter.decimal($0, 1) + " Hz" }
      ?? "refresh \(ReportNumberFormatter.notMeasured)"
    rows.append(.init("clock", "\(display.clock), \(refresh), \(display.clockReason)"))
    rows.append(.init("peak memory", ReportNumberFormatter.bytes(memory.residentPeakBytes)))
    if let bytes = memory.bitmapBytes { rows.append(.init("decoded images", ReportNumberFormatter.bytes(bytes))) }
    rows.append(.init("texture memory", ReportNumberFormatter.bytes(memory.textureBytes)))
    rows.append(.init("processor time", ReportNumberFormatter.decimal(process.cpuSeconds, 2) + " s"))
    if let frameThread = process.frameThread { rows.append(.init("drawing thread", frameThread)) }
    if let frameDigest { rows.append(.init("digest of display lists", frameDigest)) }
    if let replay { rows.append(.init("replay of", replay.summary)) }
    rows.append(.init("version", version))
    return ReportSection(title: "Environment and resources", rows: rows)
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
  /// At most 5 ms per second: mostly imperceptible.
  case good
  /// More than 5 and less than 10 ms per second: users notice interruptions.
  case warning
  /// At least 10 ms per second: severe interruptions.
  case critical

  /// Rates a hitch ratio in milliseconds per second.
  init(ratio: Double) { self = ratio <= 5 ? .good : ratio < 10 ? .warning : .critical }
}
