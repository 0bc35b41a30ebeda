import CollectionUI
import ExampleSupport
import struct FoundationEssentials.IndexPath

/// The controller of the outline, comparable to the view controller of UIKit's sample.
final class OutlineList: CollectionViewDelegate {
  typealias DataSource = DiffableDataSource<Section, Item>

  let view = OutlineView(layout: OutlineLayout.layout)
  let store: DestinationStore
  let disclosureAnimator = DisclosureAnimator()
  let landscapes: LandscapeCache
  let dataSource: DataSource

  init(_ store: DestinationStore, theme: ExampleTheme, expandsAll: Bool) {
    self.store = store
    landscapes = LandscapeCache(store.landscapeKeys)
    dataSource = OutlineList.makeDataSource(for: view, store, disclosureAnimator, landscapes, theme)
    view.delegate = self
    configureHeaders(theme)
    configureHandlers()
    view.onKey = { [weak self] key in self?.handleKey(key) ?? false }
    applyInitialSnapshots(expandsAll)
  }

  // MARK: - Data source

  /// Creates the registrations, each only once, and the data source that uses them.
  private static func makeDataSource(
    for view: CollectionView, _ store: DestinationStore, _ disclosureAnimator: DisclosureAnimator,
    _ landscapes: LandscapeCache, _ theme: ExampleTheme
  ) -> DataSource {
    let favorite = CellRegistration<FavoriteCell, Destination.ID> { cell, _, id in
      guard let destination = store.destinations[id] else { return }
      cell.theme = theme
      cell.configure(
        with: destination, picture: landscapes.image(for: destination, size: FavoriteCell.pictureSize))
    }
    let destination = CellRegistration<DestinationCell, Destination.ID> { cell, _, id in
      guard let destination = store.destinations[id] else { return }
      cell.theme = theme
      cell.configure(
        with: destination, picture: landscapes.image(for: destination, size: OutlineStyle.pictureSize))
    }
    weak var source: DataSource?
    let region = CellRegistration<RegionCell, Region.ID> { cell, _, id in
      guard let region = store.regions[id] else { return }
      cell.theme = theme
      cell.configure(
        with: region, angle: disclosureAnimator.angle(of: id, isExpanded: source?.isExpanded(.region(id)) ?? false))
    }
    let dataSource = DataSource(collectionView: view) { view, path, item in
      switch item {
      case .favorite(let id): view.dequeueConfiguredReusableCell(using: favorite, for: path, item: id)
      case .destination(let id): view.dequeueConfiguredReusableCell(using: destination, for: path, item: id)
      case .region(let id): view.dequeueConfiguredReusableCell(using: region, for: path, item: id)
      }
    }
    source = dataSource
    return dataSource
  }

