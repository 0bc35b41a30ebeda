import CollectionUI
import Foundation
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("A report contains what was measured, and no values for what was not")
struct RunReportTests {
  /// Returns the record of a frame with a refresh interval of 10 ms, whose phases take 0.1, 0.2, … 0.9 ms.
  static func record(_ index: Int, hitchMs: Double = 0, class hitchClass: HitchClass = .commitLate) -> FrameRecord {
    var record = FrameRecord()
    record.index = index
    record.isTracked = true
    record.target = .zero + .milliseconds(Double(index + 1) * 10)
    record.start = .zero + .milliseconds(Double(index) * 10)
    record.deadline = record.target
    var end = record.start
    for phase in FramePhase.allCases {
      if phase == .present { record.presentStart = end }
      end = end + .microseconds(Double(phase.rawValue + 1) * 100)
      record.phaseEnds[phase.rawValue] = end
    }
    record.shown = record.target + .milliseconds(hitchMs)
    record.hitch = .milliseconds(hitchMs)
    record.hitchClass = hitchMs > 0 ? hitchClass : .none
    return record
  }

  static func history(_ records: [FrameRecord]) -> FrameHistory {
    let history = FrameHistory()
    for record in records { history.append(record, interval: .milliseconds(10)) }
    return history
  }

  static func report(
    _ history: FrameHistory, visibility: CostVisibility = .measured, refreshHz: Double? = 60,
    images: ImageFigures? = nil,
    digest: String? = nil
  ) -> RunReport {
    RunReport(
      version: "1.2.3",
      display: DisplayFigures(
        driver: "dummy", renderer: "software", drawnBy: "sdl", rendererReason: nil, device: nil, clock: "virtual",
        clockReason: "requested", refreshHz: refreshHz, widthPoints: 1_280, heightPoints: 800, scale: 1),
      library: nil, launch: LaunchFigures(), frames: RunReport.frames(of: history, visibility: visibility),
      hitches: RunReport.hitches(of: history, visibility: visibility), cells: nil,
      slack: SlackFigures(availableMs: 900, usedMs: 0, steps: 7, refusals: 0, overruns: 0).masked(by: visibility),
      images: images,
      memory: MemoryFigures(residentPeakBytes: 1, bitmapBytes: nil, textureBytes: 2, catalogueBytesPerItem: nil),
      process: ProcessReport(cpuSeconds: 0.25, voluntarySwitches: 3), frameDigest: digest)
  }

