/// An item whose cell asked for one size and then for another.
///
/// A cell may change its mind twice between two updates; the third time the item keeps the largest of all the sizes that
/// were asked for since. Counted and not timed, so that a cell that takes turns ends the same way whether it does so
/// within a frame or once in each.
struct RestlessItem: Hashable, Sendable {
  /// How often a cell may change its mind.
  static let patience: UInt8 = 2

  /// The item, counted from the first of its chunk.
  var place: Int32
  /// The update since which changes are counted.
  private var epoch: UInt32
  private var changes: UInt8 = 0
  /// The largest size since.
  private var peak: MeasuredSize
  /// Whether the item keeps its size from now on, whatever its cell asks for.
  private(set) var isFrozen = false

  init(place: Int32, size: MeasuredSize, epoch: UInt32) {
    self.place = place
    self.epoch = epoch
    peak = size
  }

  /// Takes another size than the item has.
  ///
  /// - Returns: the size that it is to have.
  mutating func change(from old: MeasuredSize, to new: MeasuredSize, in epoch: UInt32) -> MeasuredSize {
    if isFrozen { return old }
    if self.epoch != epoch { self = RestlessItem(place: place, size: old, epoch: epoch) }
    peak = peak.union(new)
    if changes < RestlessItem.patience {
      changes += 1
      return new
    }
    isFrozen = true
    return peak
  }
}
