// The code of the article GettingStarted: ArticleTests compares the two.
import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineViews

struct City: Hashable, Sendable {
  let id: Int
  var name: String
  var country: String
}

final class CityStore {
  var cities: [Int: City] = [:]
}

final class CityCell: CollectionViewCell {
  private let name = Label(style: TextStyle(size: 15), color: .white)

  required init() {
    super.init()
    backgroundColor = Color(hex: 0x1E1E1E)
    addSubview(name)
  }

  func show(_ city: City) { name.text = city.name }

  override func layoutSubviews() { name.frame = bounds }
}

final class CountryHeader: CollectionReusableView {
  private let title = Label(style: TextStyle(size: 20), color: .white)

  required init() {
    super.init()
    addSubview(title)
  }

  func show(_ country: String) { title.text = country }

  override func layoutSubviews() { title.frame = bounds }
}

final class CityGrid {
  let view = CollectionView(layout: CityGrid.layout)
  private let store = CityStore()
  private let source: DiffableDataSource<String, Int>

  static var layout: CompositionalLayout {
    let whole = CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1))
    let row = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(60)),
      repeatingSubitem: CollectionLayoutItem(layoutSize: whole), count: 3)
    var header = CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(32)),
      elementKind: "country", alignment: .top)
    header.pinToVisibleBounds = true
    var section = CollectionLayoutSection(group: row)
    section.interGroupSpacing = 8
    section.boundarySupplementaryItems = [header]
    return CompositionalLayout(section: section)
  }

  init() {
    let store = store
    // Created once, outside the cell provider, because each registration has its own reuse pool.
    let cell = CellRegistration<CityCell, Int> { cell, _, id in
      if let city = store.cities[id] { cell.show(city) }
    }
    let source = DiffableDataSource<String, Int>(collectionView: view) { view, path, id in
      view.dequeueConfiguredReusableCell(using: cell, for: path, item: id)
    }
    let header = SupplementaryRegistration<CountryHeader>(elementKind: "country") { [weak source] header, _, path in
      if let country = source?.sectionIdentifier(for: path.section) { header.show(country) }
    }
    source.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: header, for: path)
    }
    self.source = source
  }

  func show(_ cities: [City]) {
    for city in cities { store.cities[city.id] = city }
    var snapshot = DiffableDataSourceSnapshot<String, Int>()
    for country in Set(cities.map(\.country)).sorted() {
      snapshot.appendSections([country])
      snapshot.appendItems(cities.filter { $0.country == country }.map(\.id), toSection: country)
    }
    source.apply(snapshot)
  }

  func rename(_ id: Int, to name: String) {
    store.cities[id]?.name = name
    source.reconfigureItems([id])
  }
}
