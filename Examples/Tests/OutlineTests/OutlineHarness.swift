import CollectionUI
import ExampleSupport
import struct FoundationEssentials.IndexPath
import VitrineTestSupport

@testable import vitrine_outline

/// An outline in a window of 800 by 1,000 points, with a pointer and a keyboard.
final class OutlineHarness {
  let store = DestinationStore()
  let list: OutlineList
  let harness: WindowHarness

  var view: CollectionView { list.view }

  init(expandsAll: Bool = false) {
    list = OutlineList(store, theme: .dark, expandsAll: expandsAll)
    harness = WindowHarness(root: list.view, size: Size(width: 800, height: 1_000))
    harness.window.firstResponder = list.view
    harness.window.addParticipant(list.landscapes)
    harness.window.addParticipant(list.disclosureAnimator)
    harness.window.addParticipant(list.view)
    harness.runUntilIdle()
  }

  /// Returns the items of a section as text; destinations are indented.
  func rows(_ section: Section) -> [String] {
    list.dataSource.snapshot().itemIdentifiers(inSection: section).map(text(of:))
  }

  func text(of item: Item) -> String {
    switch item {
    case .favorite(let id): "* " + (store.destinations[id]?.name ?? "?")
    case .region(let id): id
    case .destination(let id): "  " + (store.destinations[id]?.name ?? "?")
    }
  }

  /// Returns the item of the destination with a name.
  func destination(_ name: String) -> Item {
    .destination(store.destinations.values.first { $0.name == name }?.id ?? -1)
  }

  /// Returns the center of an item's cell in window coordinates.
  func center(of item: Item) -> Point {
    guard let path = list.dataSource.indexPath(for: item), let frame = view.frameOfItem(at: path) else {
      return Point(x: -1, y: -1)
    }
    return Point(x: frame.midX, y: frame.midY) - view.contentOrigin
  }

  func click(_ point: Point) {
    press(point)
    release(point)
  }

  func press(_ point: Point) { send(.pointerDown(point, button: .primary, clicks: 1, modifiers: [])) }
  func release(_ point: Point) { send(.pointerUp(point, button: .primary, modifiers: [])) }
  func pressKey(_ key: Key, _ modifiers: KeyModifiers = []) {
    send(.keyDown(key, modifiers: modifiers, isRepeat: false))
  }

  /// Drags with the primary button in six steps, without releasing it.
  func drag(_ start: Point, to end: Point) {
    press(start)
    for step in 1...6 {
      let fraction = Double(step) / 6
      send(
        .pointerMoved(Point(x: start.x + (end.x - start.x) * fraction, y: start.y + (end.y - start.y) * fraction)))
    }
    harness.run(frames: 4)
  }

  func send(_ kind: InputEvent.Kind) {
    harness.sendEvent(kind)
    harness.run(frames: 1)
  }

  /// Returns the visible cell of an item.
  func cell(of item: Item) -> CollectionViewCell? {
    list.dataSource.flatIndex(of: item).flatMap { view.cell(at: $0) }
  }
}
