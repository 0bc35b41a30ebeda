/// The costs of one run of the scene, serialized as one line for the parent process.
public struct SceneReading: Hashable, Sendable {
  /// A part of the frame time.
  public enum Part: String, CaseIterable, Hashable, Sendable {
    /// Input processing.
    case events
    /// From update to commit.
    case commit
    /// Upload of bitmaps as textures.
    case upload
    /// Drawing of the display list.
    case raster
    /// Prefetching.
    case slack
    /// Presentation of the frame to the window system.
    case present
  }

  /// The number of measured frames.
  public var frames = 0
  /// The user and system time of the whole process, in nanoseconds.
  public var processorTime = 0
  /// The total wall times of the parts, in nanoseconds.
  public var parts: [Part: Int] = [:]
  /// The 99th percentile of the time from the start of a frame to the end of drawing, in nanoseconds.
  public var percentile99Commit = 0
  /// The number of late frames.
  public var hitches = 0
  /// The number of late frames caused by this program and not by the system or the window system.
  public var ownHitches = 0
  /// The number of frames shown more than 25 ms after the previous frame, the definition of a hitch in comparable
  /// programs.
  public var longGaps = 0
  /// The longest time between two frames, in nanoseconds.
  public var longestGap = 0
  /// The resident memory at the end, in bytes.
  public var resident = 0
  /// The peak resident memory, in bytes.
  public var peakResident = 0
  /// The allocated memory at the end, in bytes.
  public var allocated = 0
  /// The number of frames for which pixels were moved.
  public var movedFrames = 0
  /// Whether the pixels of the last frame equal those of a full redraw.
  public var hasRightPixels = false

  /// Creates a reading without frames.
  public init() {}

  /// The average processor time per frame, in nanoseconds.
  public var timePerFrame: Double { frames > 0 ? Double(processorTime) / Double(frames) : 0 }

  /// Returns the average wall time of a part per frame, in nanoseconds.
  public func timePerFrame(of part: Part) -> Double { frames > 0 ? Double(parts[part] ?? 0) / Double(frames) : 0 }

  /// The time between two frames above which the gap counts as long, in nanoseconds.
  public static let longGap = 25_000_000
  private static let prefix = "scene"

  /// All numbers in one line.
  public var line: String {
    let numbers =
      [
        frames, processorTime, percentile99Commit, hitches, ownHitches, longGaps, longestGap, resident, peakResident,
        allocated,
        movedFrames, hasRightPixels ? 1 : 0,
      ] + Part.allCases.map { parts[$0] ?? 0 }
    return ([SceneReading.prefix] + numbers.map(String.init)).joined(separator: " ")
  }

  /// Parses a line, or returns nil if it is not a reading.
  public init?(line: String) {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard words.first.map(String.init) == SceneReading.prefix, numbers.count == words.count - 1,
      numbers.count == 12 + Part.allCases.count
    else { return nil }
    (frames, processorTime, percentile99Commit) = (numbers[0], numbers[1], numbers[2])
    (hitches, ownHitches, longGaps, longestGap) = (numbers[3], numbers[4], numbers[5], numbers[6])
    (resident, peakResident, allocated, movedFrames) = (numbers[7], numbers[8], numbers[9], numbers[10])
    hasRightPixels = numbers[11] == 1
    for (part, time) in zip(Part.allCases, numbers[12...]) { parts[part] = time }
  }
}

/// A summary of the runs of the scene by redraw mode and size.
public struct SceneSummary: Hashable, Sendable {
  /// The upper bound on the resident memory with the smallest number of items, in bytes.
  public static let residentAim = 96 << 20
  /// The upper bound on the memory of an additional item.
  public static let itemAim = Aim(.bytes, 32)

  private var runs: [Key: [SceneReading]] = [:]
  private var sizes: [Int] = []
  private var peer = ScenePeer()

  private struct Key: Hashable {
    var mode: SceneRedrawMode
    var size: Int
  }

  /// Creates a summary without runs.
  public init() {}

  /// Adds a run.
  public mutating func add(_ reading: SceneReading, _ mode: SceneRedrawMode, size: Int) {
    runs[Key(mode: mode, size: size), default: []].append(reading)
    if !sizes.contains(size) {
      sizes.append(size)
      sizes.sort()
    }
  }

  /// Adds the time per frame of the plain reference program, in nanoseconds.
  public mutating func addPeerTime(_ time: Double, _ mode: SceneRedrawMode) { peer.add(time, mode) }

  /// A comparison with the reference program for the smallest number of items, one line per redraw mode.
  ///
  /// Empty if the reference program did not run.
  public var peerLines: [String] {
    SceneRedrawMode.allCases.reversed().compactMap { mode in
      let ours = sizes.first.flatMap { runs[Key(mode: mode, size: $0)] }
      return peer.line(mode, ours: ours.map { SceneSummary.median($0.map(\.timePerFrame)) })
    }
  }

