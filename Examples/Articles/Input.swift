// The code of the article “Input”.
import CollectionUI

/// A file of the grid.
struct File: Hashable, Sendable {
  var name: String
  var date: Int
}

/// The delegate of a grid of files.
final class FileDelegate: CollectionViewDelegate {
  private let source: DiffableDataSource<Int, File>
  private var openedItem: Int?

  init(source: DiffableDataSource<Int, File>) { self.source = source }

  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) {
    print("selected item \(indexPath.item) of section \(indexPath.section)")
  }

  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    openedItem = indexPath.item
  }

  func collectionView(
    _ view: CollectionView, contextMenuForItemsAt indexPaths: IndexPathRuns, point: Point
  ) -> Menu? {
    let items = indexPaths.compactMap { source.itemIdentifier(for: $0) }
    guard !items.isEmpty else { return nil }
    return Menu(children: [
      MenuAction(title: "Open", shortcut: "Return") { [unowned self] in open(items) },
      Menu(
        title: "Sort by",
        children: [
          MenuAction(title: "Name", state: .on) { [unowned self] in sort(by: \.name) },
          MenuAction(title: "Date") { [unowned self] in sort(by: \.date) },
        ]),
      Menu(
        options: .displayInline,
        children: [
          MenuAction(title: "Delete", attributes: .destructive) { [unowned self] in delete(items) }
        ]),
    ])
  }

  func collectionView(
    _ view: CollectionView, trailingSwipeActionsConfigurationForItemAt indexPath: IndexPath
  ) -> SwipeActionsConfiguration? {
    guard let item = source.itemIdentifier(for: indexPath) else { return nil }
    let remove = ContextualAction(style: .destructive, title: "Delete") { [unowned self] _, _, completion in
      delete([item])
      completion(true)
    }
    return SwipeActionsConfiguration(actions: [remove])
  }

  private func open(_ items: [File]) { print("opened \(items.count) files") }

  private func sort(by key: KeyPath<File, some Comparable>) {
    var snapshot = source.snapshot()
    let sorted = snapshot.itemIdentifiers.sorted { $0[keyPath: key] < $1[keyPath: key] }
    snapshot.deleteAllItems()
    snapshot.appendItems(sorted)
    source.apply(snapshot)
  }

  private func delete(_ items: [File]) {
    var snapshot = source.snapshot()
    snapshot.deleteItems(items)
    source.apply(snapshot)
  }
}

/// A cell that shows its state.
final class FileCell: CollectionViewCell {
  private let name = Label(style: TextStyle(size: 15), color: .white)

  required init() {
    super.init()
    addSubview(name)
  }

  func show(_ text: String) { name.text = text }

  override func updateConfiguration(using state: CellConfigurationState) {
    backgroundColor = state.isSelected ? palette.selection : state.isHovered ? palette.hover : .clear
    name.textColor = palette.label
  }

  override func layoutSubviews() { name.frame = bounds }
}

/// The set-up of a grid for the pointer and the keyboard.
@MainActor
enum Interaction {
  static func configure(_ view: CollectionView, _ delegate: FileDelegate) {
    view.delegate = delegate
    view.allowsMultipleSelection = true
    view.allowsFocus = true
    view.allowsRubberBandSelection = true
  }

  static func selectFirst(in view: CollectionView) {
    view.selectItem(at: IndexPath(item: 0, section: 0), animated: true, scrollPosition: .top)
    for path in view.indexPathsForSelectedItems { print(path) }
  }

  static func addGestures(to card: View) {
    card.addGestureRecognizer(
      PanGestureRecognizer { [unowned card] pan in
        card.transform = Transform(translationX: pan.translation.x, y: pan.translation.y)
      })
    let double = TapGestureRecognizer { [unowned card] _ in card.transform = .identity }
    double.numberOfTapsRequired = 2
    let single = TapGestureRecognizer { [unowned card] _ in card.alpha = card.alpha < 1 ? 1 : 0.5 }
    single.require(toFail: double)
    card.addGestureRecognizer(double)
    card.addGestureRecognizer(single)
  }

  static func show(_ menu: Menu, below button: View) {
    button.showMenu(menu, at: Point(x: 0, y: button.bounds.height))
  }

  static func addRefreshControl(to view: CollectionView, _ reload: @escaping () async -> Void) {
    let control = RefreshControl()
    control.onRefresh = { [weak control] in
      Task {
        await reload()
        control?.endRefreshing()
      }
    }
    view.refreshControl = control
  }
}

/// A root view that handles a shortcut.
final class Screen: View {
  var onFind: () -> Void = {}

  override func handle(_ event: InputEvent) -> Bool {
    guard case .keyDown(.character("f"), let modifiers, _) = event.kind, modifiers == .control else { return false }
    onFind()
    return true
  }
}