  static func json(_ report: RunReport) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any])
  }

  @Test("Input latency is reported for frames that respond to input, also if nothing else moves")
  func inputToPresent() throws {
    #expect(RunReport.frames(of: Self.history([Self.record(0)])).inputToPresentUs == nil)
    let records = (1...100).map { number in
      var record = Self.record(number)
      record.isTracked = false
      record.inputInstant = number <= 50 ? record.shown - .milliseconds(Double(number)) : nil
      return record
    }
    var hidden = Self.record(200)
    hidden.isOccluded = true
    hidden.inputInstant = .zero
    let figures = try #require(RunReport.frames(of: Self.history(records + [hidden])).inputToPresentUs)
    #expect(figures.p50 == 25_000 && figures.p95 == 48_000 && figures.max == 50_000)
    let json = try Self.json(Self.report(Self.history(records)))
    let frames = try #require(json["frames"] as? [String: Any])
    #expect((frames["inputToPresentUs"] as? [String: Any])?["p50"] as? Double == 25_000)
  }

  @Test("Allocations per frame are reported if they are counted, for frames in which something moved")
  func allocations() throws {
    #expect(RunReport.frames(of: Self.history([Self.record(0)])).allocations == nil)
    var records = (0..<100).map { number in
      var record = Self.record(number)
      record.allocations = Int32(number)
      return record
    }
    records[99].isTracked = false
    let report = Self.report(Self.history(records))
    let counts = try #require(report.frames.allocations)
    #expect(counts.p50 == 49 && counts.p99 == 98 && counts.max == 98)
    #expect(ReportLine(report: report).text.contains(" allocations_p50=49 allocations_p99=98 "))
    #expect(ReportTable(sections: report.sections).text.contains("p50 49   p99 98   max 98"))
  }

  @Test("Percentiles are over the frames in which something moved")
  func percentiles() throws {
    var still = Self.record(0)
    still.isTracked = false
    still.start = .zero - .seconds(5)
    let figures = RunReport.frames(of: Self.history([still] + (1...100).map { Self.record($0) }))
    #expect(figures.count == 101)
    #expect(figures.trackedSeconds == 1)
    let commit = try #require(figures.commitUs)
    // Phases 1 to 7 of the nine.
    #expect([commit.p50, commit.p95, commit.p99, commit.max] == [2_800, 2_800, 2_800, 2_800])
    let overrun = try #require(figures.overrunUs)
    #expect([overrun.p50, overrun.max] == [-7_200, -7_200])
    let phases = try #require(figures.phasesUs)
    #expect(phases.count == FramePhase.allCases.count)
    for phase in FramePhase.allCases {
      #expect(phases[phase.name]??.p50 == Double(phase.rawValue + 1) * 100)
      #expect(phases[phase.name]??.p99 == Double(phase.rawValue + 1) * 100)
    }
  }

  @Test("Hitches are counted, summed and classified, and the worst have their longest phase")
  func hitches() throws {
    var records = (0..<100).map { Self.record($0) }
    records[10] = Self.record(10, hitchMs: 3.25)
    records[10].cellsForced = 1
    records[10].preparesAhead = true
    records[10].slowestForcedType = RunReportTests.self
    records[10].lastRefusal = SlackRefusal(
      reason: .cost, cost: .milliseconds(7), remaining: .milliseconds(3.9), frame: 9)
    records[20] = Self.record(20, hitchMs: 6.5, class: .slackOverrun)
    records[30] = Self.record(30, hitchMs: 0.25, class: .external)
    records[20].phaseEnds[FramePhase.slack.rawValue] =
      records[20].phaseEnds[FramePhase.raster.rawValue] + .milliseconds(9)
    let figures = try #require(RunReport.hitches(of: Self.history(records)))
    #expect(figures.count == 3)
    #expect(figures.totalMs == 10)
    #expect(figures.ratioMsPerS == 10)
    #expect(figures.longestMs == 6.5)
    #expect(
      figures.byClass == [
        "commitLate": 1, "slackOverrun": 1, "presentLate": 0, "ownWorkers": 0, "wakeLate": 0, "external": 1,
      ])
    #expect(figures.worst.map(\.frame) == [20, 10, 30])
    #expect(figures.worst.map(\.ms) == [6.5, 3.25, 0.25])
    #expect(figures.worst.map(\.class) == ["slackOverrun", "commitLate", "external"])
    #expect(figures.worst.first?.phase == "slack" && figures.worst.first?.registration == nil)
    #expect(figures.worst[1].registration == "RunReportTests")
    #expect(figures.worst[1].cause == "forced prepare; last slack refusal: cost 7.0 ms > 3.9 ms left")
  }

  @Test("A run in which nothing moved has counts, but no percentiles and no hitches")
  func nothingMoved() throws {
    var record = Self.record(0)
    record.isTracked = false
    for history in [FrameHistory(), Self.history([record])] {
      let object = try Self.json(Self.report(history))
      let frames = try #require(object["frames"] as? [String: Any])
      #expect(Set(frames.filter { !($0.value is NSNull) }.keys) == ["count", "trackedSeconds"])
      #expect(Self.nulls(frames) == ["commitUs", "overrunUs", "inputToPresentUs", "allocations", "phasesUs"])
      #expect(frames["count"] as? Int == history.count)
      #expect(object["hitches"] is NSNull)
    }
  }

  static func nulls(_ value: Any?) -> Set<String> {
    Set((value as? [String: Any] ?? [:]).filter { $0.value is NSNull }.keys)
  }

  @Test("Costs that the clock cannot measure are null and reported as not measured, never as zero")
  func unmeasuredCosts() throws {
    var records = (0..<100).map { Self.record($0) }
    for index in records.indices {
      for phase in FramePhase.allCases { records[index].phaseEnds[phase.rawValue] = records[index].start }
      records[index].presentStart = records[index].start
      records[index].inputInstant = records[index].start
    }
    let report = Self.report(Self.history(records), visibility: .none, refreshHz: nil)
    let object = try Self.json(report)
    #expect(object["hitches"] is NSNull)
    #expect(
      Self.nulls(object["frames"]) == ["commitUs", "overrunUs", "inputToPresentUs", "allocations", "phasesUs"])
    #expect(Self.nulls(object["slack"]) == ["availableMs", "usedMs", "refusals", "overruns"])
    #expect(Self.nulls(object["display"]) == ["refreshHz"])
    let rows = Dictionary(report.sections.flatMap(\.rows).map { ($0.name, $0.value) }) { first, _ in first }
    for name in ["hitch ratio", "commit", "deadline overrun"] { #expect(rows[name] == "not measured") }
    #expect(rows["slack used"] == "not measured, in 7 steps")
    #expect(rows["clock"] == "virtual, refresh not measured, requested")
    #expect(ReportLine(report: report).text.contains(" hitch_ms_per_s=not-measured commit_p50_us=not-measured "))
    let page = ReportPage(
      report: report, chart: FrameChart(Self.history(records), interval: .milliseconds(10)),
      histogram: CommitHistogram(Self.history(records))
    ).text
    #expect(page.contains("<i>not measured</i>") && !page.contains("<svg"))
  }

  @Test("If costs are modelled, a phase without any is null, and the others have values")
  func modelled() throws {
    var record = Self.record(0)
    record.phaseEnds[FramePhase.upload.rawValue] = record.phaseEnds[FramePhase.commit.rawValue]
    record.phaseEnds[FramePhase.raster.rawValue] = record.phaseEnds[FramePhase.commit.rawValue]
    let object = try Self.json(Self.report(Self.history([record]), visibility: .modelled))
    let frames = try #require(object["frames"] as? [String: Any])
    #expect(Self.nulls(frames["phasesUs"]) == ["upload", "raster"])
    #expect((frames["commitUs"] as? [String: Double])?["p50"] == 1_500)
    #expect((object["hitches"] as? [String: Any])?["ratioMsPerS"] as? Double == 0)
    #expect(Self.nulls(object["slack"]) == [])
    let all = RunReport.frames(of: Self.history([record]))
    #expect(all.phasesUs?.values.allSatisfy { $0 != nil } == true)
  }

  @Test("Sections that the run does not have are absent")
  func absentSections() throws {
    let object = try Self.json(Self.report(FrameHistory()))
    #expect(
      Set(object.keys) == ["schema", "version", "display", "launch", "frames", "hitches", "slack", "memory", "process"])
    #expect(Self.nulls(object["launch"]) == ["firstFrameMs", "firstFullScreenMs"])
    #expect(Set(try #require(object["memory"] as? [String: Any]).keys) == ["residentPeakBytes", "textureBytes"])
    let display = try #require(object["display"] as? [String: Any])
    #expect(display["rendererReason"] == nil && display["device"] == nil)
    var images = ImageFigures()
    let empty = try #require(try Self.json(Self.report(FrameHistory(), images: images))["images"] as? [String: Any])
    #expect(empty["decodeMs"] is NSNull && empty["placeholderCellMs"] == nil && empty["blankCellMs"] == nil)
    images.setDecodeMs(p50: 1.23456, p99: 9)
    let full = try Self.json(Self.report(FrameHistory(), images: images, digest: "0123456789abcdef"))
    let decode = (full["images"] as? [String: Any])?["decodeMs"] as? [String: Double]
    #expect(decode == ["p50": 1.235, "p99": 9])
    #expect(full["frameDigest"] as? String == "0123456789abcdef")
  }

  @Test("Extreme figures still make a readable report")
  func extremes() throws {
    var record = Self.record(0, hitchMs: 1e9)
    record.start = .distantPast
    let object = try Self.json(Self.report(Self.history([record])))
    #expect(object["hitches"] != nil)
  }

  @Test("Decimals are rounded, not cut")
  func rounding() {
    #expect(RunReport.rounded(1.23456, 3) == 1.235)
    #expect(RunReport.rounded(-1.25, 1) == -1.3)
    #expect(RunReport.rounded(7, 0) == 7)
  }
}

