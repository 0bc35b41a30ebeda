import CollectionUI
import ExampleSupport

/// The layouts of the example.
nonisolated enum CardLayout: String, CaseIterable, Sendable {
  case masonry
  case circles
  case carousel

  /// Returns the collection view's layout.
  var layout: CompositionalLayout {
    let configuration = CompositionalLayout.Configuration(scrollDirection: self == .carousel ? .horizontal : .vertical)
    return CompositionalLayout(configuration: configuration) { _, environment in
      let spacing = 8.0
      var section =
        switch self {
        case .masonry:
          CollectionLayoutSection(
            layout: Masonry(
              columnCount: max(2, Int(environment.effectiveContentSize.width / 240)), spacing: spacing
            ) { item, _ in Card.estimatedHeight(ofItem: item) })
        case .circles: CollectionLayoutSection(layout: CircleLayout(itemSize: 160))
        case .carousel: CollectionLayoutSection(layout: Carousel(cardLength: 320, spacing: 24))
        }
      section.contentInsets = DirectionalEdgeInsets(all: spacing)
      return section
    }
  }
}

/// The data source of a list of cards.
final class CardList {
  let view: CollectionView
  let dataSource: DiffableDataSource<Int, Int>
  private var nextID: Int
  private var updateCount = 0
  private let layout: CardLayout

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - layout: The layout of the cards.
  ///   - itemCount: The number of cards.
  ///   - size: The size that the view will have, for which the layout is prepared before the first frame.
  ///   - theme: The colors.
  init(_ layout: CardLayout, itemCount: Int, size: Size = .zero, theme: ExampleTheme) {
    self.layout = layout
    view = CollectionView(layout: layout.layout)
    view.frame = Rect(origin: .zero, size: size)
    let registration = CellRegistration<CardCell, Int> { cell, _, id in
      cell.configure(with: Card(id: id), isRound: layout == .circles, theme: theme)
    }
    dataSource = DiffableDataSource(collectionView: view) { view, path, id in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: id)
    }
    nextID = itemCount
    var snapshot = dataSource.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<itemCount))
    dataSource.apply(snapshot, animatingDifferences: false)
  }

  /// Inserts, removes and moves some of the visible cards.
  func updateVisibleCards() {
    let visible = view.visibleCells.compactMap(\.itemIndex).sorted()
    var snapshot = dataSource.snapshot()
    let ids = visible.compactMap { snapshot.itemIdentifier(section: 0, item: $0) }
    guard ids.count >= (layout == .carousel ? 2 : 8) else { return }
    updateCount += 1
    let (first, last) = (ids[ids.count / 4], ids[3 * ids.count / 4])
    switch updateCount % 3 {
    case 1 where layout == .carousel:
      snapshot.insertItems([nextID], beforeItem: ids[ids.count / 2])
      nextID += 1
    case 2 where layout == .carousel: snapshot.deleteItems([ids[ids.count / 2]])
    case 1:
      snapshot.insertItems([nextID, nextID + 1, nextID + 2], beforeItem: first)
      nextID += 3
    case 2: snapshot.deleteItems([first, last])
    default: snapshot.moveItem(first, afterItem: last)
    }
    dataSource.apply(snapshot)
  }
}
