/// The cost of the frames of one kind.
public struct FrameReading: Hashable, Sendable {
  /// The number of frames.
  public private(set) var count = 0
  /// The maximum number of cells that entered the viewport in one frame.
  public private(set) var maximumEntered = 0
  /// The processor times, in nanoseconds.
  private var times: [Double] = []
  private var instructions: [Double] = []
  private var calls: [Int]?

  /// Creates a reading without frames.
  public init() {}

  /// Adds a frame.
  public mutating func add(_ cost: FrameCost, entered: Int) {
    count += 1
    maximumEntered = max(maximumEntered, entered)
    times.append(cost.nanoseconds)
    if let number = cost.instructions { instructions.append(number) }
    guard let counted = cost.calls else { return }
    calls = calls.map { zip($0, counted).map { max($0, $1) } } ?? counted
  }

  /// The median time, in nanoseconds.
  public var medianTime: Double? { FrameReading.rank(0.5, of: times) }

  /// The 99th percentile of the times, in nanoseconds.
  public var percentile99Time: Double? { FrameReading.rank(0.99, of: times) }

  /// The median number of instructions, or nil if they were not counted.
  public var medianInstructions: Double? { FrameReading.rank(0.5, of: instructions) }

  /// The maximum number of instructions of a frame, or nil if they were not counted.
  public var maximumInstructions: Double? { instructions.max() }

  /// Returns the maximum number of calls of a kind in one frame, or nil if they were not counted.
  public func maximumCalls(_ kind: RuntimeCall) -> Int? {
    RuntimeCall.allCases.firstIndex(of: kind).flatMap { calls?[$0] }
  }

  /// Returns a percentile by the nearest-rank method.
  private static func rank(_ share: Double, of numbers: [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    let index = Int((share * Double(numbers.count)).rounded(.up)) - 1
    return numbers.sorted()[max(0, min(numbers.count - 1, index))]
  }
}

/// The kind of a frame by its work, with the distinctions of the Android RecyclerView benchmarks.
public enum FrameKind: CaseIterable, Hashable, Sendable {
  /// The content moves, and the visible cells stay the same.
  case offsetOnly
  /// Cells leave the viewport and are retained for their items or returned to the pool.
  case leaving
  /// Prepared cells enter the viewport.
  case bind
  /// Pooled cells are configured in the frame and enter the viewport.
  case reuse
  /// Cells are created and configured in the frame and enter the viewport.
  case create
  /// A decoded image arrives for a visible item.
  case arrival

  /// The label in the table.
  public var label: String {
    switch self {
    case .offsetOnly: "offset only"
    case .leaving: "cells leave"
    case .bind: "bind: waiting cells enter"
    case .reuse: "reuse and bind"
    case .create: "create and bind"
    case .arrival: "decode: a picture arrives"
    }
  }

  /// The word in the names of figures.
  public var key: String {
    switch self {
    case .offsetOnly: "quiet"
    case .leaving: "leaving"
    case .bind: "bind"
    case .reuse: "reuse"
    case .create: "create"
    case .arrival: "arrival"
    }
  }

  /// Returns the upper bound on the instructions from update to upload, or nil if there is none.
  ///
  /// - Parameter entered: The number of cells that entered the viewport.
  public func instructionAim(entered: Int) -> Aim? {
    switch self {
    case .offsetOnly: Aim(.count, 12_000)
    case .bind: entered > 0 && entered <= 8 ? Aim(.count, 120_000) : nil
    case .leaving, .reuse, .create, .arrival: nil
    }
  }

  /// Returns the upper bound on the number of calls of a kind, or nil if there is none.
  ///
  /// A steady-state frame allocates no memory and retains and releases one reference.
  public func callAim(_ call: RuntimeCall) -> Aim? {
    self == .offsetOnly ? Aim(.count, call == .allocation ? 0 : 1) : nil
  }

  /// The maximum number of instructions relative to the smallest number of items, or nil if it may grow.
  public var growthAim: Double? { self == .offsetOnly || self == .bind ? 1.05 : nil }
}

/// The changes to cells in one frame.
public struct FrameTally: Hashable, Sendable {
  /// The number of cells that entered the viewport.
  public var entered = 0
  /// The number of entered cells that were prepared in the frame because none was prefetched.
  public var forced = 0
  /// The number of entered cells that were created.
  public var created = 0
  /// The number of cells that left the viewport.
  public var left = 0
  /// The number of images that arrived.
  public var arrived = 0

  /// Creates a tally without changes.
  public init() {}

  /// The kind of the frame, or nil if it combines several kinds of work.
  public var kind: FrameKind? {
    if arrived > 0 { return entered == 0 && left == 0 ? .arrival : nil }
    if entered == 0 { return left == 0 ? .offsetOnly : .leaving }
    if forced == 0 { return .bind }
    guard forced == entered else { return nil }
    return created == 0 ? .reuse : created == entered ? .create : nil
  }
}

// MARK: - Options

/// The options of `bench scroll`, which measures scrolling.
public struct ScrollOptions: Hashable, Sendable {
  /// The measurements, in order.
  public var measures = ScrollMeasure.allCases
  /// The numbers of items, in ascending order.
  public var sizes = [1_000, 100_000, 10_000_000]
  /// The refresh rates, in hertz.
  public var refreshRates = [60, 120, 240]
  /// The number of frames of each scroll after the warm-up.
  public var frames = 1_200
  /// The measured duration of each headroom scroll, in seconds of the virtual clock.
  public var headroomSeconds = 60
  /// The options of the endurance measurement.
  public var endurance = EnduranceOptions()
  /// The path prefix of the callgrind profiles, or nil if the program does not run under callgrind.
  public var callgrindOutput: String?

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") {
      (sizes, frames, headroomSeconds, endurance.frames) = ([1_000, 1_000_000], 240, 20, 10_000)
    }
    if arguments.contains("--callgrind") {
      // Only the measurement of frames counts instructions.
      (sizes, frames, refreshRates, measures) = ([1_000, 10_000_000], 240, [60], [.frames])
    }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--instructions", "--quick": break
      case "--measure":
        let accepted = ScrollMeasure.allCases.map(\.rawValue).joined(separator: ", ")
        measures = try words.list(of: name, accepted, ScrollMeasure.init(rawValue:))
      case "--n":
        sizes = Set(try words.numbers(of: name, in: 100...100_000_000)).sorted()
        endurance.sizes = sizes
      case "--refresh":
        refreshRates = try words.numbers(of: name, in: 10...1_000)
        endurance.refreshRates = refreshRates
      case "--frames":
        let counts = try words.numbers(of: name, in: 60...1_000_000)
        guard let count = counts.first, counts.count == 1 else { throw CommandError("\(name) takes one number") }
        (frames, endurance.frames) = (count, count)
      case "--callgrind":
        guard let output = words.next(), !output.isEmpty else { throw CommandError("--callgrind needs a path") }
        callgrindOutput = output
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}

/// A measurement of scrolling, by its name on the command line.
public enum ScrollMeasure: String, CaseIterable, Sendable {
  /// The cost of frames by their kind.
  case frames
  /// The largest sustainable cost of a cell with and without cell prefetching.
  case headroom
  /// Our prefetching policy compared with another one.
  case rival
  /// Many frames of erratic scrolling.
  case endurance
}
