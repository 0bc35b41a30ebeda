import VitrineDataStructures
import VitrineFramePacing

/// A slide show: which picture is shown next, and when.
///
/// A value that is advanced in frames. It knows pictures by their index, and decodes none.
///
/// Invariants:
/// - A picture is shown for at least the interval, and until the next one is decoded.
/// - Shuffled, every picture is shown once before one is shown again. Otherwise the first picture follows the last.
/// - Pictures that cannot be shown are skipped.
nonisolated struct SlideShow: Sendable {
  /// The time for which a picture is shown.
  enum Interval: Int, CaseIterable, Hashable, Sendable {
    case short = 3
    case medium = 5
    case long = 10

    var duration: FrameDuration { .seconds(Double(rawValue)) }
  }

  /// Whether the next picture can be shown.
  enum Readiness: Hashable, Sendable {
    /// It is decoded.
    case ready
    /// It is being decoded.
    case pending
    /// It cannot be shown.
    case broken
  }

  /// The time for which a picture is shown.
  var interval = Interval.medium
  /// Whether the pictures are shown in random order.
  private(set) var isShuffled = false
  /// Whether the slide show runs.
  private(set) var isRunning = false
  /// The index of the next picture, or nil if the slide show does not run or there is no other picture.
  private(set) var nextIndex: Int?

  /// The maximum number of pictures that are skipped at once.
  static let maximumSkips = 16

  /// Whether the next picture is due and not decoded yet.
  private(set) var isWaiting = false
  private var index = 0
  private var count = 0
  private var start = FrameInstant.zero
  private var random = SplitMix64(seed: 0)
  private var order = ShuffledOrder(count: 0)

  /// Starts with the picture that is shown.
  ///
  /// - Parameters:
  ///   - index: The index of the picture.
  ///   - count: The number of pictures.
  ///   - seed: The seed of random orders. Equal seeds produce equal orders.
  ///   - instant: The current time.
  mutating func start(at index: Int, of count: Int, seed: UInt64, at instant: FrameInstant) {
    (isRunning, start, random) = (true, instant, SplitMix64(seed: seed))
    (self.index, self.count) = (index, count)
    restartOrder()
  }

  /// Ends the slide show.
  mutating func stop() { (isRunning, nextIndex) = (false, nil) }

  /// Sets whether the pictures are shown in random order.
  mutating func setShuffled(_ isShuffled: Bool) {
    guard isShuffled != self.isShuffled else { return }
    self.isShuffled = isShuffled
    if isRunning { restartOrder() }
  }

  /// Updates the position after a change of the library.
  ///
  /// The order begins again, because the indices are those of other pictures.
  mutating func setPosition(_ index: Int, of count: Int) {
    guard isRunning, index != self.index || count != self.count else { return }
    (self.index, self.count) = (index, count)
    restartOrder()
  }

  /// The time at which the next picture is due, or nil if there is none, or if it is due and not decoded yet.
  var nextFrame: FrameInstant? { isWaiting ? nil : dueInstant }

  private var dueInstant: FrameInstant? { nextIndex == nil ? nil : start + interval.duration }

  /// Advances to the next picture if it is due and decoded.
  ///
  /// - Parameters:
  ///   - instant: The time of the frame.
  ///   - readiness: Returns whether the picture at an index can be shown.
  /// - Returns: The index of the picture to show, or nil to keep the current one.
  mutating func advance(at instant: FrameInstant, readiness: (Int) -> Readiness) -> Int? {
    isWaiting = false
    guard let due = dueInstant, due <= instant else { return nil }
    for _ in 0..<SlideShow.maximumSkips {
      guard let next = nextIndex else { return nil }
      switch readiness(next) {
      case .pending:
        isWaiting = true
        return nil
      case .broken: prepareNext(after: next)
      case .ready:
        (index, start) = (next, instant)
        prepareNext(after: next)
        return next
      }
    }
    // Many broken pictures: the next ones are examined after a pause.
    start = instant
    return nil
  }

  private mutating func restartOrder() {
    order = ShuffledOrder(count: count)
    if isShuffled { order.remove(index) }
    prepareNext(after: index)
  }

  private mutating func prepareNext(after last: Int) {
    guard count > 1 else { return nextIndex = nil }
    guard isShuffled else { return nextIndex = (last + 1) % count }
    if order.isEmpty {
      order = ShuffledOrder(count: count)
      // No picture follows itself.
      order.remove(last)
    }
    nextIndex = order.takeNext(using: &random)
  }
}

/// The indices of a list in random order, each of which is determined when it is taken.
///
/// Taking *k* of them takes O(*k*) time and memory, whatever the length of the list.
nonisolated struct ShuffledOrder: Sendable {
  /// The number of indices that remain.
  private(set) var remainingCount: Int
  /// The values that have been moved to other positions, as in a Fisher-Yates shuffle.
  private var moved: [Int: Int] = [:]

  /// Creates an order of the indices of a list with a number of elements.
  init(count: Int) { remainingCount = max(0, count) }

  /// Whether all indices have been taken.
  var isEmpty: Bool { remainingCount == 0 }

  /// Takes a random index of those that remain.
  ///
  /// - Returns: The index, or nil if none remains.
  mutating func takeNext(using random: inout some RandomNumberGenerator) -> Int? {
    isEmpty ? nil : take(at: Int.random(in: 0..<remainingCount, using: &random))
  }

  /// Removes an index before any other one is taken.
  mutating func remove(_ index: Int) { if (0..<remainingCount).contains(index) { _ = take(at: index) } }

  private mutating func take(at position: Int) -> Int {
    remainingCount -= 1
    let last = moved.removeValue(forKey: remainingCount) ?? remainingCount
    guard position != remainingCount else { return last }
    let value = moved[position] ?? position
    moved[position] = last
    return value
  }
}
