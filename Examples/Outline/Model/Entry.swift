/// What the list shows: identifiers alone.
///
/// What they stand for is looked up when a cell is configured.
nonisolated enum Entry: Hashable, Sendable {
  /// A destination among the favourites. It may be in the list below as well, so it has a name of its own.
  case favourite(Destination.ID)
  /// A region: expanded, its destinations are shown below it.
  case region(Region.ID)
  /// A destination of a region.
  case destination(Destination.ID)
}
