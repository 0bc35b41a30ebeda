import CollectionEngine
import CollectionUI
import DiffableData
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import vitrine_outline

@Suite("Whatever hands and keys do to the outline, at random")
struct OutlineStormTests {
  @Test("Nothing is lost, everything stays where it may be, and the store says what is seen", arguments: 0..<12)
  func storm(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 3_100)
    let outline = OutlineStage(expandsAll: random.chance(oneIn: 2))
    let places = outline.atlas.destinations.count
    let keys: [Key] = [.up, .down, .left, .right, .enter, .escape, .home, .end, .pageDown]
    var isDown = false
    for _ in 0..<150 {
      let point = Point(
        x: Double.random(in: 0...800, using: &random), y: Double.random(in: -20...1_020, using: &random))
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1:
        if isDown { outline.release(point) } else { outline.press(point) }
        isDown.toggle()
      case 2: outline.key(keys.randomElement(using: &random) ?? .down)
      case 3: outline.key([Key.up, .down, .left, .right].randomElement(using: &random) ?? .down, .alt)
      case 4:
        if let region = outline.atlas.regions.keys.sorted().randomElement(using: &random) {
          outline.list.toggle(.region(region))
        }
      case 5: outline.stage.run(frames: Int.random(in: 1...15, using: &random))
      case 6: outline.send(.wheel(WheelInput(location: point, deltaX: 1, deltaY: -2, modifiers: [])))
      default: outline.send(.pointerMoved(point))
      }
    }
    if isDown { outline.release(Point(x: 400, y: 500)) }
    outline.stage.runUntilIdle()
    check(outline, places, "\(seed)")
  }

  private func check(_ outline: OutlineStage, _ places: Int, _ name: Comment) {
    let (atlas, source) = (outline.atlas, outline.list.dataSource)
    #expect(!outline.view.isAnimatingUpdates && outline.view.indexPathOfInteractiveMovement == nil, name)
    #expect(source.shownSnapshot().itemIdentifiers == source.snapshot().itemIdentifiers, name)
    #expect(atlas.regions.values.reduce(0) { $0 + $1.destinations.count } == places, name)
    #expect(source.snapshot().itemIdentifiers(inSection: .favourites) == atlas.favourites.map(Entry.favourite), name)
    for number in atlas.continents.indices {
      let (shown, stored) = (source.snapshot(for: .continent(number)), atlas.tree(ofContinent: number, expanded: true))
      #expect(shown.items == stored.items, name)
      for item in shown.items {
        #expect(shown.level(of: item) == stored.level(of: item), name)
        if case .region = item {
          #expect(shown.level(of: item) == 0, name)
        } else {
          #expect(shown.level(of: item) == 1, name)
        }
      }
    }
  }
}
