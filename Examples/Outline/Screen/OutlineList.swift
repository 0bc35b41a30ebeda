import CollectionEngine
import CollectionUI
import DiffableData
import ExampleSupport
import struct FoundationEssentials.IndexPath
import Geometry
import Views

/// The list: what UIKit's sample has in its view controller.
final class OutlineList: CollectionViewDelegate, CollectionViewInteractionDelegate {
  typealias DataSource = DiffableDataSource<Shelf, Entry>

  let view = OutlineView(layout: OutlineLayout.layout)
  let atlas: Atlas
  let turning = Turning()
  let pictures: PictureBook
  let dataSource: DataSource

  init(_ atlas: Atlas, theme: ExampleTheme, expandsAll: Bool) {
    self.atlas = atlas
    pictures = PictureBook(atlas.pages)
    dataSource = OutlineList.dataSource(of: view, atlas, turning, pictures, theme)
    view.delegate = self
    configureHeaders(theme)
    configureHandlers()
    view.onKey = { [weak self] key in self?.take(key) ?? false }
    applyInitialSnapshots(expandsAll)
  }

  // MARK: Data source

  /// Makes the registrations, once, and the data source that dequeues with them.
  private static func dataSource(
    of view: CollectionView, _ atlas: Atlas, _ turning: Turning, _ pictures: PictureBook, _ theme: ExampleTheme
  ) -> DataSource {
    let favourite = CellRegistration<FavouriteCell, Destination.ID> { cell, _, id in
      guard let destination = atlas.destinations[id] else { return }
      cell.theme = theme
      cell.show(destination, picture: pictures.picture(of: destination, FavouriteCell.pictureSize))
    }
    let destination = CellRegistration<DestinationCell, Destination.ID> { cell, _, id in
      guard let destination = atlas.destinations[id] else { return }
      cell.theme = theme
      cell.show(destination, picture: pictures.picture(of: destination, OutlineStyle.pictureSize))
    }
    weak var source: DataSource?
    let region = CellRegistration<RegionCell, Region.ID> { cell, _, id in
      guard let region = atlas.regions[id] else { return }
      cell.theme = theme
      cell.show(region, angle: turning.angle(of: id, isExpanded: source?.isExpanded(.region(id)) ?? false))
    }
    let dataSource = DataSource(collectionView: view) { view, path, entry in
      switch entry {
      case .favourite(let id): view.dequeueConfiguredReusableCell(using: favourite, for: path, item: id)
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
      guard let self, let shelf = dataSource.sectionIdentifier(for: path.section) else { return }
      header.theme = theme
      show(shelf, in: header)
    }
    dataSource.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
    }
  }

  private func show(_ shelf: Shelf, in header: HeaderView) {
    switch shelf {
    case .favourites:
      header.show("Favourites", detail: "")
      header.isWide = true
      header.onClick = nil
    case .continent(let number):
      header.isWide = false
      let (regions, places) = (atlas.continents[number].regions.count, atlas.count(inContinent: number))
      header.show(atlas.continents[number].name, detail: "\(regions) regions   \(places) places")
      header.onClick = { [weak self] in self?.toggleAll(of: shelf) }
    }
  }

  private func configureHandlers() {
    dataSource.sectionSnapshotHandlers.willExpandItem = { [weak self] in self?.turn($0, isExpanded: true) }
    dataSource.sectionSnapshotHandlers.willCollapseItem = { [weak self] in self?.turn($0, isExpanded: false) }
    dataSource.reorderingHandlers.canReorderItem = { _ in true }
    dataSource.reorderingHandlers.didReorder = { [weak self] in self?.didReorder($0) }
    pictures.onPaint = { [weak dataSource] in
      guard let dataSource else { return }
      dataSource.reconfigureItems(dataSource.shownSnapshot().itemIdentifiers)
    }
    turning.reconfigure = { [weak self] regions in self?.dataSource.reconfigureItems(regions.map(Entry.region)) }
  }

