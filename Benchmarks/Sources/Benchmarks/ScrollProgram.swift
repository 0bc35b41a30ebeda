import BenchmarkSupport
import CollectionUI
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// `bench scroll`: measures the frames of a scrolling collection view, and whether their cost is independent of the
/// number of items.
@MainActor
struct ScrollProgram {
  private let options: ScrollOptions
  private let meter: FrameMeter
  private let recorder: FigureRecorder

  private static let speed = 2_000.0
  private static let warmUp = 120

  init(_ options: ScrollOptions, recorder: FigureRecorder) {
    self.options = options
    self.recorder = recorder
    meter = FrameMeter(callgrindOutput: options.callgrindOutput)
  }

  /// Runs and prints the selected measurements.
  func run() throws {
    for (index, measure) in options.measures.enumerated() {
      if index > 0 { Output.line("") }
      switch measure {
      case .frames: try frames()
      case .headroom: HeadroomProgram(seconds: options.headroomSeconds, recorder: recorder).run()
      case .rival: RivalProgram().run()
      case .endurance: try EnduranceProgram(options.endurance).run()
      }
    }
  }

  /// Measures frames by refresh rate.
  private func frames() throws {
    Output.line(
      "Frames of 1280 x 800 points, 48 to 56 cells in sight, \(Int(ScrollProgram.speed)) points a second, from update to upload."
    )
    Output.line("Instructions: \(meter.source).")
    for rate in options.refreshRates { try block(rate) }
  }

  private func block(_ rate: Int) throws {
    var readings: [(count: Int, frames: [FrameKind: FrameReading])] = []
    var totals: [String] = []
    for count in options.sizes {
      var frames: [FrameKind: FrameReading] = [:]
      for script in Script.allCases {
        let run = try scroll(script, count: count, rate: rate)
        frames.merge(run.readings) { first, _ in first }
        if script == .prepared, !meter.countsOnly {
          totals.append(
            "\(FigureText.count(count)) items: \(FigureText.time(run.nanosecondsPerFrame)) of processor time a frame in all, "
              + "work ahead included; late frames: \(run.late)")
        }
      }
      readings.append((count, frames))
    }
    Output.line("\n\(rate) Hz")
    var table = TextTable(columns)
    for kind in FrameKind.allCases {
      let first = readings.lazy.compactMap { $0.frames[kind] }.first
      for (count, frames) in readings {
        guard let reading = frames[kind] else { continue }
        table.add(row(kind, count, reading, first: first))
        record(kind, count, reading, first: first, rate: rate)
      }
    }
    for line in table.lines + totals { Output.line("  " + line) }
  }

  private func record(_ kind: FrameKind, _ count: Int, _ reading: FrameReading, first: FrameReading?, rate: Int) {
    guard meter.countsOnly else {
      let words = ["scroll", kind.key, "\(count)", "\(rate)-hz"]
      recorder.add(words + ["median"], reading.medianTime, .nanoseconds, .measured)
      recorder.add(words + ["p99"], reading.percentile99Time, .nanoseconds, .measured)
      return
    }
    let words = ["scroll", kind.key, "\(count)"]
    recorder.add(words + ["instructions"], reading.medianInstructions, .instructions, .counted)
    recorder.add(words + ["most-instructions"], reading.maximumInstructions, .instructions, .counted)
    let growth = reading.medianInstructions.flatMap { mine in first?.medianInstructions.map { mine / $0 } }
    if count > (options.sizes.first ?? count) { recorder.add(words + ["growth"], growth, .ratio, .counted) }
    for call in RuntimeCall.allCases {
      recorder.add(words + [call.key], reading.maximumCalls(call).map(Double.init), .calls, .counted)
    }
  }

  private var columns: [(head: String, alignment: TextTable.Alignment)] {
    let counts: [(head: String, alignment: TextTable.Alignment)] = [
      ("instructions", .right), ("most", .right), ("of the first", .right), ("allocations", .right),
      ("retains", .right), ("releases", .right),
    ]
    return [("frame", .left), ("items", .right), ("frames", .right), ("cells", .right)]
      + (meter.countsOnly ? counts : [("median", .right), ("99 in 100", .right)]) + [("aim", .left)]
  }

  private func row(_ kind: FrameKind, _ count: Int, _ reading: FrameReading, first: FrameReading?) -> [String] {
    var entries = [
      kind.label, FigureText.count(count), FigureText.count(reading.count), FigureText.count(reading.maximumEntered),
    ]
    var verdicts: [String] = []
    if meter.countsOnly {
      let growth = reading.medianInstructions.flatMap { mine in first?.medianInstructions.map { mine / $0 } }
      entries += [
        reading.medianInstructions.map { FigureText.count($0) } ?? "-",
        reading.maximumInstructions.map { FigureText.count($0) } ?? "-", growth.map { FigureText.ratio($0) } ?? "-",
      ]
      if let most = reading.maximumInstructions, let aim = kind.instructionAim(entered: reading.maximumEntered) {
        verdicts.append(aim.verdict(on: most))
      }
      if let growth, let most = kind.growthAim {
        verdicts.append("<= \(FigureText.ratio(most)) " + (growth <= most ? "reached" : "MISSED"))
      }
      for call in RuntimeCall.allCases {
        let calls = reading.maximumCalls(call)
        entries.append(calls.map { FigureText.count($0) } ?? "-")
        if let calls, let aim = kind.callAim(call) { verdicts.append(aim.verdict(on: Double(calls))) }
      }
    } else {
      entries += [reading.medianTime, reading.percentile99Time].map { $0.map { FigureText.time($0) } ?? "-" }
    }
    return entries + [verdicts.joined(separator: ", ")]
  }

