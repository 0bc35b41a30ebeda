import DiffableData

/// A snapshot that was applied and is not shown yet.
nonisolated struct ApplyRequest<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>

  /// What is to be shown, with its marks.
  private(set) var snapshot: Snapshot
  /// Whether every cell is to be asked for anew, without a comparison.
  let isReload: Bool
  /// Whether the way from what was shown to what is to be is shown.
  let isAnimated: Bool
  /// Whether the offset stays, and not what is seen first: of an order that is shown while an item is carried.
  let holdsOffset: Bool
  /// The numbers of the completion handlers that wait for it, in the order of their applies.
  var tickets: [Int] = []

  init(
    _ snapshot: Snapshot, isReload: Bool = false, isAnimated: Bool = false, holdsOffset: Bool = false,
    ticket: Int? = nil
  ) {
    self.snapshot = snapshot
    self.isReload = isReload
    self.isAnimated = isAnimated && !isReload
    self.holdsOffset = holdsOffset
    tickets = ticket.map { [$0] } ?? []
  }

  /// The snapshot without its marks: what the view shows afterwards.
  var shown: Snapshot {
    var shown = snapshot
    shown.removeMarks()
    return shown
  }

  /// Whether a later snapshot may be shown in its place.
  var isReplaceable: Bool { tickets.isEmpty && !isReload }

  /// Has the items in another order, or without some: marks stay with those that are there.
  mutating func show(as order: Snapshot) {
    let asked = self
    snapshot = order
    takeMarks(of: asked)
  }

  /// Takes over what another one that will not be shown wanted done to items and sections that are still there.
  mutating func takeMarks(of earlier: ApplyRequest) {
    let other = earlier.snapshot
    let sections = other.reloadedSectionIdentifiers.filter { snapshot.indexOfSection($0) != nil }
    if !sections.isEmpty { snapshot.reloadSections(sections) }
    let reloads = other.reloadedItemIdentifiers.filter(snapshot.contains)
    if !reloads.isEmpty { snapshot.reloadItems(reloads) }
    let reconfigures = other.reconfiguredItemIdentifiers.filter(snapshot.contains)
    if !reconfigures.isEmpty { snapshot.reconfigureItems(reconfigures) }
  }
}
