/// Who paints what next, and what may be shown: the decisions of a sample library, as a value.
///
/// Pictures are finished in any order and shown in the order of their indices.
struct PaintingQueue: Sendable {
  private let total: Int
  private var next = 0
  private var isDone: [Bool]
  private var doneCount = 0
  /// Everything below is finished.
  private var ready = 0
  private var taken = 0
  private(set) var isStopped = false

  /// A queue of pictures that are all still to be painted.
  init(total: Int) {
    self.total = max(0, total)
    isDone = [Bool](repeating: false, count: self.total)
  }

  /// How far the pictures have come.
  var progress: SampleProgress { SampleProgress(done: doneCount, total: total) }

  /// Whether nothing will change any more.
  var isOver: Bool { isStopped || doneCount == total }

  /// The next picture to paint; nothing when all are given out, or after a stop.
  mutating func claim() -> Int? {
    guard !isStopped, next < total else { return nil }
    defer { next += 1 }
    return next
  }

  /// Notes that a picture is on the disk.
  ///
  /// - Returns: whether there is now more to show than before.
  mutating func finish(_ index: Int) -> Bool {
    guard isDone.indices.contains(index), !isDone[index] else { return false }
    isDone[index] = true
    doneCount += 1
    let before = ready
    while ready < total, isDone[ready] { ready += 1 }
    return ready > before
  }

  /// Gives out no further picture.
  mutating func stop() { isStopped = true }

  /// The pictures that may be shown since the last time, in order; each comes once.
  mutating func takeReady() -> Range<Int> {
    defer { taken = ready }
    return taken..<ready
  }
}
