/// The edits of a section one after the other in the order of places, each with the items that stay before it.
struct EditSteps: Sequence, IteratorProtocol {
  /// Items that stay, and what happens behind the last of them.
  struct Step: Hashable {
    /// Places before the update of items that stay and follow each other.
    var kept: Range<Int>
    /// How many places they move on.
    var shift: Int
    /// How many items go behind them.
    var removed = 0
    /// How many items come behind them; never where some go.
    var inserted = 0
  }

  private let itemCount: Int
  private var removals: ArraySlice<Range<Int>>
  private var insertions: ArraySlice<Range<Int>>
  private var place = 0
  private var shift = 0
  private var isDone = false

  /// - Parameter itemCount: before the update.
  init(_ edits: SectionEdits, of itemCount: Int) {
    self.itemCount = itemCount
    removals = edits.removals[...]
    insertions = edits.insertions[...]
  }

  mutating func next() -> Step? {
    guard !isDone else { return nil }
    let insertion = insertions.first.map { $0.lowerBound - shift }
    var step = Step(kept: place..<itemCount, shift: shift)
    if let removal = removals.first, insertion.map({ removal.lowerBound <= $0 }) ?? true {
      removals.removeFirst()
      step.kept = place..<removal.lowerBound
      step.removed = removal.count
      place = removal.upperBound
      shift -= removal.count
    } else if let insertion {
      step.kept = place..<insertion
      step.inserted = insertions.removeFirst().count
      place = insertion
      shift += step.inserted
    } else {
      isDone = true
    }
    return step
  }
}
