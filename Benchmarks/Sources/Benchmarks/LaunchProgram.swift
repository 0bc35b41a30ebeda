import BenchmarkSupport
import Glibc

/// `bench launch`: measures the gallery from exec to its first frame and to a screen full of images.
struct LaunchProgram {
  private let options: LaunchOptions
  private let recorder: FigureRecorder
  /// The number of instruction counts, of which the median is used: the first thread that needs what the Swift runtime
  /// computes once, such as protocol conformances, pays for it.
  private static let counts = 3

  init(_ options: LaunchOptions, recorder: FigureRecorder) {
    self.options = options
    self.recorder = recorder
  }

  /// Measures and prints.
  func run() throws { if options.countsInstructions { try count() } else { try time() } }

  // MARK: Times

  private func time() throws {
    let cases = LaunchCase.all(options)
    var readings = [LaunchReadings](repeating: LaunchReadings(), count: cases.count)
    for _ in 0..<options.repeats {
      for (index, test) in cases.enumerated() { readings[index].add(try launch(test.arguments, seconds: 2)) }
    }
    Output.line(
      "The gallery from exec on, 1280 x 800 points, in software, nothing kept on disk; \(options.repeats) launches of "
        + "each case, in turn.")
    var table = TextTable([
      ("launched with", .left), ("first frame: median", .right), ("least", .right), ("a full screen: median", .right),
      ("least", .right), ("resident at the first frame", .right),
    ])
    for (test, readings) in zip(cases, readings) {
      let resident = try launch(test.arguments, frames: 1).residentBytes
      let (first, full) = (HistoryStatistics(readings.firstFrames), HistoryStatistics(readings.fullScreens))
      recorder.add(test.words + ["first-frame"], first?.median, .nanoseconds, .measured)
      recorder.add(test.words + ["full-screen"], full?.median, .nanoseconds, .measured)
      recorder.add(test.words + ["resident"], resident, .bytes, .measured)
      table.add(
        [test.label] + [first?.median, first?.least, full?.median, full?.least].map { $0.map(FigureText.time) ?? "-" }
          + [FigureUnit.bytes.text(resident)])
    }
    for line in table.lines { Output.line("  " + line) }
  }

  /// Launches the gallery for a duration and returns the times.
  private func launch(_ arguments: [String], seconds: Int) throws -> LaunchReading {
    let (report, start) = try run(arguments + ["--duration", "\(seconds)"])
    return LaunchReading(start: start, report: report)
  }

  private func launch(_ arguments: [String], frames: Int) throws -> LaunchReport {
    try run(arguments + ["--frames", "\(frames)"]).report
  }

  private func run(_ arguments: [String]) throws -> (report: LaunchReport, start: Double) {
    let path = "\(options.work)/launch.json"
    unlink(path)
    let start = Double(ProcessLauncher.now)
    let words = [options.program, "--report", path] + arguments
    let status = ProcessLauncher.run(words, output: "\(options.work)/launch.log")
    guard status == 0, let text = try ResultFile.text(of: path) else {
      throw CommandError("\(options.program): the launch failed; see \(options.work)/launch.log")
    }
    return (try LaunchReport(text, from: path), start)
  }

  // MARK: Counts

  /// Counts on the virtual clock, so that the first frame does the same work in every run.
  private func count() throws {
    Output.line("The drawing thread of the gallery from exec to its first frame: callgrind; files by strace.")
    var table = TextTable([
      ("launched with", .left), ("instructions", .right), ("allocations", .right), ("retains", .right),
      ("releases", .right), ("files opened", .right),
    ])
    for test in LaunchCase.all(options) where test.arguments.contains("--headless") {
      let arguments = [options.program] + test.arguments + ["--clock", "virtual", "--frames", "1"]
      let profiles = try (0..<LaunchProgram.counts).map { _ in try countedLaunch(arguments) }
      let profile = profiles.sorted { $0.instructions < $1.instructions }[LaunchProgram.counts / 2]
      let files = try openedFiles(arguments)
      let words = test.words.dropLast() + ["first-frame"]
      recorder.add(words + ["instructions"], profile.instructions, .instructions, .counted)
      for call in RuntimeCall.allCases {
        recorder.add(words + [call.key], Double(profile.count(of: call)), .calls, .counted)
      }
      recorder.add(words + ["files"], Double(files), .files, .counted)
      table.add(
        [test.label, FigureText.count(profile.instructions)]
          + RuntimeCall.allCases.map { FigureText.count(profile.count(of: $0)) } + [FigureText.count(files)])
    }
    for line in table.lines { Output.line("  " + line) }
  }

  /// Returns the profile of the first thread up to its first frame.
  private func countedLaunch(_ arguments: [String]) throws -> CallgrindProfile {
    let output = "\(options.work)/launch-profile"
    let words = [
      "valgrind", "--quiet", "--fair-sched=try", "--tool=callgrind", "--separate-threads=yes",
      "--dump-after=platform_first_frame_was_shown", "--callgrind-out-file=\(output)",
    ]
    let status = ProcessLauncher.run(words + arguments, output: "\(options.work)/launch.log")
    // The first dump, and in it the first thread.
    guard status == 0, let text = try ResultFile.text(of: "\(output).1-01"), let profile = CallgrindProfile(text) else {
      throw CommandError("the launch under valgrind failed; see \(options.work)/launch.log")
    }
    return profile
  }

  /// Returns the number of files that the first thread opens in a run of one frame.
  private func openedFiles(_ arguments: [String]) throws -> Int {
    let output = "\(options.work)/launch.strace"
    let words = ["strace", "-e", "trace=open,openat,openat2", "-o", output]
    let status = ProcessLauncher.run(words + arguments, output: "\(options.work)/launch.log")
    guard status == 0, let text = try ResultFile.text(of: output) else {
      throw CommandError("the launch under strace failed; see \(options.work)/launch.log")
    }
    return OpenedFiles.count(in: text)
  }
}