  // MARK: Runs

  /// The variant of a scroll.
  private enum Script: CaseIterable {
    /// Cells are prefetched.
    case prepared
    /// Cells are prepared on demand.
    case unprepared
    /// Cells are prefetched, and new images arrive.
    case arrivals
  }

  private struct Run {
    var readings: [FrameKind: FrameReading]
    var nanosecondsPerFrame: Double
    var late: Int
  }

  private func scroll(_ script: Script, count: Int, rate: Int) throws -> Run {
    let clock: any FrameClock = meter.countsOnly ? ManualClock() : SimulatedClock(kind: .cpu)
    let fixture = try ScrollFixture(count: count, refreshRate: rate, clock: clock, meter: meter)
    DemonstrationSwitches(fixture.view).isCellPrefetchingEnabled = script != .unprepared
    let sampler = FrameSampler(
      fixture, meter: meter, speed: ScrollProgram.speed, arrivalInterval: script == .arrivals ? 5 : nil)
    sampler.isMeasuring = script == .unprepared
    _ = fixture.loop.run(LoopLimits(frames: ScrollProgram.warmUp))
    sampler.isMeasuring = true
    let late = fixture.loop.history.hitchCount
    let start = ThreadTime.now()
    _ = fixture.loop.run(LoopLimits(frames: options.frames))
    let nanoseconds = Double((ThreadTime.now() - start).nanoseconds) / Double(options.frames)
    return Run(
      readings: sampler.readings, nanosecondsPerFrame: nanoseconds, late: fixture.loop.history.hitchCount - late)
  }
}

// MARK: - Measurement

/// Scrolls a collection view and measures each of its frames from update to upload.
@MainActor
private final class FrameSampler: FrameParticipant {
  /// The cost of frames by their kind.
  private(set) var readings: [FrameKind: FrameReading] = [:]
  /// Whether frames are measured.
  var isMeasuring = false

  private let fixture: ScrollFixture
  private let meter: FrameMeter
  private let speed: Double
  private let arrivalInterval: Int?
  private var velocity = 0.0
  private var frame = 0
  private var isCostRecorded = true
  private var before = CellStatistics()
  private var tally = FrameTally()
  private var pendingBitmap: Bitmap?

  /// Starts scrolling.
  ///
  /// - Parameters:
  ///   - fixture: The collection view with its loop.
  ///   - meter: The meter.
  ///   - speed: The speed, in points per second.
  ///   - arrivalInterval: The number of frames between two image arrivals, or nil for none. Default: nil.
  init(_ fixture: ScrollFixture, meter: FrameMeter, speed: Double, arrivalInterval: Int? = nil) {
    self.fixture = fixture
    self.meter = meter
    self.speed = speed
    self.arrivalInterval = arrivalInterval
    fixture.loop.window.addFirstParticipant(self)
  }

  var needsFrames: Bool { true }

  func update(at target: FrameInstant) {
    scroll(at: target)
    frame += 1
    tally = FrameTally()
    if let arrivalInterval, frame.isMultiple(of: arrivalInterval) {
      pendingBitmap = try? fixture.pictures.makeNewBitmap(frame)
    }
    before = fixture.view.statistics
    isCostRecorded = false
    meter.begin()
  }

  func collect(_ budget: FrameBudget) {
    guard let picture = pendingBitmap else { return }
    pendingBitmap = nil
    let range = fixture.view.visibleRange
    let item = (range.lowerBound + range.upperBound) / 2
    fixture.pictures.setPicture(picture, of: item)
    fixture.source.reconfigureItems([item])
    tally.arrived = 1
  }

  func performSlackStep(_ budget: FrameBudget) -> Bool {
    // Called several times per frame. The remaining work does not belong to the measured region.
    recordCost()
    return false
  }

  private func recordCost() {
    guard isMeasuring, !isCostRecorded, let cost = fixture.display.cost else { return }
    isCostRecorded = true
    let after = fixture.view.statistics
    tally.entered = after.displayed - before.displayed
    tally.forced = after.preparedForced - before.preparedForced
    tally.created = after.created - before.created
    tally.left = before.visible + tally.entered - after.visible
    if let kind = tally.kind { readings[kind, default: FrameReading()].add(cost, entered: tally.entered) }
  }

  /// Continues with a constant speed, and reverses the direction at the ends.
  private func scroll(at target: FrameInstant) {
    let range = fixture.view.scroll.range
    guard range.length > 0 else { return }
    let offset = fixture.view.scroll.offset(at: target)
    var newVelocity = velocity == 0 ? speed : velocity
    if offset >= range.maximum { newVelocity = -speed }
    if offset <= range.minimum { newVelocity = speed }
    guard newVelocity != velocity || fixture.view.scroll.phase(at: target) == .idle else { return }
    velocity = newVelocity
    fixture.view.applyScrollEvent(.steady(velocity: newVelocity), at: target)
  }
}
