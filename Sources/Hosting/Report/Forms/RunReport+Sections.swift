extension RunReport {
  /// What was measured, in the order in which somebody asks for it; what the run cannot see says so.
  var sections: [ReportSection] {
    [motion, frameTimes, worstHitches, cellLives, pictures, surroundings].filter { !$0.rows.isEmpty }
  }

  /// How smooth it was.
  private var motion: ReportSection {
    var rows: [ReportSection.Row] = []
    if let hitches {
      rows.append(
        .init(
          "hitch ratio", ReportNumber.decimal(hitches.ratioMsPerS, 1) + " ms/s",
          HitchVerdict(ratio: hitches.ratioMsPerS)))
      rows.append(.init("hitches", ReportNumber.whole(hitches.count)))
      if hitches.count > 0 { rows.append(.init("longest", ReportNumber.decimal(hitches.longestMs, 1) + " ms")) }
      for (name, count) in hitches.byClass.sorted(by: { $0.key < $1.key }) where count > 0 {
        rows.append(.init("of these \(name)", ReportNumber.whole(count)))
      }
    } else {
      rows.append(.init("hitch ratio", ReportNumber.notMeasured))
    }
    rows.append(
      .init(
        "frames",
        ReportNumber.whole(frames.count) + ", moving for " + ReportNumber.decimal(frames.trackedSeconds, 1) + " s"))
    if let images, let waited = images.placeholderCellMs {
      rows.append(.init("cells without their picture", ReportNumber.time(milliseconds: waited)))
      if let blank = images.blankCellMs { rows.append(.init("of these blank", ReportNumber.time(milliseconds: blank))) }
    }
    func addLaunch(_ name: String, _ time: Double?) {
      rows.append(.init(name, time.map { ReportNumber.time(milliseconds: $0) } ?? ReportNumber.notMeasured))
    }
    addLaunch("first frame after", launch.firstFrameMs)
    addLaunch("first full screen after", launch.firstFullScreenMs)
    return ReportSection(title: "Motion", rows: rows)
  }

  /// What frames cost while something moved.
  private var frameTimes: ReportSection {
    var rows: [ReportSection.Row] = []
    func add(_ name: String, _ values: Quantiles?) {
      guard let values else { return rows.append(.init(name, ReportNumber.notMeasured)) }
      let times = [("p50", values.p50), ("p95", values.p95), ("p99", values.p99), ("max", values.max)]
      rows.append(
        .init(name, times.map { "\($0.0) " + ReportNumber.time(microseconds: $0.1) }.joined(separator: "   ")))
    }
    add("commit", frames.commitUs)
    add("beyond its deadline", frames.overrunUs)
    if let counts = frames.allocations {
      rows.append(
        .init(
          "allocations a frame",
          "p50 \(ReportNumber.whole(counts.p50))   p99 \(ReportNumber.whole(counts.p99))"
            + "   max \(ReportNumber.whole(counts.max))"))
    }
    for phase in ReportSection.phaseNames {
      guard let phases = frames.phasesUs, let seen = phases[phase] else { continue }
      let words = seen.map {
        "p50 " + ReportNumber.time(microseconds: $0.p50) + "   p99 " + ReportNumber.time(microseconds: $0.p99)
      }
      rows.append(.init(phase, words ?? ReportNumber.notMeasured))
    }
    return ReportSection(title: "Frames while something moved", rows: rows)
  }

  /// The worst frames, each with its cause.
  private var worstHitches: ReportSection {
    ReportSection(
      title: "Worst hitches",
      rows: (hitches?.worst ?? []).map { worst in
        .init(
          "frame " + ReportNumber.whole(worst.frame),
          ReportNumber.decimal(worst.ms, 1) + " ms late, \(worst.class), longest phase \(worst.phase)"
            + (worst.cause.map { ": \($0)" } ?? ""))
      })
  }

  private var cellLives: ReportSection {
    var rows: [ReportSection.Row] = []
    if let cells {
      rows = [
        .init("made", ReportNumber.whole(cells.created)), .init("reused", ReportNumber.whole(cells.reused)),
        .init("prepared in slack", ReportNumber.whole(cells.preparedInSlack)),
        .init("prepared in a commit", ReportNumber.whole(cells.preparedForced)),
        .init("prepared and never shown", ReportNumber.whole(cells.preparedNeverDisplayed)),
        .init("configured again", ReportNumber.whole(cells.reconfigured)),
      ]
    }
    if let slack {
      rows.append(.init("slack used", RunReport.words(of: slack)))
    }
    if let prefetch {
      rows.append(
        .init(
          "data asked for ahead",
          "\(ReportNumber.whole(prefetch.requested)), \(ReportNumber.whole(prefetch.cancelled)) given up"))
    }
    if let operations {
      rows.append(
        .init(
          "operations",
          "\(ReportNumber.whole(operations.started)) begun, \(ReportNumber.whole(operations.completed)) ended"
            + ", \(ReportNumber.whole(operations.cancelled)) cancelled, \(ReportNumber.whole(operations.wasted)) for nothing"
        ))
    }
    return ReportSection(title: "Cells", rows: rows)
  }

  private static func words(of slack: SlackFigures) -> String {
    let steps = "in \(ReportNumber.whole(slack.steps)) steps"
    guard let used = slack.usedMs, let available = slack.availableMs else {
      return "\(ReportNumber.notMeasured), \(steps)"
    }
    return ReportNumber.time(milliseconds: used) + " of " + ReportNumber.time(milliseconds: available)
      + " \(steps), \(ReportNumber.whole(slack.refusals ?? 0)) refused"
      + ", \(ReportNumber.whole(slack.overruns ?? 0)) too long"
  }

  private var pictures: ReportSection {
    guard let images else { return ReportSection(title: "Pictures", rows: []) }
    var rows: [ReportSection.Row] = [
      .init("asked for", ReportNumber.whole(images.requested)), .init("decoded", ReportNumber.whole(images.decoded)),
      .init("decoded on the drawing thread", ReportNumber.whole(images.decodedOnRenderThread)),
      .init("from memory", ReportNumber.whole(images.memoryHits)),
      .init("from disk", ReportNumber.whole(images.storeHits)),
      .init("given up", ReportNumber.whole(images.cancelled)), .init("failed", ReportNumber.whole(images.failed)),
    ]
    let times = images.decodeMs.map {
      "p50 " + ReportNumber.time(milliseconds: $0.p50) + "   p99 " + ReportNumber.time(milliseconds: $0.p99)
    }
    rows.append(.init("a decode", times ?? ReportNumber.notMeasured))
    rows.append(
      .init("textures made", "\(ReportNumber.whole(images.uploads)), \(ReportNumber.bytes(images.uploadedBytes))"))
    if images.decoderDeaths > 0 { rows.append(.init("decoders lost", ReportNumber.whole(images.decoderDeaths))) }
    if let layers = images.sandbox { rows.append(.init("sandbox", layers.joined(separator: ", "))) }
    return ReportSection(title: "Pictures", rows: rows)
  }

  private var surroundings: ReportSection {
    var rows: [ReportSection.Row] = []
    if let library {
      rows.append(
        .init(
          "library",
          "items \(ReportNumber.whole(library.items)), sections \(ReportNumber.whole(library.sections))"
            + (library.failed.map { ", without a picture \(ReportNumber.whole($0))" } ?? "")))
    }
    let size =
      "\(ReportNumber.decimal(display.widthPoints, 0)) × \(ReportNumber.decimal(display.heightPoints, 0)) points"
    rows.append(.init("window", size + " at \(ReportNumber.decimal(display.scale, 2))"))
    rows.append(.init("drawn by", "\(display.driver), \(display.drawnBy)" + (display.device.map { ", \($0)" } ?? "")))
    let refresh = display.refreshHz.map { ReportNumber.decimal($0, 1) + " Hz" } ?? "refresh \(ReportNumber.notMeasured)"
    rows.append(.init("clock", "\(display.clock), \(refresh), \(display.clockReason)"))
    rows.append(.init("memory at most", ReportNumber.bytes(memory.residentPeakBytes)))
    if let bytes = memory.bitmapBytes { rows.append(.init("pictures in memory", ReportNumber.bytes(bytes))) }
    rows.append(.init("textures", ReportNumber.bytes(memory.textureBytes)))
    rows.append(.init("processor time", ReportNumber.decimal(process.cpuSeconds, 2) + " s"))
    if let frameThread = process.frameThread { rows.append(.init("frame thread", frameThread)) }
    if let frameDigest { rows.append(.init("digest of all frames", frameDigest)) }
    if let replay { rows.append(.init("replay of", replay.words)) }
    rows.append(.init("version", version))
    return ReportSection(title: "Where", rows: rows)
  }
}
