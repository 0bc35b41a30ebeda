import CollectionUI

/// The data of the outline, which owns the order of continents, regions, destinations and favorites.
final class DestinationStore {
  private(set) var continents: [Continent] = []
  private(set) var regions: [Region.ID: Region] = [:]
  private(set) var destinations: [Destination.ID: Destination] = [:]
  private(set) var favorites: [Destination.ID] = []

  /// Creates a store from sample data.
  init(_ samples: [SampleContinents.ContinentData] = SampleContinents.all) {
    for sample in samples {
      var continent = Continent(name: sample.name, regions: [])
      for (name, places) in sample.regions {
        var region = Region(id: name, destinations: [])
        for place in places {
          let id = destinations.count
          destinations[id] = Destination(
            id: id, name: place.name, coordinate: (place.latitude, place.longitude), landscapeKind: place.landscapeKind)
          region.destinations.append(id)
          if place.isFavorite { favorites.append(id) }
        }
        regions[name] = region
        continent.regions.append(name)
      }
      continents.append(continent)
    }
  }

  /// Returns the tree of a continent: its regions, with their destinations as children.
  func tree(ofContinent number: Int, expanded: Bool) -> DiffableDataSourceSectionSnapshot<Item> {
    var tree = DiffableDataSourceSectionSnapshot<Item>()
    for id in continents[number].regions {
      let region = Item.region(id)
      tree.append([region])
      tree.append((regions[id]?.destinations ?? []).map(Item.destination), to: region)
      if expanded { tree.expand([region]) }
    }
    return tree
  }

  /// Returns the region that contains a destination.
  func region(of destination: Destination.ID) -> Region.ID? {
    regions.values.first { $0.destinations.contains(destination) }?.id
  }

  /// Returns the number of destinations in a continent.
  func destinationCount(inContinent number: Int) -> Int {
    continents[number].regions.reduce(0) { $0 + (regions[$1]?.destinations.count ?? 0) }
  }

  // MARK: - Reordering

  /// Stores the result of a reordering: applies the difference to the favorites, and copies the trees of the
  /// continents.
  func apply(_ transaction: DiffableDataSourceTransaction<Section, Item>) {
    for section in transaction.sectionTransactions {
      switch section.sectionIdentifier {
      case .favorites:
        let items = favorites.map(Item.favorite).applying(section.difference) ?? []
        favorites = items.compactMap { if case .favorite(let id) = $0 { id } else { nil } }
      case .continent(let number): apply(section.finalSnapshot, toContinent: number)
      }
    }
  }

  private func apply(_ tree: DiffableDataSourceSectionSnapshot<Item>, toContinent number: Int) {
    continents[number].regions = []
    for case .region(let id) in tree.rootItems {
      continents[number].regions.append(id)
      let children = tree.children(of: .region(id))
      regions[id]?.destinations = children.compactMap { if case .destination(let id) = $0 { id } else { nil } }
    }
  }
}

/// A continent with its regions, in the user's order.
nonisolated struct Continent: Hashable, Sendable {
  let name: String
  var regions: [Region.ID]
}

/// A region with its destinations.
nonisolated struct Region: Hashable, Sendable {
  /// The identifier of a region.
  typealias ID = String

  let id: ID
  /// The destinations, in the user's order.
  var destinations: [Destination.ID]
}

/// A travel destination.
nonisolated struct Destination: Hashable, Sendable {
  /// The identifier, which never changes.
  typealias ID = Int

  let id: ID
  let name: String
  /// The latitude and longitude in degrees; negative values are south and west.
  let coordinate: (latitude: Int, longitude: Int)
  let landscapeKind: LandscapeKind

  /// The coordinate as text, such as "63° N   19° W".
  var coordinateText: String {
    let (latitude, longitude) = coordinate
    return "\(abs(latitude))° \(latitude < 0 ? "S" : "N")   \(abs(longitude))° \(longitude < 0 ? "W" : "E")"
  }

  static func == (lhs: Destination, rhs: Destination) -> Bool { lhs.id == rhs.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A section of the outline.
nonisolated enum Section: Hashable, Sendable {
  /// The row of favorites, which scrolls horizontally.
  case favorites
  /// The regions of a continent, by its index in the store.
  case continent(Int)
}

/// An item of the outline: an identifier only.
///
/// The content is looked up when a cell is configured.
nonisolated enum Item: Hashable, Sendable {
  /// A destination in the favorites; the same destination can also be an item of its region.
  case favorite(Destination.ID)
  /// A region, whose destinations follow it while it is expanded.
  case region(Region.ID)
  /// A destination of a region.
  case destination(Destination.ID)
}