// MARK: - Launch timer

@Suite("The launch timer records frames until the screen is full")
struct LaunchTimerTests {
  @Test("The first frame and the first full frame are recorded once")
  func moments() throws {
    var isFull = false
    let timer = LaunchTimer(launch: MonotonicClock.now() - .milliseconds(100), isFullyShown: { isFull })
    #expect(timer.figures.firstFrameMs == nil && timer.figures.firstFullScreenMs == nil)
    timer.frameDidEnd(FrameRecord())
    let first = try #require(timer.figures.firstFrameMs)
    #expect(first >= 100)
    #expect(timer.figures.firstFullScreenMs == nil)
    isFull = true
    timer.frameDidEnd(FrameRecord())
    let full = try #require(timer.figures.firstFullScreenMs)
    #expect(full >= first)
    isFull = false
    timer.frameDidEnd(FrameRecord())
    #expect(timer.figures.firstFrameMs == first)
    #expect(timer.figures.firstFullScreenMs == full)
  }

  @Test("A first frame that is full counts as both")
  func firstFrameIsFull() {
    let timer = LaunchTimer(launch: MonotonicClock.now(), isFullyShown: { true })
    timer.frameDidEnd(FrameRecord())
    #expect(timer.figures.firstFrameMs != nil)
    #expect(timer.figures.firstFrameMs == timer.figures.firstFullScreenMs)
  }
}

