import BenchmarkSupport
import Glibc
import VitrineFramePacing
import VitrineGeometry
import VitrineSDLBackend
import VitrineViews

/// The benchmark program, started by `scripts/bench`: `Benchmarks diff`, `operations`, `layout`, `scroll`, `input`,
/// `anchor`, `null` and `launch`, and the commands that evaluate their figures.
@main
struct Main {
  @MainActor
  static func main() {
    do {
      let invocation = try BenchmarkInvocation(Array(CommandLine.arguments.dropFirst()))
      let recorder = FigureRecorder()
      switch invocation.command {
      case .help: Output.write(BenchmarkCommand.usage, to: STDOUT_FILENO)
      case .counter: Output.line(InstructionCounter() == nil ? "none" : "perf_event_open")
      case .diff(let options): DiffProgram(options, recorder: recorder).run()
      case .operations(let options): OperationsProgram(options).run()
      case .layout(let options): LayoutProgram(options, recorder: recorder).run()
      case .scroll(let options): try ScrollProgram(options, recorder: recorder).run()
      case .input(let options): try InputProgram(options, recorder: recorder).run()
      case .anchor(let options): if !AnchorProgram(options).run() { exit(1) }
      case .null(let options): try NullProgram(options).run()
      case .scene(let options): try SceneProgram(options).run()
      case .hostile, .pixels:
        throw CommandError("pictures are tried by a program of its own; scripts/hostile and scripts/pixels start it")
      case .launch(let options): try LaunchProgram(options, recorder: recorder).run()
      case .judge(let options): if try !JudgeProgram(options).run() { exit(1) }
      case .compare(let options): try ComparisonProgram(options).run()
      case .spread(let files): if try !SpreadProgram(files: files).run() { exit(1) }
      case .decode, .library, .search, .catalogue:
        throw CommandError(
          "decoding and libraries are measured by a program of its own; scripts/bench decode, library, search and catalogue start "
            + "it"
        )
      }
      if let path = invocation.figures { try FigureDocument(recorder.figures).write(to: path) }
    } catch {
      Output.write("bench: \(error)\n", to: STDERR_FILENO)
      exit(2)
    }
  }
}

/// `bench judge`: compares figures with thresholds and earlier values, and appends them to histories.
private struct JudgeProgram {
  let options: JudgeOptions

  init(_ options: JudgeOptions) { self.options = options }

  /// Compares and prints.
  ///
  /// - Returns: Whether all thresholds that fail a run are met.
  func run() throws -> Bool {
    guard let text = try ResultFile.text(of: options.thresholds) else {
      throw ResultError("\(options.thresholds): there is no such file")
    }
    let thresholds = try ThresholdTable(text, from: options.thresholds)
    var figures: [BenchmarkFigure] = []
    for path in options.figures { figures += try FigureDocument.read(path).figures }
    var run = BenchmarkRun(
      revision: options.revision, date: options.date,
      machine: BenchmarkMachine(
        cpuinfo: KernelFile.text(of: "/proc/cpuinfo") ?? "", cores: sysconf(Int32(_SC_NPROCESSORS_ONLN))),
      toolchain: options.toolchain, isQuick: options.isQuick)
    let judgement = RunJudgement(
      run, figures: figures, benchmarks: Set(options.benchmarks), thresholds: thresholds,
      landed: try history(options.landed), history: try history(options.history), isCounted: options.isCounted)
    for line in judgement.markdown { Output.line(line) }
    if let path = options.markdown {
      try ResultFile.write(judgement.markdown.joined(separator: "\n") + "\n", to: path)
    }
    run.figures = Dictionary(figures.map { ($0.name, $0.value) }) { first, _ in first }
    if let path = options.history { try ResultFile.append(line: try run.line(), to: path) }
    if options.lands, let path = options.landed {
      run.figures = judgement.portableFigures
      try ResultFile.append(line: try run.line(), to: path)
    }
    guard !judgement.failures.isEmpty else { return true }
    Output.write("bench: missed: \(judgement.failures.joined(separator: ", "))\n", to: STDERR_FILENO)
    return false
  }

