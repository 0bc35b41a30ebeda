/// A place to travel to.
nonisolated struct Destination: Hashable, Sendable {
  /// What it is known by: that never changes, whatever else does.
  typealias ID = Int

  let id: ID
  let name: String
  /// Degrees north, and east; negative ones are south, and west.
  let place: (latitude: Int, longitude: Int)
  let scenery: Scenery

  /// The place in the words of a map.
  var coordinates: String {
    let (latitude, longitude) = place
    return "\(abs(latitude))° \(latitude < 0 ? "S" : "N")   \(abs(longitude))° \(longitude < 0 ? "W" : "E")"
  }

  static func == (first: Destination, second: Destination) -> Bool { first.id == second.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
