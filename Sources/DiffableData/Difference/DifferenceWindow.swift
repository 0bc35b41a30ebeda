/// Items of a section that may differ: what lies between items that both snapshots have in the same order.
struct DifferenceWindow: Sendable {
  /// The section's index in the old snapshot, or -1 for an inserted one.
  var oldSection: Int
  /// The section's index in the new snapshot, or -1 for a deleted one.
  var newSection: Int
  /// The old items.
  var old: Range<Int>
  /// The new items.
  var new: Range<Int>
  /// Old items of all windows are numbered in their order: the number of the first of this one.
  var oldSlot = 0
  /// New items of all windows are numbered in their order: the number of the first of this one.
  var newSlot = 0

  /// The numbers of the old items.
  var oldSlots: Range<Int> { oldSlot..<(oldSlot + old.count) }
  /// The numbers of the new items.
  var newSlots: Range<Int> { newSlot..<(newSlot + new.count) }
}
