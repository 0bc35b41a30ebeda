/// A region, whose destinations stand below it.
nonisolated struct Region: Hashable, Sendable {
  /// What it is known by.
  typealias ID = String

  let id: ID
  /// Its destinations, in the order that a person gave them.
  var destinations: [Destination.ID]
}
