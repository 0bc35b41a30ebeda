import FramePacing
import PhotoLibrary

/// Which captions are to be painted in the slack of frames, and what painting one costs.
///
/// A caption costs more than the rest of a cell; painted ahead, a row that enters costs a copy.
struct CaptionPrefetchQueue {
  private var pendingItems: [PhotoID] = []
  /// The cost that a step is held against: quickly up, slowly down, and not nothing before the first.
  private(set) var expectedCost = FrameDuration.microseconds(300)
  /// More than the captions of a few screens is behind by the time it would be painted.
  private static let maximumCount = 512

  /// Whether something waits.
  var isEmpty: Bool { pendingItems.isEmpty }

  /// Items will be seen, in this order, before those that wait already.
  mutating func add(_ items: [PhotoID]) {
    pendingItems.insert(contentsOf: items.reversed(), at: pendingItems.count)
    if pendingItems.count > CaptionPrefetchQueue.maximumCount {
      pendingItems.removeFirst(pendingItems.count - CaptionPrefetchQueue.maximumCount)
    }
  }

  /// The next item to paint for.
  mutating func next() -> PhotoID? { pendingItems.popLast() }

  /// Painting one took so long.
  mutating func recordCost(_ cost: FrameDuration) {
    expectedCost = cost > expectedCost ? cost : expectedCost + (cost - expectedCost) * 0.05
  }

  /// Captions have another width: those that wait are painted at the new one.
  mutating func removeAll() { pendingItems.removeAll() }
}