  /// The table of the redraw modes and sizes.
  public var table: TextTable {
    var table = TextTable(
      [("frames", .left), ("items", .right), ("runs", .right), ("processor time a frame", .right)]
        + SceneReading.Part.allCases.map { ($0.rawValue, .right) }
        + [
          ("99 in 100", .right), ("over 25 ms", .right), ("late", .right), ("own", .right), ("resident", .right),
          ("at most", .right), ("pixels", .left),
          ("aim", .left),
        ])
    for mode in SceneRedrawMode.allCases.reversed() {
      for size in sizes {
        if let runs = runs[Key(mode: mode, size: size)] { table.add(row(mode, size, runs)) }
      }
    }
    return table
  }

  /// The resident and allocated memory of an additional item, or nil for fewer than two sizes.
  public var itemLine: String? {
    guard let small = sizes.first, let large = sizes.last, large > small,
      let before = runs[Key(mode: .damage, size: small)], let after = runs[Key(mode: .damage, size: large)]
    else { return nil }
    func growth(_ figure: (SceneReading) -> Int) -> Double {
      (SceneSummary.median(after.map { Double(figure($0)) }) - SceneSummary.median(before.map { Double(figure($0)) }))
        / Double(large - small)
    }
    let resident = growth(\.resident)
    return
      "An item more, \(FigureText.count(small)) to \(FigureText.count(large)): \(FigureText.bytes(resident)) resident, "
      + "\(FigureText.bytes(growth(\.allocated))) allocated; \(SceneSummary.itemAim.verdict(on: resident))"
  }

  private func row(_ mode: SceneRedrawMode, _ size: Int, _ runs: [SceneReading]) -> [String] {
    let times = runs.map(\.timePerFrame)
    let time = SceneSummary.median(times)
    let resident = runs.map(\.resident).max() ?? 0
    let peakResident = runs.map(\.peakResident).max() ?? 0
    let spread =
      runs.count > 1 ? " (\(FigureText.time(times.min() ?? 0)) to \(FigureText.time(times.max() ?? 0)))" : ""
    func sum(_ figure: (SceneReading) -> Int) -> String { "\(runs.reduce(0) { $0 + figure($1) })" }
    var verdicts = [mode.timeAim.verdict(on: time)]
    verdicts.append("0 over 25 ms " + (runs.allSatisfy { $0.longGaps == 0 } ? "reached" : "MISSED"))
    if size == sizes.first {
      verdicts.append(
        "<= \(SceneSummary.megabytes(SceneSummary.residentAim)) "
          + (peakResident <= SceneSummary.residentAim ? "reached" : "MISSED"))
    }
    return [mode.label, FigureText.count(size), "\(runs.count)", FigureText.time(time) + spread]
      + SceneReading.Part.allCases.map { part in
        FigureText.time(SceneSummary.median(runs.map { $0.timePerFrame(of: part) }))
      }
      + [
        FigureText.time(SceneSummary.median(runs.map { Double($0.percentile99Commit) })),
        sum(\.longGaps), sum(\.hitches), sum(\.ownHitches), SceneSummary.megabytes(resident),
        SceneSummary.megabytes(peakResident), runs.allSatisfy(\.hasRightPixels) ? "right" : "WRONG",
        verdicts.joined(separator: ", "),
      ]
  }

  /// Returns the lower median of numbers, or 0 if there are none.
  static func median(_ numbers: [Double]) -> Double {
    numbers.isEmpty ? 0 : numbers.sorted()[(numbers.count - 1) / 2]
  }

  private static func megabytes(_ bytes: Int) -> String { "\((bytes + (1 << 19)) >> 20) MB" }
}

// MARK: - Redraw modes and reference program

/// The redraw mode of the scene.
public enum SceneRedrawMode: String, CaseIterable, Hashable, Sendable {
  /// Moves unchanged pixels and redraws what changed since the last frame.
  case damage
  /// Redraws every frame completely.
  case whole

  /// The label in the table.
  public var label: String {
    switch self {
    case .damage: "moved, the rest drawn"
    case .whole: "drawn whole"
    }
  }

  /// The name of the mode for the reference program, used as its argument and in the table.
  public var peerArgument: String {
    switch self {
    case .damage: "moved"
    case .whole: "whole"
    }
  }

  /// The time per frame of a program like ``ScenePeer``'s on the machine where ``timeAim`` was determined, in
  /// nanoseconds.
  public var peerTime: Double {
    switch self {
    case .damage: 350_000
    case .whole: 750_000
    }
  }

