import Foundation
import Testing
import VitrineTestSupport

/// The programs in the folder of build products, and the tools that are installed.
enum BuiltProgram {
  /// The path of the gallery.
  static let path = productPath("vitrine")
  /// The path of the program that runs jobs of the main queue.
  static let jobsProbe = productPath("JobsProbe")
  /// The path of the benchmarks.
  static let benchmarks = productPath("Benchmarks")
  /// Whether the benchmarks, a separate package, are built.
  static var hasBenchmarks: Bool { FileManager.default.isExecutableFile(atPath: benchmarks) }
  /// Whether the examples, a separate package, are built.
  static var hasExamples: Bool { FileManager.default.isExecutableFile(atPath: productPath("vitrine-emoji")) }

  /// Returns the path of a program in the folder of the test executable.
  private static func productPath(_ name: String) -> String {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return tests.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/" + name
  }

  /// Returns the path of a tool on the PATH, or nil if it is not installed.
  static func toolPath(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Returns whether all the given tools are installed.
  static func isInstalled(_ tools: String...) -> Bool { tools.allSatisfy { toolPath($0) != nil } }

  /// Returns the environment of every process that a test starts, without a display and without the user's settings.
  static func environment(home: String) -> [String: String] {
    var environment = ["HOME": home, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": home]
    for name in ["PATH", "LD_LIBRARY_PATH"] {
      if let value = ProcessInfo.processInfo.environment[name] { environment[name] = value }
    }
    return environment
  }

  /// The optional folder `../shared/images` next to the package, with images of many kinds and a table of them, or nil.
  static var corpus: URL? {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let images = package.deletingLastPathComponent().appending(path: "shared/images")
    return FileManager.default.fileExists(atPath: images.appending(path: "MANIFEST.tsv").path) ? images : nil
  }
}

/// A run of the built program.
///
/// By default, the home directory is an empty folder, and there is no display.
final class VitrineRun {
  /// Options for a small window of small pictures, for tests that depend on their number and not on their size.
  static let smallWindow = ["--size", "640x480", "--columns", "8"]

  let process: ChildProcess
  private let home: TemporaryFolder
  /// Retained because the folder must exist while the program runs.
  private let folder: TemporaryFolder?
  private let display: XServer?
  private let compositor: Weston?

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - options: The first arguments.
  ///   - program: The path of the program. Default: that of the gallery.
  ///   - folder: The folder to show, passed after the options.
  ///   - paths: The last arguments, as bytes.
  ///   - display: The X server whose display the program opens.
  ///   - compositor: The Wayland compositor that the program finds by its environment.
  ///   - additions: Environment variables that override the default ones.
  ///   - home: The home directory. Default: an empty folder.
  ///   - wrapper: A program that starts the built program, such as strace, with its arguments.
  init(
    _ options: [String], of program: String = BuiltProgram.path, on folder: TemporaryFolder? = nil,
    paths: [[UInt8]] = [], display: XServer? = nil,
    compositor: Weston? = nil, environment additions: [String: String] = [:], home: TemporaryFolder? = nil,
    wrapper: [String] = []
  ) throws {
    let home = try home ?? TemporaryFolder()
    self.home = home
    self.folder = folder
    self.display = display
    self.compositor = compositor
    var environment = BuiltProgram.environment(home: home.path)
    environment["DISPLAY"] = display?.name
    if display != nil, compositor == nil { environment["SDL_VIDEODRIVER"] = "x11" }
    environment.merge(compositor?.environment ?? [:]) { $1 }
    environment.merge(additions) { $1 }
    process = try ChildProcess(
      (wrapper + [program] + options).map { Array($0.utf8) } + (folder.map { [$0.pathBytes] } ?? [])
        + paths, environment: environment)
  }

  /// Waits until the program exits.
  func waitForExit(within limit: Duration = Deadline.defaultTimeout) throws -> ProcessResult {
    try process.waitForExit(within: limit)
  }

  /// Waits until all threads of the program and of its child processes have slept for a while, and its display server
  /// has handled what the program sent.
  ///
  /// A thread that is runnable but has no core, or that waits for a disk, does not count as asleep, however long that
  /// takes: while there is work left, at least one thread is awake. Whether the X server sleeps is not asked, because it
  /// also works for other reasons. It answers a request instead.
  ///
  /// - Parameter duration: The time in which no thread may run.
  /// - Returns: The usage of the program's own threads.
  func waitUntilIdle(for duration: Duration = .milliseconds(350)) throws -> ProcessInspector.Usage {
    let inspector = ProcessInspector(processID: process.id)
    var last: ProcessInspector.Usage?
    var others: [ProcessInspector] = []
    var lastOfOthers: [ProcessInspector.Usage] = []
    var idleDeadline = Deadline(duration)
    // Decoding processes have the lowest priority: on a busy machine this takes long.
    let compositors = [compositor?.inspector].compactMap(\.self)
    func activity() -> String {
      ([inspector, display?.inspector].compactMap(\.self) + compositors).map(\.activity).joined(separator: "; ")
    }
    let before = activity()
    return try process.wait(for: "the program to become idle; at first \(before), now \(activity())") {
      guard let own = inspector.usage else { return nil }
      // Starting a process changes the usage: otherwise there are no new processes to look for.
      if own != last {
        others = inspector.children.sorted().map { ProcessInspector(processID: $0) } + compositors
      }
      let now = others.compactMap(\.usage)
      if own != last || now != lastOfOthers || !own.isAsleep || !now.allSatisfy(\.isAsleep) {
        last = own
        lastOfOthers = now
        idleDeadline = Deadline(duration)
      }
      guard idleDeadline.hasPassed else { return nil }
      // An event that the server sends before its answer wakes the program.
      try display?.waitForAnswer()
      return inspector.usage == own ? own : nil
    }
  }

  /// Waits for a given time, in which the program is expected to be idle.
  ///
  /// - Returns: The usage of the program's threads at the end.
  func observe(for duration: Duration) throws -> ProcessInspector.Usage {
    let inspector = ProcessInspector(processID: process.id)
    let deadline = Deadline(duration)
    return try process.wait(for: "the end of the observation") { deadline.hasPassed ? inspector.usage : nil }
  }

  /// Runs the program until it exits.
  static func run(
    _ options: [String], on folder: TemporaryFolder? = nil, paths: [[UInt8]] = [], wrapper: [String] = []
  ) throws -> ProcessResult {
    try VitrineRun(options, on: folder, paths: paths, wrapper: wrapper).waitForExit()
  }

  /// Runs the program headless and returns its report.
  ///
  /// It requires the exit status 0 and empty standard error.
  static func report(
    _ options: [String], on folder: TemporaryFolder? = nil, wrapper: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RunFigures {
    let result = try run(["--headless", "--report", "-"] + options, on: folder, wrapper: wrapper)
    try #require(result.status == 0 && result.errorOutput.isEmpty, "\(result)", sourceLocation: sourceLocation)
    return try RunFigures(result.output)
  }
}

// Each of these suites is serialized, because more parallel runs would only compete for the processors. The suites run
// in parallel.

/// The built program, run on folders of real files as a user runs it.
@Suite("The built program", .serialized, .onThreadsThatWait)
enum Scenarios {}

/// The options, the limits, the verdicts and the exit status of the built program.
@Suite("The built program's command line", .serialized, .onThreadsThatWait)
enum CommandLineScenarios {}

/// The built program in windows of an X server or a Wayland compositor.
///
/// They wait for the screen more often than they use the processor.
@Suite("The built program in a window", .serialized, .onThreadsThatWait)
enum WindowScenarios {}

/// The pointer and the selection in windows of an X server.
@Suite("The built program's input in a window", .serialized, .onThreadsThatWait)
enum InputScenarios {}

/// A trait that runs tests on threads that may wait for other processes.
///
/// Swift's concurrency has one thread for each core. A test that waits for a program would keep one from all other
/// tests.
struct WaitingThreads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingExecutor.shared) { try await function() }
  }
}

extension SuiteTrait where Self == WaitingThreads {
  /// Runs the tests of a suite on threads that may wait for other processes.
  static var onThreadsThatWait: Self { WaitingThreads() }
}

/// An executor with as many threads as there are waiting tests.
private final class WaitingExecutor: TaskExecutor {
  static let shared = WaitingExecutor()

  private let queue = DispatchQueue(label: "waiting tests", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