  /// The sections, and in each its items: the favourites as a list, the continents as trees.
  private func applyInitialSnapshots(_ expandsAll: Bool) {
    var snapshot = DataSource.Snapshot()
    snapshot.appendSections([.favourites])
    snapshot.appendItems(atlas.favourites.map(Entry.favourite))
    snapshot.appendSections(atlas.continents.indices.map(Shelf.continent))
    dataSource.apply(snapshot, animatingDifferences: false)
    for number in atlas.continents.indices {
      var tree = atlas.tree(ofContinent: number, expanded: expandsAll)
      // Something to look at: the first region is open.
      if number == 0, let first = tree.rootItems.first { tree.expand([first]) }
      dataSource.apply(tree, to: .continent(number), animatingDifferences: false)
    }
  }

  // MARK: Expanding and collapsing

  /// Expands or collapses a region.
  func toggle(_ entry: Entry) {
    guard let shelf = dataSource.snapshot().sectionIdentifier(containingItem: entry) else { return }
    if dataSource.isExpanded(entry) {
      dataSource.collapse(entry, in: shelf)
    } else {
      dataSource.expand(entry, in: shelf)
    }
  }

  /// Collapses all regions of a section, or expands them all where none is expanded.
  private func toggleAll(of shelf: Shelf) {
    var tree = dataSource.snapshot(for: shelf)
    let expanded = tree.rootItems.filter(tree.isExpanded)
    if expanded.isEmpty { tree.expand(tree.rootItems) } else { tree.collapse(expanded) }
    dataSource.apply(tree, to: shelf)
    for entry in expanded.isEmpty ? tree.rootItems : expanded { turn(entry, isExpanded: expanded.isEmpty) }
  }

  private func turn(_ entry: Entry, isExpanded: Bool) {
    if case .region(let id) = entry { turning.turn(id, isExpanded: isExpanded) }
  }

  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) {
    guard case .region? = dataSource.itemIdentifier(for: indexPath),
      let entry = dataSource.itemIdentifier(for: indexPath)
    else { return }
    // A region is nothing to be chosen: a click opens it.
    view.deselectItem(at: indexPath, animated: true)
    toggle(entry)
  }

  // MARK: Reordering

  /// The data source has the new order already: all that is left to do is to store it.
  private func didReorder(_ transaction: DiffableDataSourceTransaction<Shelf, Entry>) {
    atlas.store(transaction)
    // Regions show how many destinations they have.
    dataSource.reconfigureItems(atlas.regions.keys.sorted().map(Entry.region))
    // And continents how many they have: the order on screen is the new one already, so that nothing else tells them.
    view.reconfigureSupplementaryViews()
  }

  func collectionView(
    _ view: CollectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
    atCurrentIndexPath currentIndexPath: IndexPath, toProposedIndexPath proposedIndexPath: IndexPath
  ) -> IndexPath {
    guard let entry = dataSource.itemIdentifier(for: currentIndexPath) else { return currentIndexPath }
    let rules = MoveRules(dataSource.shownSnapshot()) { [dataSource] in dataSource.isExpanded($0) }
    let place = rules.place(
      for: entry, proposed: .init(section: proposedIndexPath.section, item: proposedIndexPath.item))
    return place.map { IndexPath(item: $0.item, section: $0.section) } ?? currentIndexPath
  }
}

extension Atlas {
  /// The pictures that the list shows: one beside each destination's name, and one on each favourite's card.
  fileprivate var pages: [PictureBook.Page] {
    let rows = destinations.values.map { PictureBook.Page(destination: $0, size: OutlineStyle.pictureSize) }
    return rows
      + favourites.compactMap { destinations[$0] }.map { .init(destination: $0, size: FavouriteCell.pictureSize) }
  }
}

extension DiffableDataSource<Shelf, Entry> {
  /// Whether a region's destinations are shown.
  func isExpanded(_ entry: Entry) -> Bool {
    guard let shelf = snapshot().sectionIdentifier(containingItem: entry) else { return false }
    return snapshot(for: shelf).isExpanded(entry)
  }
}
