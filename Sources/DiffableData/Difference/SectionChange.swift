/// What happened to the items of a section that is in both snapshots.
public struct SectionChange: Hashable, Sendable {
  /// The section's index in the old snapshot.
  public let oldSection: Int
  /// The section's index in the new snapshot.
  public let newSection: Int
  /// Old indexes of items that are in the new snapshot no more.
  public let deletes: IndexRuns
  /// New indexes of items that were not in the old snapshot.
  public let inserts: IndexRuns
  /// Old indexes of items that were deleted or moved away, within the section or out of it.
  public let departures: IndexRuns
  /// New indexes of items that were inserted or moved here.
  public let arrivals: IndexRuns
}
