import BenchmarkSupport
import Glibc

/// `bench judge`: figures held against the thresholds of the tree, beside what they were before, and put into histories.
struct JudgeProgram {
  let options: JudgeOptions

  init(_ options: JudgeOptions) { self.options = options }

  /// Judges and prints.
  ///
  /// - Returns: whether every threshold is kept that says more of the program than of the machine.
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
      run.figures = judgement.lasting
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
