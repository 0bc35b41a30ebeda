import CollectionEngine
import CollectionUI
import DiffableData
import Geometry
import Rendering
import TestSupport
import Views

/// A grid of words whose items are clicked.
final class ItemWall {
  let grid: WordGrid
  let log = InteractionLog()
  var view: CollectionView { grid.view }
  var stage: WindowHarness { grid.stage }

  init(_ count: Int = 100, columns: Int = 4, allowsMultipleSelection: Bool = true) {
    grid = WordGrid(WordGrid.words(0..<count), columns: columns)
    log.word = { [source = grid.source] in source.itemIdentifier(for: $0) ?? "?" }
    grid.view.delegate = log
    grid.view.allowsMultipleSelection = allowsMultipleSelection
  }

  /// What is selected, in display order.
  var selected: [String] { view.indexPathsForSelectedItems.map(log.word) }

  /// The middle of a word's cell in the window.
  func middle(of word: String) -> Point {
    grid.cell(of: word).map { cell in
      let corner = view.origin(of: cell)
      return Point(x: corner.x + cell.frame.width / 2, y: corner.y + cell.frame.height / 2)
    } ?? Point(x: -100, y: -100)
  }

  func press(_ word: String, _ modifiers: KeyModifiers = [], clicks: Int = 1, button: PointerButton = .primary) {
    press(at: middle(of: word), modifiers, clicks: clicks, button: button)
  }

  func press(at point: Point, _ modifiers: KeyModifiers = [], clicks: Int = 1, button: PointerButton = .primary) {
    stage.sendEvent(.pointerDown(point, button: button, clicks: clicks, modifiers: modifiers))
    stage.run(frames: 1)
  }

  func release(at point: Point, _ modifiers: KeyModifiers = []) {
    stage.sendEvent(.pointerUp(point, button: .primary, modifiers: modifiers))
    stage.run(frames: 1)
  }

  func move(to point: Point) {
    stage.sendEvent(.pointerMoved(point))
    stage.run(frames: 1)
  }

  func click(_ word: String, _ modifiers: KeyModifiers = [], clicks: Int = 1) {
    press(word, modifiers, clicks: clicks)
    release(at: middle(of: word), modifiers)
  }

  func key(_ key: Key, _ modifiers: KeyModifiers = []) {
    stage.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    stage.run(frames: 1)
  }
}
