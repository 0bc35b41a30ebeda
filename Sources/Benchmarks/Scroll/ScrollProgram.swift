import BenchmarkSupport
import CollectionUI
import FramePacing
import Views

/// `bench scroll`: what the frames of a scrolling collection view take, and that they take the same for any number of
/// items.
@MainActor
struct ScrollProgram {
  private let options: ScrollOptions
  private let meter: StretchMeter
  private let recorder: FigureRecorder

  private static let speed = 2_000.0
  private static let warmUp = 120

  init(_ options: ScrollOptions, recorder: FigureRecorder) {
    self.options = options
    self.recorder = recorder
    meter = StretchMeter(callgrindOutput: options.callgrindOutput)
  }

  /// Measures and prints what is asked for.
  func run() throws {
    for (place, measure) in options.measures.enumerated() {
      if place > 0 { Output.line("") }
      switch measure {
      case .frames: try frames()
      case .headroom: HeadroomProgram(seconds: options.headroomSeconds, recorder: recorder).run()
      case .rival: RivalProgram().run()
      case .endurance: try EnduranceProgram(options.endurance).run()
      }
    }
  }

  /// What frames take, refresh rate by refresh rate.
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
            "\(FigureText.count(count)) items: \(FigureText.time(run.nanosecondsAFrame)) of processor time a frame in all, "
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
      recorder.add(words + ["p99"], reading.longTime, .nanoseconds, .measured)
      return
    }
    let words = ["scroll", kind.key, "\(count)"]
    recorder.add(words + ["instructions"], reading.medianInstructions, .instructions, .counted)
    recorder.add(words + ["most-instructions"], reading.mostInstructions, .instructions, .counted)
    let growth = reading.medianInstructions.flatMap { mine in first?.medianInstructions.map { mine / $0 } }
    if count > (options.sizes.first ?? count) { recorder.add(words + ["growth"], growth, .ratio, .counted) }
    for call in RuntimeCall.allCases {
      recorder.add(words + [call.key], reading.mostCalls(call).map(Double.init), .calls, .counted)
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
      kind.label, FigureText.count(count), FigureText.count(reading.count), FigureText.count(reading.mostEntered),
    ]
    var verdicts: [String] = []
    if meter.countsOnly {
      let growth = reading.medianInstructions.flatMap { mine in first?.medianInstructions.map { mine / $0 } }
      entries += [
        reading.medianInstructions.map { FigureText.count($0) } ?? "-",
        reading.mostInstructions.map { FigureText.count($0) } ?? "-", growth.map { FigureText.ratio($0) } ?? "-",
      ]
      if let most = reading.mostInstructions, let aim = kind.instructionAim(entered: reading.mostEntered) {
        verdicts.append(aim.verdict(on: most))
      }
      if let growth, let most = kind.growthAim {
        verdicts.append("<= \(FigureText.ratio(most)) " + (growth <= most ? "reached" : "MISSED"))
      }
      for call in RuntimeCall.allCases {
        let calls = reading.mostCalls(call)
        entries.append(calls.map { FigureText.count($0) } ?? "-")
        if let calls, let aim = kind.callAim(call) { verdicts.append(aim.verdict(on: Double(calls))) }
      }
    } else {
      entries += [reading.medianTime, reading.longTime].map { $0.map { FigureText.time($0) } ?? "-" }
    }
    return entries + [verdicts.joined(separator: ", ")]
  }

  // MARK: Runs

  /// How a stage is scrolled.
  private enum Script: CaseIterable {
    /// Cells are prepared ahead.
    case prepared
    /// Cells are prepared when they are needed.
    case unprepared
    /// The same as prepared, and pictures arrive.
    case arrivals
  }

  private struct Run {
    var readings: [FrameKind: FrameReading]
    var nanosecondsAFrame: Double
    var late: Int
  }

  private func scroll(_ script: Script, count: Int, rate: Int) throws -> Run {
    let clock: any FrameClock = meter.countsOnly ? StillClock() : SimulatedClock(kind: .cpu)
    let stage = try ScrollStage(count: count, refreshRate: rate, clock: clock, meter: meter)
    stage.view.isCellPrefetchingEnabled = script != .unprepared
    let watch = FrameWatch(
      stage, meter: meter, speed: ScrollProgram.speed, arrivalInterval: script == .arrivals ? 5 : nil)
    watch.isMeasuring = script == .unprepared
    _ = stage.loop.run(LoopLimits(frames: ScrollProgram.warmUp))
    watch.isMeasuring = true
    let late = stage.loop.history.hitchCount
    let start = ThreadTime.now()
    _ = stage.loop.run(LoopLimits(frames: options.frames))
    let took = Double((ThreadTime.now() - start).nanoseconds) / Double(options.frames)
    return Run(
      readings: watch.readings, nanosecondsAFrame: took, late: stage.loop.history.hitchCount - late)
  }
}
