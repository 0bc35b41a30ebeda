/// Decides when a batch is large or old enough to be handed over.
///
/// The first is small, so that the first frame waits for a screenful and not for a thousand.
struct BatchPolicy {
  /// Photographs in the first batch: about a screenful.
  static let firstSize = 64
  /// Photographs in every later batch.
  static let laterSize = 1000
  /// How old the oldest photograph of a batch may get, in nanoseconds, where somebody watches.
  static let maximumAge: UInt64 = 50_000_000

  /// Whether time counts at all.
  let isTimed: Bool
  private var isFirst = true
  private var startTime: UInt64?

  init(isTimed: Bool) { self.isTimed = isTimed }

  /// Whether a batch of so many is due at an instant.
  mutating func isDue(count: Int, at now: UInt64) -> Bool {
    guard count > 0 else { return false }
    let start = startTime ?? now
    startTime = start
    return count >= (isFirst ? BatchPolicy.firstSize : BatchPolicy.laterSize)
      || isTimed && now - start >= BatchPolicy.maximumAge
  }

  /// Notes that the batch was handed over.
  mutating func reset() {
    isFirst = false
    startTime = nil
  }
}
