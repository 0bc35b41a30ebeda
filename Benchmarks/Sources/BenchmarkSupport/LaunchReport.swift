internal import FoundationEssentials

/// The launch times and memory in the gallery's report.
public struct LaunchReport: Hashable, Decodable, Sendable {
  private struct Launch: Hashable, Decodable, Sendable {
    var firstFrameInstantNs: Double?
    var firstFullScreenInstantNs: Double?
  }

  private struct Memory: Hashable, Decodable, Sendable {
    var residentPeakBytes: Double
  }

  private struct Library: Hashable, Decodable, Sendable {
    var items: Int
  }

  private struct Hitches: Hashable, Decodable, Sendable {
    struct Classes: Hashable, Decodable, Sendable {
      var commitLate: Int
    }

    var ratioMsPerS: Double
    var byClass: Classes
  }

  private let launch: Launch
  private let memory: Memory
  private let library: Library?
  private let hitches: Hitches?

  /// Parses the text of a report.
  ///
  /// - Throws: ``ResultError`` that names the source.
  public init(_ text: String, from source: String) throws(ResultError) {
    do { self = try JSONDecoder().decode(LaunchReport.self, from: Data(text.utf8)) } catch {
      throw ResultError(source, error)
    }
  }

  /// The time of the first frame on the monotonic clock, in nanoseconds, or nil if there was none.
  public var firstFrame: Double? { launch.firstFrameInstantNs }
  /// The time at which every visible cell had its image, in nanoseconds, or nil if the run ended before.
  public var fullScreen: Double? { launch.firstFullScreenInstantNs }
  /// The peak resident memory of the run, in bytes.
  public var residentBytes: Double { memory.residentPeakBytes }
  /// The number of photographs at the end of the run, or nil if the report has none.
  public var itemCount: Int? { library?.items }
  /// The hitch time in milliseconds per second of movement, and the number of hitches that the work of frames caused; nil
  /// if nothing moved.
  public var hitchFigures: (ratio: Double, ownCount: Int)? { hitches.map { ($0.ratioMsPerS, $0.byClass.commitLate) } }
}

/// The duration of one launch.
public struct LaunchReading: Hashable, Sendable {
  /// The time from exec to the first frame, in nanoseconds, or nil if there was none.
  public let firstFrame: Double?
  /// The time from exec until every visible cell had its image, in nanoseconds, or nil if the run ended before.
  public let fullScreen: Double?

  /// Creates a reading.
  ///
  /// - Parameters:
  ///   - start: The time at which the program was started, in nanoseconds on the monotonic clock.
  ///   - report: The gallery's report.
  public init(start: Double, report: LaunchReport) {
    firstFrame = report.firstFrame.map { $0 - start }
    fullScreen = report.fullScreen.map { $0 - start }
  }
}

/// The durations of several launches.
public struct LaunchReadings: Hashable, Sendable {
  /// The times to the first frame, in nanoseconds, of the launches that have one.
  public private(set) var firstFrames: [Double] = []
  /// The times to a full screen, in nanoseconds, of the launches that have one.
  public private(set) var fullScreens: [Double] = []

  /// Creates readings without launches.
  public init() {}

  /// Adds a launch.
  public mutating func add(_ reading: LaunchReading) {
    if let time = reading.firstFrame { firstFrames.append(time) }
    if let time = reading.fullScreen { fullScreens.append(time) }
  }
}

/// A launch configuration of the gallery.
public struct LaunchCase: Hashable, Sendable {
  /// The words of the figures' names.
  public let words: [String]
  /// The label in the table.
  public let label: String
  /// The arguments of the gallery.
  public let arguments: [String]

  /// Returns the cases of a benchmark: synthetic items and a folder, headless and optionally in a window.
  public static func all(_ options: LaunchOptions) -> [LaunchCase] {
    let libraries = [
      ("synthetic", "\(FigureText.count(options.items)) items without files", ["--synthetic", "\(options.items)"]),
      ("folder", "a folder", [options.folder]),
    ]
    let displays =
      [("headless", "headless", ["--headless"])] + (options.hasWindow ? [("window", "in a window", [])] : [])
    return displays.flatMap { display in
      libraries.map { library in
        LaunchCase(
          words: ["launch", library.0, display.0], label: "\(library.1), \(display.1)",
          // A cache filled by an earlier launch would make the next launch a different case.
          arguments: display.2 + ["--no-cache", "--size", "1280x800", "--renderer", "memory"] + library.2)
      }
    }
  }
}

/// The options of `bench launch`, which measures the launch of the gallery.
public struct LaunchOptions: Hashable, Sendable {
  /// The executable of the gallery.
  public var program = ""
  /// A folder of photographs.
  public var folder = ""
  /// The number of items of the synthetic library.
  public var items = 100_000
  /// The number of launches of each case, in alternation.
  public var repeats = 9
  /// Whether the gallery is also launched in a window of the window system that the environment specifies.
  public var hasWindow = false
  /// Whether to count instructions with callgrind and opened files with strace instead of measuring times.
  public var countsInstructions = false
  /// The folder for the output of the instruments.
  public var work = "/tmp"

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option or a missing one.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") { repeats = 3 }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick": break
      case "--program": program = try words.path(of: name)
      case "--folder": folder = try words.path(of: name)
      case "--n": items = try words.number(of: name, in: 1_000...100_000_000)
      case "--repeat": repeats = try words.repeats(of: name)
      case "--window": hasWindow = true
      case "--instructions": countsInstructions = true
      case "--work": work = try words.path(of: name)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    if program.isEmpty { throw CommandError("launch needs --program FILE; scripts/bench builds one") }
    if folder.isEmpty { throw CommandError("launch needs --folder FOLDER; scripts/bench makes one") }
  }
}
