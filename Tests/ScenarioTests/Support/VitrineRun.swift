import TestSupport
import Testing

/// The built program, running.
///
/// Its home is an empty folder, and there is no display, unless they are given.
final class VitrineRun {
  /// A small window of small pictures, for runs in which their number counts and not their size.
  static let smallWindow = ["--size", "640x480", "--columns", "8"]

  /// The process.
  let process: ChildProcess
  private let home: TemporaryFolder
  /// What it reads must stay there as long as it runs.
  private let folder: TemporaryFolder?
  private let display: XServer?
  private let compositor: Weston?

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - options: words of the command line, as text.
  ///   - folder: the folder to show.
  ///   - paths: words behind them, as bytes.
  ///   - display: the X server whose display it opens.
  ///   - compositor: the Wayland compositor that it is to find by itself.
  ///   - settings: more of the environment.
  ///   - home: the user's home; an empty folder unless given.
  ///   - wrapper: a program that starts it, with its own words, such as strace.
  init(
    _ options: [String], on folder: TemporaryFolder? = nil, paths: [[UInt8]] = [], display: XServer? = nil,
    compositor: Weston? = nil, settings: [String: String] = [:], home: TemporaryFolder? = nil, wrapper: [String] = []
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
    environment.merge(settings) { $1 }
    process = try ChildProcess(
      (wrapper + [BuiltProgram.path] + options).map { Array($0.utf8) } + (folder.map { [$0.pathBytes] } ?? [])
        + paths, environment: environment)
  }

  /// Waits for its end.
  func end(within limit: Duration = Deadline.defaultTimeout) throws -> ProcessEnd {
    try process.waitForEnd(within: limit)
  }

  /// Waits until all threads of the program, of its processes and of its X server have slept for a third of a second.
  ///
  /// Those that are ready to run and get no core, or wait for a disk, do not count as asleep, however long that takes:
  /// while any of them has something to do, one of them is awake.
  ///
  /// - Returns: what the program's own threads have done by then.
  ///
  /// - Parameter still: for how long nothing is to have run.
  func waitForRest(still: Duration = .milliseconds(350)) throws -> ProcessLook.Effort {
    let look = ProcessLook(number: process.number)
    var last: ProcessLook.Effort?
    var others: [ProcessLook] = []
    var efforts: [ProcessLook.Effort] = []
    var stillSince = Deadline(still)
    // Decoding processes run when nobody else wants the core: on a busy machine that takes long.
    let before = look.activity
    return try process.wait(for: "the program to come to rest; at first \(before), now \(look.activity)") {
      guard let own = look.effort else { return nil }
      // Who starts a process does something: no need to look for new ones otherwise.
      if own != last {
        let screens = [display?.look, compositor?.look].compactMap(\.self)
        others = look.children.sorted().map { ProcessLook(number: $0) } + screens
      }
      let now = others.compactMap(\.effort)
      if own != last || now != efforts || !own.isAsleep || !now.allSatisfy(\.isAsleep) {
        last = own
        efforts = now
        stillSince = Deadline(still)
      }
      return stillSince.hasPassed ? own : nil
    }
  }

  /// Watches the program for a while that it should spend at rest.
  ///
  /// - Returns: what its threads have done by the end of it.
  func watch(for duration: Duration) throws -> ProcessLook.Effort {
    let look = ProcessLook(number: process.number)
    let end = Deadline(duration)
    return try process.wait(for: "the end of the watch") { end.hasPassed ? look.effort : nil }
  }

  /// Runs the program to its end.
  static func end(
    _ options: [String], on folder: TemporaryFolder? = nil, paths: [[UInt8]] = [], wrapper: [String] = []
  ) throws -> ProcessEnd {
    try VitrineRun(options, on: folder, paths: paths, wrapper: wrapper).end()
  }

  /// Runs the program headless on a folder and reads its report.
  static func report(
    _ options: [String], on folder: TemporaryFolder? = nil, wrapper: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RunFigures {
    let end = try end(["--headless", "--report", "-"] + options, on: folder, wrapper: wrapper)
    try #require(end.status == 0 && end.complaints.isEmpty, "\(end)", sourceLocation: sourceLocation)
    return try RunFigures(end.output)
  }
}
