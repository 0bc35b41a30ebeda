import CollectionUI
import Testing
import VitrineTestSupport

@testable import vitrine_outline

@Suite("The move rules of the outline")
struct MoveRulesTests {
  private typealias Snapshot = DiffableDataSourceSnapshot<Section, Item>

  /// Two favorites, and a continent with an expanded region, a collapsed one, and an expanded one without destinations.
  private var rules: MoveRules {
    var snapshot = Snapshot()
    snapshot.appendSections([.favorites, .continent(0), .continent(1)])
    snapshot.appendItems([.favorite(1), .favorite(2)], toSection: .favorites)
    snapshot.appendItems(
      [.region("open"), .destination(1), .destination(2), .region("closed"), .region("empty")],
      toSection: .continent(0))
    return MoveRules(snapshot) { $0 == .region("open") || $0 == .region("empty") }
  }

  private func target(_ item: Item, _ section: Int, _ index: Int) -> ItemPosition? {
    rules.targetPosition(for: item, proposed: ItemPosition(section: section, item: index))
  }

  @Test("Favorites move only among favorites")
  func favorites() {
    #expect(target(.favorite(1), 0, 1) == ItemPosition(section: 0, item: 1))
    #expect(target(.favorite(1), 1, 1) == nil)
    #expect(target(.destination(1), 0, 0) == nil && target(.region("open"), 0, 0) == nil)
  }

  @Test("Destinations move into expanded regions, also into empty ones")
  func destinations() {
    // Without the moved item: open, 2, closed, empty.
    #expect(target(.destination(1), 1, 0) == ItemPosition(section: 1, item: 1))
    #expect(target(.destination(1), 1, 2) == ItemPosition(section: 1, item: 2))
    #expect(target(.destination(1), 1, 3) == ItemPosition(section: 1, item: 2))
    #expect(target(.destination(1), 1, 4) == ItemPosition(section: 1, item: 4))
    #expect(target(.destination(1), 2, 0) == nil)
  }

  @Test("Regions move before and after other regions with their destinations")
  func regions() {
    // Without the moved item: open, 1, 2, empty.
    #expect(target(.region("closed"), 1, 1) == ItemPosition(section: 1, item: 0))
    #expect(target(.region("closed"), 1, 2) == ItemPosition(section: 1, item: 3))
    #expect(target(.region("closed"), 2, 0) == ItemPosition(section: 2, item: 0))
    // Without the moved item and its children: closed, empty.
    #expect(target(.region("open"), 1, 2) == ItemPosition(section: 1, item: 2))
    #expect(target(.region("open"), 1, 9) == ItemPosition(section: 1, item: 2))
  }
}

@Suite("The outline under random input")
struct OutlineStressTests {
  @Test(
    "Random input loses no item, breaks no move rule, and keeps the store equal to the displayed order",
    arguments: TestScale.seeds(0..<12))
  func randomInput(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 3_100)
    let outline = OutlineHarness(expandsAll: random.chance(oneIn: 2))
    let destinationCount = outline.store.destinations.count
    let keys: [Key] = [.up, .down, .left, .right, .enter, .escape, .home, .end, .pageDown]
    var isDown = false
    for _ in 0..<150 {
      let point = Point(
        x: Double.random(in: 0...800, using: &random), y: Double.random(in: -20...1_020, using: &random))
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1:
        if isDown { outline.release(point) } else { outline.press(point) }
        isDown.toggle()
      case 2: outline.pressKey(keys.randomElement(using: &random) ?? .down)
      case 3: outline.pressKey([Key.up, .down, .left, .right].randomElement(using: &random) ?? .down, .alt)
      case 4:
        if let region = outline.store.regions.keys.sorted().randomElement(using: &random) {
          outline.list.toggle(.region(region))
        }
      case 5: outline.harness.run(frames: Int.random(in: 1...15, using: &random))
      case 6: outline.send(.wheel(WheelInput(location: point, deltaX: 1, deltaY: -2, modifiers: [])))
      default: outline.send(.pointerMoved(point))
      }
    }
    if isDown { outline.release(Point(x: 400, y: 500)) }
    outline.harness.runUntilIdle()
    checkInvariants(outline, destinationCount, "\(seed)")
  }

  private func checkInvariants(_ outline: OutlineHarness, _ destinationCount: Int, _ comment: Comment) {
    let (store, source) = (outline.store, outline.list.dataSource)
    #expect(!outline.view.isAnimatingUpdates && outline.view.indexPathOfInteractiveMovement == nil, comment)
    #expect(source.displayedSnapshot().itemIdentifiers == source.snapshot().itemIdentifiers, comment)
    #expect(store.regions.values.reduce(0) { $0 + $1.destinations.count } == destinationCount, comment)
    #expect(source.snapshot().itemIdentifiers(inSection: .favorites) == store.favorites.map(Item.favorite), comment)
    for number in store.continents.indices {
      let (shown, stored) = (source.snapshot(for: .continent(number)), store.tree(ofContinent: number, expanded: true))
      #expect(shown.items == stored.items, comment)
      for item in shown.items {
        #expect(shown.level(of: item) == stored.level(of: item), comment)
        if case .region = item {
          #expect(shown.level(of: item) == 0, comment)
        } else {
          #expect(shown.level(of: item) == 1, comment)
        }
      }
    }
  }
}
