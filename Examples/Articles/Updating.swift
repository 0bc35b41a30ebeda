// The code of the article “Updating”.
import CollectionUI
import Observation
import VitrineDeclarative

/// A city of the examples.
struct City: Identifiable, Hashable, Sendable {
  let id: Int
  var name: String
  var country: String
}

/// A list of cities by country.
@MainActor
final class CityList {
  let view = CollectionView(
    layout: CompositionalLayout.list(using: CollectionLayoutListConfiguration(appearance: .plain)))
  private var cities: [Int: City] = [:]
  private lazy var source = makeSource()

  private func makeSource() -> DiffableDataSource<String, Int> {
    view.registerListSeparators()
    let registration = CellRegistration<ListCell, Int> { [weak self] cell, _, id in
      guard let city = self?.cities[id] else { return }
      var content = cell.defaultContentConfiguration()
      content.text = city.name
      content.secondaryText = city.country
      cell.contentConfiguration = content
    }
    return DiffableDataSource(collectionView: view) { view, path, id in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: id)
    }
  }

  func show(_ shown: [City]) {
    cities = Dictionary(uniqueKeysWithValues: shown.map { ($0.id, $0) })
    var snapshot = DiffableDataSourceSnapshot<String, Int>()
    for country in Set(shown.map(\.country)).sorted() {
      snapshot.appendSections([country])
      snapshot.appendItems(shown.filter { $0.country == country }.map(\.id), toSection: country)
    }
    source.apply(snapshot)
  }

  func add(_ city: City) {
    cities[city.id] = city
    var snapshot = source.snapshot()
    if snapshot.indexOfSection(city.country) == nil { snapshot.appendSections([city.country]) }
    snapshot.appendItems([city.id], toSection: city.country)
    source.apply(snapshot)
  }

  func remove(_ id: Int) {
    var snapshot = source.snapshot()
    snapshot.deleteItems([id])
    source.apply(snapshot)
    cities[id] = nil
  }

  func rename(_ id: Int, to name: String) {
    cities[id]?.name = name
    source.reconfigureItems([id])
  }

  func reload(from server: CityServer) async throws {
    let cities = try await server.cities()
    for city in cities { self.cities[city.id] = city }
    var snapshot = DiffableDataSourceSnapshot<String, Int>()
    snapshot.appendSections(["All"])
    snapshot.appendItems(cities.map(\.id))
    await source.apply(snapshot)
    // The update is displayed, and its animations ended.
    view.scrollToItem(at: IndexPath(item: 0, section: 0), at: .top, animated: true)
  }
}

/// A source of cities that may take a while.
protocol CityServer: Sendable {
  func cities() async throws -> [City]
}

/// An outline of folders, which expand and collapse.
@MainActor
enum FolderOutline {
  static func show(in source: DiffableDataSource<Int, String>) {
    var folders = DiffableDataSourceSectionSnapshot<String>()
    folders.append(["Pictures", "Documents"])
    folders.append(["2025", "2026"], to: "Pictures")
    folders.expand(["Pictures"])
    source.apply(folders, to: 0)
  }

  static func toggle(_ folder: String, in source: DiffableDataSource<Int, String>) {
    if source.snapshot(for: 0).isExpanded(folder) {
      _ = source.collapse(folder, in: 0)
    } else {
      _ = source.expand(folder, in: 0)
    }
  }
}

@Observable
@MainActor
final class Basket {
  var fruits = ["Apple", "Pear"]
  var prices = ["Apple": 2, "Pear": 3]
}

@MainActor
struct BasketList {
  let basket = Basket()

  var content: some CollectionContent {
    CollectionList(basket.fruits, id: \.self) { [basket] fruit in
      ListContentConfiguration(text: fruit, secondaryText: "\(basket.prices[fruit] ?? 0) €")
    }
    .onSelect { [basket] fruit in basket.prices[fruit, default: 0] += 1 }
  }
}