  /// The upper bound on the average processor time per frame with 100,000 items.
  public var timeAim: Aim {
    switch self {
    case .damage: Aim(.time, 450_000)
    case .whole: Aim(.time, 800_000)
    }
  }
}

/// A reference program that shows the scene with SDL in plain C and measures what any program costs on this machine at
/// this time.
///
/// The processor time per frame depends on the state of the machine, above all on the cost of waking another processor.
/// The goals were determined on a machine with known times of the reference program. Relative to its current times,
/// they have the same meaning everywhere.
public struct ScenePeer: Hashable, Sendable {
  private var times: [SceneRedrawMode: [Double]] = [:]

  /// Creates a reference without runs.
  public init() {}

  /// Adds the processor time per frame of a run, in nanoseconds.
  public mutating func add(_ time: Double, _ mode: SceneRedrawMode) { times[mode, default: []].append(time) }

  /// Parses the output of the reference program, a time in microseconds, and returns it in nanoseconds, or nil for any
  /// other text.
  public static func time(in text: String) -> Double? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let time = Double(words[0]), time.isFinite, time > 0 else { return nil }
    return time * 1_000
  }

  /// Returns a line with the time of the reference program and our time relative to it, compared with the same ratio on
  /// the machine where the goals were determined.
  ///
  /// - Parameters:
  ///   - mode: The redraw mode.
  ///   - time: Our time per frame in nanoseconds, or nil if it is unknown.
  public func line(_ mode: SceneRedrawMode, ours time: Double?) -> String? {
    guard let times = times[mode], let time else { return nil }
    let plain = SceneSummary.median(times)
    let (ratio, bound) = (time / plain, mode.timeAim.bound / mode.peerTime)
    return
      "SDL alone in C, \(mode.peerArgument): \(FigureText.time(plain)) (\(FigureText.time(times.min() ?? 0)) to "
      + "\(FigureText.time(times.max() ?? 0))); ours \(mode.label) over it: \(FigureText.ratio(ratio)), "
      + "<= \(FigureText.ratio(bound)) " + (ratio <= bound ? "reached" : "MISSED")
      + " (where the aim of \(FigureText.time(mode.timeAim.bound)) was set it took \(FigureText.time(mode.peerTime)))"
  }
}

// MARK: - Options

/// The options of `bench scroll --scene`, which measures a scene on a display.
public struct SceneOptions: Hashable, Sendable {
  /// The kind of display.
  public var kind: SceneKind
  /// The numbers of items, in ascending order.
  public var sizes = [100_000, 1_000_000]
  /// The duration of a run after the warm-up, in seconds.
  public var seconds = 10
  /// The number of runs of each redraw mode and size.
  public var repeats = 3
  /// The refresh rate, in hertz.
  public var refreshRate = 60
  /// The redraw mode of a single run whose reading is printed in one line, or nil for the whole measurement.
  public var only: SceneRedrawMode?
  /// The path of the plain reference program, or nil to measure without it.
  public var peer: String?

  /// Parses the options that follow the benchmark's name, or returns nil if `--scene` is not among them.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option.
  public init?(_ arguments: [String]) throws(CommandError) {
    guard arguments.contains("--scene") else { return nil }
    kind = .window
    if arguments.contains("--quick") { (seconds, repeats) = (4, 1) }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick": break
      case "--scene": kind = try words.one(of: name, SceneKind.allCases.map(\.rawValue), SceneKind.init(rawValue:))
      case "--n": sizes = Set(try words.numbers(of: name, in: 1_000...100_000_000)).sorted()
      case "--seconds": seconds = try words.number(of: name, in: 1...3_600)
      case "--repeat": repeats = try words.repeats(of: name)
      case "--refresh": refreshRate = try words.number(of: name, in: 10...1_000)
      case "--only":
        only = try words.one(of: name, SceneRedrawMode.allCases.map(\.rawValue), SceneRedrawMode.init(rawValue:))
      case "--peer": peer = try words.path(of: name)
      default: throw CommandError("unknown option \(name) of --scene; --help lists them")
      }
    }
  }

  /// Returns the arguments for a single run of a redraw mode and size, whose reading is printed in one line.
  public func arguments(of mode: SceneRedrawMode, size: Int) -> [String] {
    [
      "scroll", "--scene", kind.rawValue, "--n", "\(size)", "--seconds", "\(seconds)", "--refresh", "\(refreshRate)",
      "--only", mode.rawValue,
    ]
  }
}

/// The kind of display that shows the scene.
public enum SceneKind: String, CaseIterable, Hashable, Sendable {
  /// A window of the available window system.
  case window
  /// SDL's dummy driver, which draws but displays nothing.
  case headless
}
