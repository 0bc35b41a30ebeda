import CollectionUI
import ExampleSupport
import PictureServer
import VitrineDiagnostics
import VitrineHosting
import VitrineImages

/// A run of each of the six steps with the same scrolling, compared by the processor time of the render thread.
struct StepComparison {
  private let settings: DestinationsSettings
  private let context: ProgramContext

  /// Prepares the runs.
  ///
  /// They are headless. Default: the `cpu` clock, eight seconds, and flicks of 5,000 points per second.
  init(_ settings: DestinationsSettings, in context: ProgramContext) {
    var settings = settings
    settings.hosting.isHeadless = true
    settings.hosting.clock = settings.hosting.clock.isSimulated ? settings.hosting.clock : .cpu
    if settings.common.script == nil, settings.common.steps.isEmpty {
      settings.common.script = .flick(speed: 5_000)
    }
    settings.hosting.duration = settings.hosting.duration ?? 8
    settings.common.report = nil
    self.settings = settings
    self.context = context
  }

  /// Runs the steps.
  ///
  /// - Returns: The results; fewer than six after a signal.
  func run() throws -> [StepResult] {
    let catalog = try PictureCatalog.open(settings)
    defer { catalog.close() }
    context.interrupt.addHandler { catalog.stopGenerating() }
    // The cost of generating pictures is not part of any step.
    do throws(HostError) {
      try catalog.waitUntilGenerated()
    } catch {
      if context.interrupt.isRaised { return [] }
      throw error
    }
    var results: [StepResult] = []
    for step in Step.allCases {
      guard !context.interrupt.isRaised, let result = try run(step, catalog: catalog) else { break }
      results.append(result)
    }
    return results
  }

  /// Runs one step as `--step` does, with its own trace file if traces are recorded.
  ///
  /// - Returns: The result, or nil after a signal.
  private func run(_ step: Step, catalog: PictureCatalog) throws -> StepResult? {
    var settings = settings
    settings.step = step
    settings.common.trace = settings.common.trace.map {
      OutputFile.siblingPath(of: $0, suffix: "step-\(step.rawValue)")
    }
    try settings.validate()
    let diagnostics = RunDiagnostics(settings.common)
    let host = try context.openHost(settings.hosting, title: DestinationsExample.title, observer: diagnostics)
    defer { host.close() }
    let example = try DestinationsExample(settings, host: host, catalog: catalog)
    defer { example.shutdown() }
    guard try example.run(on: host, diagnostics, theme: settings.theme) == 0, let loop = example.loop else {
      return nil
    }
    let history = loop.history
    guard let hitchRatio = history.hitchRatio else {
      throw HostError("--story: nothing was scrolled, so there is nothing to compare")
    }
    var result = StepResult(step: step)
    if loop.costVisibility != .none {
      result.hitchRatio = hitchRatio
      result.longestHitch = history.worstHitches.first?.hitch.milliseconds ?? 0
    }
    result.placeholderTime = example.placeholderTime.cellMilliseconds
    result.decodedOnRenderThread = example.pipeline.statistics.decodedOnRenderThread
    return result
  }
}

extension DestinationsExample {
  /// Compares the steps if `--story` is set.
  static func performCommand(_ settings: DestinationsSettings, in context: ProgramContext) throws -> Int32? {
    guard settings.comparesSteps else { return nil }
    let report = StepReport(results: try StepComparison(settings, in: context).run())
    if let destination = settings.common.report {
      do throws(OutputError) {
        let file = try OutputFile(destination)
        try file.write(report.json.utf8)
        try file.close()
      } catch {
        throw HostError("--report \(destination): \(error)")
      }
    }
    if settings.common.report != "-" { try context.console.print(report.table, for: "--story") }
    return context.interrupt.isRaised ? 130 : 0
  }
}

/// The result of one step.
struct StepResult: Equatable {
  let step: Step
  /// The hitch time in milliseconds per second of scrolling, or nil if the clock does not measure costs.
  var hitchRatio: Double?
  /// The longest hitch in milliseconds, or nil if the clock does not measure costs.
  var longestHitch: Double?
  /// The number of visible cells without their picture, times milliseconds.
  var placeholderTime = 0.0
  /// The number of pictures decoded on the render thread.
  var decodedOnRenderThread = 0
}

/// The results as a table and as JSON.
struct StepReport {
  let results: [StepResult]

  /// A table with one line per step.
  var table: String {
    let head = "step                                hitch ratio       longest   placeholders   decoded while drawing\n"
    let lines = results.map { result in
      let name = "\(result.step.rawValue)  \(result.step.title)"
      return name + String(repeating: " ", count: max(1, 33 - name.count))
        + column(result.hitchRatio, 1, " ms/s", width: 14) + column(result.longestHitch, 1, " ms", width: 14)
        + column(result.placeholderTime, 0, " ms", width: 15)
        + column(Double(result.decodedOnRenderThread), 0, "", width: 24) + "\n"
    }
    return head + lines.joined()
  }

  /// A JSON object with the steps in order.
  var json: String {
    let steps = results.map { result in
      """
          {
            "step": \(result.step.rawValue),
            "ratioMsPerS": \(result.hitchRatio.map { number($0, 3) } ?? "null"),
            "longestHitchMs": \(result.longestHitch.map { number($0, 3) } ?? "null"),
            "placeholderCellMs": \(number(result.placeholderTime, 1)),
            "decodedOnRenderThread": \(result.decodedOnRenderThread)
          }
      """
    }
    return "{\n  \"steps\": [\n" + steps.joined(separator: ",\n") + "\n  ]\n}\n"
  }

  private func column(_ value: Double?, _ decimals: Int, _ unit: String, width: Int) -> String {
    let text =
      value.map { (decimals == 0 ? String(Int($0.rounded())) : number($0, decimals)) + unit } ?? "not measured"
    return String(repeating: " ", count: max(1, width - text.count)) + text
  }

  private func number(_ value: Double, _ decimals: Int) -> String {
    var factor = 1.0
    for _ in 0..<decimals { factor *= 10 }
    return String((value * factor).rounded() / factor)
  }
}
