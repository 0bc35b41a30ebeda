import CollectionLayout
import Geometry
import Synchronization
import Testing

@Suite("A section's handler changes how what is seen of it is shown")
struct VisibleItemsHandlerTests {
  /// What a handler was called with.
  private final class Calls: Sendable {
    struct Call: Equatable {
      var names: [VisibleItem.Name]
      var offset: Point
      var width: Double
    }
    let calls = Mutex<[Call]>([])
  }

  private func composition(_ calls: Calls) -> SolvedComposition {
    var plain = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 1)
    plain.boundarySupplementaryItems = [.across("H", .top, 2)]
    var fading = plain
    fading.visibleItemsInvalidationHandler = { items, offset, environment in
      calls.calls.withLock {
        $0.append(Calls.Call(names: items.map(\.name), offset: offset, width: environment.containerSize.width))
      }
      for place in items.indices {
        items[place].alpha = 0.5
        items[place].center.x += 1
      }
      items.reverse()
      items.removeLast()
    }
    var strip = fading
    strip.orthogonalScrollingBehavior = .continuous
    let sections = [plain, fading, strip]
    return CompositionalLayout { section, _ in sections[section] }
      .solved(in: LayoutEnvironment(containerSize: Size(width: 8, height: 40)), for: ItemCounts([2, 2, 2]))
  }

  @Test("Each handler is called once with all of its section's, and may leave some as they are")
  func calls() {
    let calls = Calls()
    var composition = composition(calls)
    composition.setOrthogonalOffset(3, ofSection: 2)
    let header = ElementIdentity(kind: .supplementary("H"), section: 1)
    let global = ElementIdentity(kind: .supplementary("G"), section: nil)
    func item(_ index: Int) -> VisibleItem { VisibleItem(name: .item(index), frame: composition.frame(ofItem: index)) }
    var items = [0, 2, 3, 4].map(item)
    items.insert(VisibleItem(name: .element(header), frame: .zero), at: 1)
    items.append(VisibleItem(name: .element(global), frame: .zero))
    let before = items
    let viewport = Rect(x: 0, y: 1, width: 8, height: 40)
    composition.adjustVisibleItems(&items, in: viewport)
    #expect(
      calls.calls.withLock { $0 } == [
        Calls.Call(names: [.element(header), .item(2), .item(3)], offset: Point(x: 0, y: 1), width: 8),
        Calls.Call(names: [.item(4)], offset: Point(x: 3, y: 1), width: 8),
      ])
    // The first of each came last in what the handler gave back, and was left out.
    #expect(items.map(\.alpha) == [1, 1, 0.5, 0.5, 1, 1])
    #expect(items[2].center.x == before[2].center.x + 1 && items[2].frame == before[2].frame)
    #expect(items[0] == before[0] && items[5] == before[5])
  }

  @Test("Nothing is kept: the layout's own answers stay")
  func nothingIsKept() {
    let composition = composition(Calls())
    var items = [
      VisibleItem(name: .item(2), frame: composition.frame(ofItem: 2)), .init(name: .item(99), frame: .zero),
    ]
    let frame = composition.frame(ofItem: 2)
    composition.adjustVisibleItems(&items, in: composition.visibleRect(at: 0))
    #expect(composition.frame(ofItem: 2) == frame)
    #expect(items[1].alpha == 1)
  }
}
