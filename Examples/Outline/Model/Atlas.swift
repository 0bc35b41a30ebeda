import DiffableData

/// The store: who owns the order of things.
///
/// The list shows it, and hands new orders back.
final class Atlas {
  private(set) var continents: [Continent] = []
  private(set) var regions: [Region.ID: Region] = [:]
  private(set) var destinations: [Destination.ID: Destination] = [:]
  private(set) var favourites: [Destination.ID] = []

  /// Fills the atlas with a world.
  init(_ world: [World.Land] = World.lands) {
    for land in world {
      var continent = Continent(name: land.name, regions: [])
      for (name, places) in land.regions {
        var region = Region(id: name, destinations: [])
        for place in places {
          let id = destinations.count
          destinations[id] = Destination(
            id: id, name: place.name, place: (place.latitude, place.longitude), scenery: place.scenery)
          region.destinations.append(id)
          if place.isFavourite { favourites.append(id) }
        }
        regions[name] = region
        continent.regions.append(name)
      }
      continents.append(continent)
    }
  }

  /// The tree of a continent: its regions, and below each its destinations.
  func tree(ofContinent number: Int, expanded: Bool) -> DiffableDataSourceSectionSnapshot<Entry> {
    var tree = DiffableDataSourceSectionSnapshot<Entry>()
    for id in continents[number].regions {
      let region = Entry.region(id)
      tree.append([region])
      tree.append((regions[id]?.destinations ?? []).map(Entry.destination), to: region)
      if expanded { tree.expand([region]) }
    }
    return tree
  }

  /// The region that a destination stands below.
  func region(of destination: Destination.ID) -> Region.ID? {
    regions.values.first { $0.destinations.contains(destination) }?.id
  }

  /// How many destinations a continent has.
  func count(inContinent number: Int) -> Int {
    continents[number].regions.reduce(0) { $0 + (regions[$1]?.destinations.count ?? 0) }
  }

  // MARK: New orders

  /// Takes over what a reordering did: a list by its difference, trees from what they are afterwards.
  func store(_ transaction: DiffableDataSourceTransaction<Shelf, Entry>) {
    for section in transaction.sectionTransactions {
      switch section.sectionIdentifier {
      case .favourites:
        let entries = favourites.map(Entry.favourite).applying(section.difference) ?? []
        favourites = entries.compactMap { if case .favourite(let id) = $0 { id } else { nil } }
      case .continent(let number): store(section.finalSnapshot, inContinent: number)
      }
    }
  }

  private func store(_ tree: DiffableDataSourceSectionSnapshot<Entry>, inContinent number: Int) {
    continents[number].regions = []
    for case .region(let id) in tree.rootItems {
      continents[number].regions.append(id)
      let children = tree.children(of: .region(id))
      regions[id]?.destinations = children.compactMap { if case .destination(let id) = $0 { id } else { nil } }
    }
  }
}
