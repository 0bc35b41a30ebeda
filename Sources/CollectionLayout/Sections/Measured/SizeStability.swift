/// Decides whether an element that prefers different sizes settles, and fixes the size of one that does not.
///
/// A size that grows step by step, as that of a text that arrives, may change without limit. A size that alternates is
/// fixed: a cell that never settles would never let the view rest. A change that goes back, after a growth or the other
/// way around, is a reversal; at the second reversal of a burst the size is fixed at the largest one of the burst.
/// Changes are counted and not timed, so that a cell that alternates has the same result whether it does so within a
/// frame or once per frame, at ten frames a second and more. The caller begins a new burst when sizes settled, so that an item that is expanded and
/// collapsed again and again is never fixed.
struct SizeStability: Hashable, Sendable {
  /// The number of reversals in a burst that are permitted.
  static let maximumReversals: UInt8 = 1

  /// The burst in which changes are counted.
  private var burst: UInt32
  private var reversals: UInt8 = 0
  /// The directions of the last change of each side: -1, 0 or 1.
  private var widthDirection: Int8 = 0
  private var heightDirection: Int8 = 0
  /// The largest size of the burst.
  private var peak: MeasuredSize
  /// Whether the size is fixed and later preferred sizes are ignored.
  private(set) var isFrozen = false

  /// Creates the state of an element with a size that has not changed.
  init(size: MeasuredSize, burst: UInt32) {
    self.burst = burst
    peak = size
  }

  /// Records a size that differs from the current one.
  ///
  /// - Returns: The new size of the element: the preferred one, the largest one of the burst if the size is fixed now,
  ///   or the current one if it was fixed before.
  mutating func change(from old: MeasuredSize, to new: MeasuredSize, burst: UInt32) -> MeasuredSize {
    if isFrozen { return old }
    if self.burst != burst { self = SizeStability(size: old, burst: burst) }
    peak = peak.union(new)
    let width = Int8((new.width - old.width).signum())
    let height = Int8((new.height - old.height).signum())
    if width * widthDirection < 0 || height * heightDirection < 0 { reversals += 1 }
    if width != 0 { widthDirection = width }
    if height != 0 { heightDirection = height }
    isFrozen = reversals > SizeStability.maximumReversals
    return isFrozen ? peak : new
  }
}