  private func configureHeaders(_ theme: ExampleTheme) {
    let registration = SupplementaryRegistration<HeaderView>(elementKind: OutlineLayout.headerKind) {
      [weak self] header, _, path in
      guard let self, let section = dataSource.sectionIdentifier(for: path.section) else { return }
      header.theme = theme
      configure(header, for: section)
    }
    dataSource.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
    }
  }

  private func configure(_ header: HeaderView, for section: Section) {
    switch section {
    case .favorites:
      header.configure(title: "Favourites", detail: "")
      header.isFullWidth = true
      header.onClick = nil
    case .continent(let number):
      header.isFullWidth = false
      let (regions, places) = (store.continents[number].regions.count, store.destinationCount(inContinent: number))
      header.configure(title: store.continents[number].name, detail: "\(regions) regions   \(places) places")
      header.onClick = { [weak self] in self?.toggleAll(of: section) }
    }
  }

  private func configureHandlers() {
    dataSource.sectionSnapshotHandlers.willExpandItem = { [weak self] in
      self?.rotateIndicator(of: $0, isExpanded: true)
    }
    dataSource.sectionSnapshotHandlers.willCollapseItem = { [weak self] in
      self?.rotateIndicator(of: $0, isExpanded: false)
    }
    dataSource.reorderingHandlers.canReorderItem = { _ in true }
    dataSource.reorderingHandlers.didReorder = { [weak self] in self?.didReorder($0) }
    landscapes.onImagesChange = { [weak dataSource] in
      guard let dataSource else { return }
      dataSource.reconfigureItems(dataSource.displayedSnapshot().itemIdentifiers)
    }
    disclosureAnimator.reconfigureRegions = { [weak self] regions in
      self?.dataSource.reconfigureItems(regions.map(Item.region))
    }
  }

  /// Applies the sections with their items: the favorites as a list, and the continents as trees.
  private func applyInitialSnapshots(_ expandsAll: Bool) {
    var snapshot = DataSource.Snapshot()
    snapshot.appendSections([.favorites])
    snapshot.appendItems(store.favorites.map(Item.favorite))
    snapshot.appendSections(store.continents.indices.map(Section.continent))
    dataSource.apply(snapshot, animatingDifferences: false)
    for number in store.continents.indices {
      var tree = store.tree(ofContinent: number, expanded: expandsAll)
      // The first region is expanded, to show some destinations.
      if number == 0, let first = tree.rootItems.first { tree.expand([first]) }
      dataSource.apply(tree, to: .continent(number), animatingDifferences: false)
    }
  }

  // MARK: - Expanding and collapsing

  /// Expands or collapses a region.
  func toggle(_ item: Item) {
    guard let section = dataSource.snapshot().sectionIdentifier(containingItem: item) else { return }
    if dataSource.isExpanded(item) {
      dataSource.collapse(item, in: section)
    } else {
      dataSource.expand(item, in: section)
    }
  }

  /// Collapses all regions of a section, or expands them if none is expanded.
  private func toggleAll(of section: Section) {
    var tree = dataSource.snapshot(for: section)
    let expanded = tree.rootItems.filter(tree.isExpanded)
    if expanded.isEmpty { tree.expand(tree.rootItems) } else { tree.collapse(expanded) }
    dataSource.apply(tree, to: section)
    for item in expanded.isEmpty ? tree.rootItems : expanded { rotateIndicator(of: item, isExpanded: expanded.isEmpty) }
  }

  private func rotateIndicator(of item: Item, isExpanded: Bool) {
    if case .region(let id) = item { disclosureAnimator.rotateIndicator(of: id, isExpanded: isExpanded) }
  }

  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) {
    guard case .region? = dataSource.itemIdentifier(for: indexPath),
      let item = dataSource.itemIdentifier(for: indexPath)
    else { return }
    // Regions are not selectable; a click toggles them.
    view.deselectItem(at: indexPath, animated: true)
    toggle(item)
  }

  // MARK: - Reordering

  /// Stores the new order, which the data source has applied already.
  private func didReorder(_ transaction: DiffableDataSourceTransaction<Section, Item>) {
    store.apply(transaction)
    // Regions show the number of their destinations.
    dataSource.reconfigureItems(store.regions.keys.sorted().map(Item.region))
    // So do the headers, which the data source does not update because the displayed order is already the new one.
    view.reconfigureSupplementaryViews()
  }

  func collectionView(
    _ view: CollectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
    atCurrentIndexPath currentIndexPath: IndexPath, toProposedIndexPath proposedIndexPath: IndexPath
  ) -> IndexPath {
    guard let item = dataSource.itemIdentifier(for: currentIndexPath) else { return currentIndexPath }
    let rules = MoveRules(dataSource.displayedSnapshot()) { [dataSource] in dataSource.isExpanded($0) }
    let position = rules.targetPosition(
      for: item, proposed: .init(section: proposedIndexPath.section, item: proposedIndexPath.item))
    return position.map { IndexPath(item: $0.item, section: $0.section) } ?? currentIndexPath
  }
}

extension DestinationStore {
  /// The pictures of the outline: one for each row, and one for each favorite's card.
  fileprivate var landscapeKeys: [LandscapeCache.Key] {
    let rows = destinations.values.map { LandscapeCache.Key(destination: $0, size: OutlineStyle.pictureSize) }
    return rows
      + favorites.compactMap { destinations[$0] }.map { .init(destination: $0, size: FavoriteCell.pictureSize) }
  }
}

extension DiffableDataSource<Section, Item> {
  /// Returns whether a region is expanded.
  func isExpanded(_ item: Item) -> Bool {
    guard let section = snapshot().sectionIdentifier(containingItem: item) else { return false }
    return snapshot(for: section).isExpanded(item)
  }
}
