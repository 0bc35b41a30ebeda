import DiffableData

/// A snapshot that was applied and is not shown yet.
nonisolated struct ApplyRequest<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>

  /// What is to be shown, with its marks.
  private(set) var snapshot: Snapshot
  /// Whether every cell is to be asked for anew, without a comparison.
  let isReload: Bool
  /// Whether the way from what was shown to what is to be is shown.
  private(set) var isAnimated: Bool
  /// Whether it is the order that is shown while an item is carried, or once it was, and was never applied.
  ///
  /// The offset stays then, and not what is seen first; no completion handler is told that this cut its motion short.
  private(set) var isProvisional: Bool
  /// The numbers of the completion handlers that wait for it, in the order of their applies.
  var tickets: [Int] = []

  init(
    _ snapshot: Snapshot, isReload: Bool = false, isAnimated: Bool = false, isProvisional: Bool = false,
    ticket: Int? = nil
  ) {
    self.snapshot = snapshot
    self.isReload = isReload
    self.isAnimated = isAnimated && !isReload
    self.isProvisional = isProvisional
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
  mutating func setOrder(_ order: Snapshot) {
    let asked = self
    snapshot = order
    mergeMarks(of: asked)
  }

  /// Takes the place of another one that will not be shown.
  ///
  /// What that wanted done to items and sections is done to those that are still there. An order that was never applied is
  /// shown as the client wanted the snapshot to be shown that it takes the place of: that is in it.
  mutating func supersede(_ earlier: ApplyRequest) {
    mergeMarks(of: earlier)
    guard isProvisional, !earlier.isProvisional else { return }
    isProvisional = false
    isAnimated = earlier.isAnimated
  }

  /// Takes over what another one wanted done to items and sections that are still there.
  private mutating func mergeMarks(of earlier: ApplyRequest) {
    let other = earlier.snapshot
    let sections = other.reloadedSectionIdentifiers.filter { snapshot.indexOfSection($0) != nil }
    if !sections.isEmpty { snapshot.reloadSections(sections) }
    let reloads = other.reloadedItemIdentifiers.filter(snapshot.contains)
    if !reloads.isEmpty { snapshot.reloadItems(reloads) }
    let reconfigures = other.reconfiguredItemIdentifiers.filter(snapshot.contains)
    if !reconfigures.isEmpty { snapshot.reconfigureItems(reconfigures) }
  }
}
