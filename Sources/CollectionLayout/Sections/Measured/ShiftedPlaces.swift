/// Where items are after an update that were asked for in ascending order.
struct ShiftedPlaces {
  private let edits: SectionEdits
  private var removal = 0
  private var insertion = 0
  private var shift = 0

  init(_ edits: SectionEdits) { self.edits = edits }

  /// The place after the update of the item at a place before it, or nothing when it is gone.
  ///
  /// - Complexity: O(e) for e edits through all calls together.
  mutating func place(after place: Int) -> Int? {
    while removal < edits.removals.count, edits.removals[removal].upperBound <= place {
      shift -= edits.removals[removal].count
      removal += 1
    }
    if removal < edits.removals.count, edits.removals[removal].contains(place) { return nil }
    while insertion < edits.insertions.count, edits.insertions[insertion].lowerBound <= place + shift {
      shift += edits.insertions[insertion].count
      insertion += 1
    }
    return place + shift
  }
}
