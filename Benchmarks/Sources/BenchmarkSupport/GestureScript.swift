internal import VitrineDataStructures

/// A sequence of gestures with the refreshes at which they start, independent of the duration of frames.
public struct GestureScript: Hashable, Sendable {
  /// A gesture and the refresh at which it starts.
  public struct Step: Hashable, Sendable {
    /// The refresh, relative to the start of the script.
    public var refresh: Int
    /// The gesture.
    public var gesture: ScrollGesture
  }

  /// The steps, in the order of their refreshes.
  public private(set) var steps: [Step] = []
  /// The duration of the script, in refresh intervals.
  public private(set) var length = 0

  /// Creates an empty script.
  public init() {}

  /// Appends a gesture, followed by a pause.
  public mutating func add(_ gesture: ScrollGesture, then refreshes: Int) {
    steps.append(Step(refresh: length, gesture: gesture))
    length += max(0, refreshes)
  }

  /// Returns the gestures that are due at a refresh, including those of skipped refreshes.
  ///
  /// - Parameters:
  ///   - refresh: The refresh.
  ///   - next: The index of the first step that was not returned yet. It is advanced past the returned steps.
  /// - Complexity: O(g) for g gestures.
  public func gestures(upTo refresh: Int, from next: inout Int) -> ArraySlice<Step> {
    let first = next
    while next < steps.count, steps[next].refresh <= refresh { next += 1 }
    return steps[first..<next]
  }
}

/// A gesture that a script applies to a scroll view.
public enum ScrollGesture: Hashable, Sendable {
  /// Scrolls with a constant velocity, in points per second.
  case steady(Double)
  /// Flicks with a velocity, in points per second.
  case flick(Double)
  /// Scrolls by a number of pages.
  case page(Double)
  /// Scrolls with animation to a position, as a share of the scroll range.
  case glide(Double)
  /// Jumps without animation to a position, as a share of the scroll range.
  case jump(Double)
  /// Stops scrolling.
  case stop
}

// MARK: - Endurance

extension GestureScript {
  /// Returns a random script of flicks of up to 200,000 points per second, direction changes, jumps, animated scrolls
  /// and pages with pauses in between.
  ///
  /// - Parameters:
  ///   - seed: The seed. Equal seeds produce equal scripts.
  ///   - length: The minimum duration of the script, in refresh intervals.
  public static func endurance(seed: UInt64, length: Int) -> GestureScript {
    var random = SplitMix64(seed: seed)
    var script = GestureScript()
    var speed = 1_000.0
    while script.length < length {
      let side = Bool.random(using: &random) ? 1.0 : -1.0
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3:
        // Log-uniform from 250 to 200,000, so that slow flicks are as frequent as fast ones.
        let exponent = Double.random(in: 0...1, using: &random)
        speed = side * 250 * FractionalPower.power(800, exponent)
        script.add(.flick(speed), then: .random(in: 20...240, using: &random))
      case 4, 5:
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          speed = -speed
          script.add(.flick(speed), then: .random(in: 2...30, using: &random))
        }
      case 6:
        speed = side * Double.random(in: 200...20_000, using: &random)
        script.add(.steady(speed), then: .random(in: 30...180, using: &random))
      case 7: script.add(.jump(.random(in: 0...1, using: &random)), then: .random(in: 1...60, using: &random))
      case 8: script.add(.glide(.random(in: 0...1, using: &random)), then: .random(in: 5...60, using: &random))
      default:
        script.add(.page(side), then: .random(in: 5...40, using: &random))
        if Bool.random(using: &random) { script.add(.stop, then: .random(in: 1...60, using: &random)) }
      }
    }
    return script
  }
}

/// An approximation of powers with exponents from 0 to 1 that needs no mathematical library and is accurate enough for
/// a script.
private enum FractionalPower {
  /// Returns a base raised to an exponent from 0 to 1, within a thousandth, by repeated square roots.
  static func power(_ base: Double, _ exponent: Double) -> Double {
    var result = 1.0
    var root = base.squareRoot()
    var rest = min(1, max(0, exponent))
    if rest == 1 { return base }
    for _ in 0..<12 {
      rest *= 2
      if rest >= 1 {
        result *= root
        rest -= 1
      }
      root = root.squareRoot()
    }
    return result
  }
}

// MARK: - Comparison of runs

/// A frame-by-frame comparison of runs of the same script.
///
/// A frame that is late in one run only is attributed to the machine, a frame that is late in two of three runs to the
/// program.
public struct RepeatedRuns: Hashable, Sendable {
  /// A frame that was late in more than half of the runs.
  public struct ConfirmedFrame: Hashable, Sendable {
    /// The refresh at which the frame was due.
    public let refresh: Int
    /// The median hitch of all runs, in nanoseconds.
    ///
    /// A run in which the frame was in time counts as 0.
    public let hitch: Double
    /// Whether prefetching caused the delay in more than half of the runs.
    public let isSlackOverrun: Bool
    /// The cause in the run with the longest hitch.
    public let cause: String
  }

  /// The late frames of each run, in the order of their refreshes.
  public private(set) var runs: [[LateFrame]] = []

  /// Creates a comparison without runs.
  public init() {}

  /// Adds a run.
  ///
  /// - Parameter late: The late frames in any order, at most one per refresh.
  public mutating func add(_ late: [LateFrame]) { runs.append(late.sorted { $0.refresh < $1.refresh }) }

  /// The frames that were late in more than half of the runs, in the order of their refreshes.
  ///
  /// - Complexity: O(l log l) for l late frames.
  public var confirmedFrames: [ConfirmedFrame] {
    let all = runs.flatMap(\.self).sorted { ($0.refresh, $0.hitch) < ($1.refresh, $1.hitch) }
    var confirmed: [ConfirmedFrame] = []
    var low = 0
    while low < all.count {
      var high = low + 1
      while high < all.count, all[high].refresh == all[low].refresh { high += 1 }
      let same = all[low..<high]
      if let latest = same.last, same.count * 2 > runs.count {
        let inTime = runs.count - same.count
        let middle = runs.count / 2 - inTime
        confirmed.append(
          ConfirmedFrame(
            refresh: latest.refresh, hitch: same[low + max(0, middle)].hitch,
            isSlackOverrun: same.count { $0.isSlackOverrun } * 2 > runs.count, cause: latest.cause))
      }
      low = high
    }
    return confirmed
  }
}

/// A frame that was late in one run.
public struct LateFrame: Hashable, Sendable {
  /// The refresh at which the frame was due, relative to the start of the script, so that equal runs have equal
  /// refreshes.
  public var refresh: Int
  /// The delay, in nanoseconds.
  public var hitch: Double
  /// Whether prefetching caused the delay.
  public var isSlackOverrun: Bool
  /// A description of the cause.
  public var cause: String

  /// Creates a late frame.
  public init(refresh: Int, hitch: Double, isSlackOverrun: Bool, cause: String) {
    (self.refresh, self.hitch) = (refresh, hitch)
    (self.isSlackOverrun, self.cause) = (isSlackOverrun, cause)
  }
}

// MARK: - Options

/// The options of the endurance measurement: erratic scrolling over many frames.
public struct EnduranceOptions: Hashable, Sendable {
  /// The numbers of items, in ascending order.
  public var sizes = [1_000_000]
  /// The refresh rates, in hertz.
  public var refreshRates = [60]
  /// The number of frames of each run.
  public var frames = 100_000

  /// Creates the default options: a million items and a hundred thousand frames.
  public init() {}
}
