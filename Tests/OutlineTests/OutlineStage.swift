import CollectionEngine
import CollectionUI
import DiffableData
import ExampleSupport
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import TestSupport
import Views

@testable import vitrine_outline

/// The outline in a window of 800 by 1,000, with a pointer and keys.
final class OutlineStage {
  let atlas = Atlas()
  let list: OutlineList
  let stage: WindowHarness

  var view: CollectionView { list.view }

  init(expandsAll: Bool = false) {
    list = OutlineList(atlas, theme: .dark, expandsAll: expandsAll)
    stage = WindowHarness(root: list.view, size: Size(width: 800, height: 1_000))
    stage.window.firstResponder = list.view
    stage.window.addParticipant(list.pictures)
    stage.window.addParticipant(list.turning)
    stage.window.addParticipant(list.view)
    stage.runUntilIdle()
  }

  /// What a section shows, in words: a region's name, or a destination's indented.
  func rows(_ shelf: Shelf) -> [String] {
    list.dataSource.snapshot().itemIdentifiers(inSection: shelf).map(words)
  }

  func words(_ entry: Entry) -> String {
    switch entry {
    case .favourite(let id): "* " + (atlas.destinations[id]?.name ?? "?")
    case .region(let id): id
    case .destination(let id): "  " + (atlas.destinations[id]?.name ?? "?")
    }
  }

  /// The destination of a name.
  func destination(_ name: String) -> Entry {
    .destination(atlas.destinations.values.first { $0.name == name }?.id ?? -1)
  }

  /// The middle of an entry's cell, in the window.
  func middle(of entry: Entry) -> Point {
    guard let path = list.dataSource.indexPath(for: entry), let frame = view.frameOfItem(at: path) else {
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
  func key(_ key: Key, _ modifiers: KeyModifiers = []) { send(.keyDown(key, modifiers: modifiers, isRepeat: false)) }

  /// Draws what is at a place to another one, in a few steps.
  func drag(_ start: Point, to end: Point) {
    press(start)
    for step in 1...6 {
      let share = Double(step) / 6
      send(
        .pointerMoved(Point(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)))
    }
    stage.run(frames: 4)
  }

  func send(_ kind: InputEvent.Kind) {
    stage.sendEvent(kind)
    stage.run(frames: 1)
  }

  /// The cell of an entry on screen.
  func cell(of entry: Entry) -> CollectionViewCell? {
    list.dataSource.flatIndex(of: entry).flatMap { view.cell(at: $0) }
  }
}
