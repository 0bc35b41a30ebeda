// The code of the article “Input”.
import CollectionUI

/// The delegate of a grid of files.
final class FileDelegate: CollectionViewDelegate {
  private var openedItem: Int?
  private var menuPaths: [IndexPath] = []

  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) {
    print("selected item \(indexPath.item) of section \(indexPath.section)")
  }

  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    openedItem = indexPath.item
  }

  func collectionView(
    _ view: CollectionView, showContextMenuForItemsAt indexPaths: IndexPathRuns, at point: Point
  ) -> Bool {
    menuPaths = Array(indexPaths)
    // Show a menu of your own at the point.
    return true
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

  static func makeSearchField(_ search: @escaping (String) -> Void) -> TextField {
    let field = TextField(style: TextStyle(size: 15), color: .white, tintColor: Color(hex: 0x7FB2FF))
    field.placeholder = "Search"
    field.onEditingChanged = { text in search(text) }
    field.onReturn = { [unowned field] in search(field.text) }
    field.onCancel = { [unowned field] in field.text = "" }
    return field
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