  private func history(_ path: String?) throws -> BenchmarkHistory {
    guard let path else { return BenchmarkHistory() }
    let history = try BenchmarkHistory.read(path)
    if history.unreadLines > 0 {
      Output.write("bench: \(path): \(history.unreadLines) lines are no runs and are left out\n", to: STDERR_FILENO)
    }
    return history
  }
}

/// `bench compare`: compares the figures of two revisions.
private struct ComparisonProgram {
  let options: ComparisonOptions

  init(_ options: ComparisonOptions) { self.options = options }

  /// Compares and prints.
  func run() throws {
    let report = ComparisonReport(
      base: (options.baseName, try options.base.map { try FigureDocument.read($0) }),
      now: (options.nowName, try options.now.map { try FigureDocument.read($0) }))
    for line in report.markdown { Output.line(line) }
    if let path = options.markdown {
      try ResultFile.write(report.markdown.joined(separator: "\n") + "\n", to: path)
    }
  }
}

/// `bench spread`: checks whether counted figures are the same in several runs.
private struct SpreadProgram {
  /// The figure files, one per run.
  let files: [String]

  /// Compares the runs and prints.
  ///
  /// - Returns: Whether all counted figures repeat.
  func run() throws -> Bool {
    let report = RepeatReport(try files.map { try FigureDocument.read($0) })
    for line in report.markdown { Output.line(line) }
    guard !report.failures.isEmpty else { return true }
    Output.write("bench: does not repeat: \(report.failures.joined(separator: ", "))\n", to: STDERR_FILENO)
    return false
  }
}

/// `bench null`: runs a paced frame loop without work and reports how late the machine alone makes frames.
@MainActor
private struct NullProgram {
  /// A participant that requests every frame, as an animation does.
  private final class Mover: FrameParticipant {
    var needsFrames: Bool { true }
    var isTracked: Bool { true }
  }

  private let options: NullOptions

  init(_ options: NullOptions) { self.options = options }

  /// Runs the loop for its duration and prints in one line how late its frames were.
  ///
  /// - Throws: `DisplayError` if SDL's dummy display cannot be opened.
  func run() throws {
    // The same scheduling as in the gallery.
    _ = FrameThreadScheduling()
    let size = Size(width: 1_280, height: 800)
    let display = try SDLDisplay(
      configuration: SDLDisplayConfiguration(title: "Nothing", size: size, isHeadless: true, renderer: .memory))
    defer { display.close() }
    let window = Window(rootView: View(), resources: RenderResources(display: display, text: display.textRasterizer))
    let loop = CommitLoop(
      window: window, display: display, events: display.events, clock: MonotonicClock(),
      pacing: LoopPacing(
        kind: .timer, interval: .seconds(1 / Double(options.refreshRate)), isMeasured: false, reason: "a null loop"))
    window.addParticipant(Mover())
    window.resize(to: size)
    _ = loop.run(LoopLimits(duration: .seconds(Double(options.seconds))))
    Output.line(NullReading(loop.history).line)
  }
}

/// The result of a frame loop without work.
private struct NullReading {
  /// The numbers as `name=value`, separated by spaces.
  let line: String

  /// Creates a reading of a frame history.
  init(_ history: FrameHistory) {
    let classes = HitchClass.lateClasses.map { "\($0.name)=\(history.hitchCount(of: $0))" }
    line =
      (["frames=\(history.count)", "hitch_ms_per_s=\(NullReading.rounded(history.hitchRatio ?? 0))"]
      + [
        "hitches=\(history.hitchCount)",
        "longest_ms=\(NullReading.rounded(history.worstHitches.first?.hitch.milliseconds ?? 0))",
      ]
      + classes).joined(separator: " ")
  }

  private static func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }
}
