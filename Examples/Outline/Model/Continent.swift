/// A continent, and its regions in the order that a person gave them.
nonisolated struct Continent: Hashable, Sendable {
  let name: String
  var regions: [Region.ID]
}