// MARK: - Figures of a collection view

@Suite("The report and the overlay contain a collection view's own figures")
struct RunFiguresTests {
  @Test("The figures have items, sections, cells, slack and prefetching, and are nil after the view is released")
  func figures() throws {
    var view: CollectionView? = CollectionView(layout: GridLayout(columns: .count(4)))
    let figures = RunFigures(of: try #require(view))
    #expect(!figures.isFullyShown())
    try show(100, in: try #require(view))
    let counts = try #require(view).statistics
    let library = try #require(figures.library())
    #expect(library.items == 100 && library.sections == 2 && library.failed == nil)
    let cells = try #require(figures.cells())
    #expect(cells.created == counts.created && cells.visible == 12 && cells.waiting == counts.waiting)
    #expect(cells.preparedInSlack == counts.preparedInSlack && cells.preparedForced == counts.preparedForced)
    #expect(cells.preparedInSlack > 0 && cells.preparedForced > 0)
    #expect(try #require(figures.slack()).steps == view?.slackStatistics.steps)
    #expect(figures.prefetch() != nil && figures.isFullyShown())
    let overlay = figures.overlay()
    #expect(overlay.items == 100 && overlay.visibleCells == 12 && overlay.pooledCells == view?.pooledCellCount)
    view = nil
    #expect(figures.library() == nil && figures.cells() == nil && figures.slack() == nil && figures.prefetch() == nil)
    #expect(figures.overlay().items == 0 && !figures.isFullyShown())
  }

  private func show(_ count: Int, in view: CollectionView) throws {
    let cell = CellRegistration<CollectionViewCell, Int> { _, _, _ in }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, id in
      view.dequeueConfiguredReusableCell(using: cell, for: path, item: id)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0, 1])
    snapshot.appendItems(Array(0..<count / 2), toSection: 0)
    snapshot.appendItems(Array(count / 2..<count), toSection: 1)
    source.apply(snapshot)
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    harness.runUntilIdle()
    withExtendedLifetime(source) {}
  }
}
