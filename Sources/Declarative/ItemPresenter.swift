import CollectionUI
import Observation
import VitrineThreads

/// The presenter of items of one type: it compiles a description into a snapshot and a registration.
///
/// The items and the content of cells may read observable state. When the state that the items read changes, they are
/// read again, and the differences are applied. When the state that a cell's content read changes, that cell is
/// configured again. Nothing is evaluated in frames that only scroll.
///
/// Invariants:
/// - Of the registrations with Observation that are in force there is one for the items, and one for each item that was
///   configured since they were read last. Those of before are ignored.
/// - A cell shows the element with its item's identifier.
final class ItemPresenter<Element, ID: Hashable & Sendable, Cell: CollectionViewCell, Content: ContentConfiguration>:
  CollectionPresenter
{
  private let description: ItemDescription<Element, ID, Content>
  private let source: DiffableDataSource<Int, ID>
  private let configure: (Cell, Element) -> Void
  private let delegate: Delegate
  /// The elements that were read last.
  private var elements: [Element] = []
  /// The items whose content is observed since the items were read last.
  private var observedItems: Set<ID> = []
  /// The number of times that the items were read.
  private var readings = 0
  /// The items whose content changed.
  private let changes = ChangedItems<ID>()

  /// Creates a presenter and shows the items.
  ///
  /// - Parameters:
  ///   - description: The items and their content.
  ///   - view: The collection view.
  ///   - configure: A closure that sets what a cell has in addition to its content.
  init(
    _ description: ItemDescription<Element, ID, Content>, in view: CollectionView,
    configure: @escaping (Cell, Element) -> Void
  ) {
    self.description = description
    self.configure = configure
    let delegate = Delegate()
    self.delegate = delegate
    let owner = Owner<ItemPresenter>()
    let registration = CellRegistration<Cell, ID> { cell, path, id in
      owner.object?.configure(cell, item: id, at: path.item)
    }
    source = DiffableDataSource(collectionView: view) { view, path, id in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: id)
    }
    super.init(view)
    owner.object = self
    if let palette = description.palette {
      view.palette = palette
      view.backgroundColor = palette.background
    }
    view.allowsFocus = true
    view.delegate = delegate
    delegate.onSelect = { [unowned self] in select($0) }
    delegate.onPrimaryAction = { [unowned self] in performPrimaryAction($0) }
    if let menu = description.contextMenu {
      delegate.contextMenu = { [unowned self] in element(at: $0).flatMap(menu) }
    }
    if let actions = description.leadingSwipeActions {
      delegate.leadingSwipeActions = { [unowned self] in element(at: $0).flatMap(actions) }
    }
    if let actions = description.trailingSwipeActions {
      delegate.trailingSwipeActions = { [unowned self] in element(at: $0).flatMap(actions) }
    }
    view.allowsSelection = description.onSelect != nil || description.onPrimaryAction != nil
    showItems(isAnimated: false)
  }

  /// Reads the items again and shows the differences.
  override func update() { showItems(isAnimated: true) }

  private func showItems(isAnimated: Bool) {
    readings += 1
    // Elements may be other objects, which are observed when their cells are configured.
    observedItems = []
    let reading = readings
    let items = withObservationTracking {
      description.items()
    } onChange: { [weak self] in
      Task { @MainActor [weak self] in
        if self?.readings == reading { self?.update() }
      }
    }
    elements = items
    let identifiers = items.map { $0[keyPath: description.id] }
    let isFirst = source.snapshot().numberOfSections == 0
    // A copy of the last snapshot knows its items, so that the difference compares numbers.
    var snapshot = source.snapshot()
    if let startsSection = description.startsSection {
      snapshot.deleteAllItems()
      appendSections(of: identifiers, startingAt: startsSection, to: &snapshot)
    } else {
      if isFirst { snapshot.appendSections([0]) } else { snapshot.deleteAllItems() }
      snapshot.appendItems(identifiers)
    }
    source.apply(snapshot, animatingDifferences: isAnimated && !isFirst)
    // Elements with the same identifier may have other content.
    if !isFirst { source.reconfigureItems((view.visibleCells + view.preparedCells).compactMap { item(of: $0) }) }
  }

  /// Adds the items to a snapshot, in sections that begin at some of them.
  private func appendSections(
    of identifiers: [ID], startingAt startsSection: (Element) -> Bool,
    to snapshot: inout DiffableDataSource<Int, ID>.Snapshot
  ) {
    var (section, first) = (0, 0)
    for end in 1..<max(1, identifiers.count + 1) {
      guard end == identifiers.count || startsSection(elements[end]) else { continue }
      if !snapshot.sectionIdentifiers.contains(section) { snapshot.appendSections([section]) }
      snapshot.appendItems(Array(identifiers[first..<end]), toSection: section)
      (section, first) = (section + 1, end)
    }
    let unused = snapshot.sectionIdentifiers.filter { $0 >= section }
    if !unused.isEmpty { snapshot.deleteSections(unused) }
  }

  private func item(of cell: CollectionViewCell) -> ID? { cell.itemIdentifier as? ID }

  /// Returns the element with an identifier, or nil if it was removed.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - index: The index of its item in the displayed snapshot, where it is unless another snapshot is pending.
  private func element(_ id: ID, at index: Int) -> Element? {
    if elements.indices.contains(index), elements[index][keyPath: description.id] == id { return elements[index] }
    return source.snapshot().indexOfItem(id).map { elements[$0] }
  }

  private func configure(_ cell: Cell, item id: ID, at index: Int) {
    guard let element = element(id, at: index) else { return }
    guard observedItems.insert(id).inserted else { return show(element, in: cell) }
    let (reading, changes) = (readings, changes)
    withObservationTracking {
      show(element, in: cell)
    } onChange: { [weak self] in
      // One task for all items that read what changed.
      guard changes.insert(id, reading: reading) else { return }
      Task { @MainActor [weak self] in self?.contentDidChange() }
    }
  }

  private func show(_ element: Element, in cell: Cell) {
    cell.contentConfiguration = description.content(element)
    configure(cell, element)
  }

  /// Configures the cells of the items whose content changed; others are configured when they come on screen.
  private func contentDidChange() {
    let changed = changes.takeItems(reading: readings)
    observedItems.subtract(changed)
    let bound = (view.visibleCells + view.preparedCells).compactMap { item(of: $0) }
    source.reconfigureItems(bound.filter { changed.contains($0) })
  }

  /// Returns the element of a displayed item, which may differ from that of the same index in a pending snapshot.
  private func element(at path: IndexPath) -> Element? {
    source.itemIdentifier(for: path).flatMap { element($0, at: path.item) }
  }

  private func select(_ path: IndexPath) {
    if let element = element(at: path) { description.onSelect?(element) }
  }

  private func performPrimaryAction(_ path: IndexPath) {
    if let element = element(at: path) { description.onPrimaryAction?(element) }
  }
}

/// The items whose content changed since they were taken, on any thread.
private nonisolated final class ChangedItems<ID: Hashable & Sendable>: Sendable {
  private let items = Lock<(reading: Int, ids: Set<ID>)>((0, []))

  /// Adds an item.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - reading: The number of the reading in which its content was observed.
  /// - Returns: Whether it is the first one since the items were taken.
  func insert(_ id: ID, reading: Int) -> Bool {
    items.withLock { items in
      if items.reading != reading { items = (max(items.reading, reading), items.reading < reading ? [] : items.ids) }
      guard items.reading == reading else { return false }
      let isFirst = items.ids.isEmpty
      items.ids.insert(id)
      return isFirst
    }
  }

  /// Removes and returns the items of a reading.
  func takeItems(reading: Int) -> Set<ID> {
    items.withLock { items in
      defer { items.ids = [] }
      return items.reading == reading ? items.ids : []
    }
  }
}

/// A weak reference that a registration captures before its owner exists.
private final class Owner<Object: AnyObject> {
  weak var object: Object?
}

/// The delegate of a presenter's view.
private final class Delegate: CollectionViewDelegate {
  var onSelect: (IndexPath) -> Void = { _ in }
  var onPrimaryAction: (IndexPath) -> Void = { _ in }

  var contextMenu: ((IndexPath) -> Menu?)?
  var leadingSwipeActions: ((IndexPath) -> SwipeActionsConfiguration?)?
  var trailingSwipeActions: ((IndexPath) -> SwipeActionsConfiguration?)?

  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) { onSelect(indexPath) }

  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    onPrimaryAction(indexPath)
  }

  func collectionView(_ view: CollectionView, contextMenuForItemsAt indexPaths: IndexPathRuns, point: Point) -> Menu? {
    indexPaths.first.flatMap { contextMenu?($0) }
  }

  func collectionView(
    _ view: CollectionView, leadingSwipeActionsConfigurationForItemAt indexPath: IndexPath
  ) -> SwipeActionsConfiguration? { leadingSwipeActions?(indexPath) }

  func collectionView(
    _ view: CollectionView, trailingSwipeActionsConfigurationForItemAt indexPath: IndexPath
  ) -> SwipeActionsConfiguration? { trailingSwipeActions?(indexPath) }
}
