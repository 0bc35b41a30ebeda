import CollectionLayout
import CollectionUI
import DiffableData
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("What an animated apply changes about sizes, and what handlers say, is shown on the way too")
struct MotionSizeTests {
  /// Top and height of each cell in the last frame, from the top, in whole pixels.
  private static func rows(_ stage: WindowHarness) -> [String] {
    (stage.display.frames.last?.commands ?? []).filter { $0.kind == .fill && $0.destination.width > 20 }
      .sorted { $0.destination.y < $1.destination.y }.map { "\($0.destination.y) h\($0.destination.height)" }
  }

  private static func section() -> CollectionLayoutSection {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(50))
    let group = CollectionLayoutGroup.vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    return CollectionLayoutSection(group: group)
  }

  private static func wall(_ section: CollectionLayoutSection, _ preferred: @escaping (Int) -> Double)
    -> (NumberWall, FrameActor)
  {
    let wall = NumberWall([[0, 1, 2, 3]], layout: CompositionalLayout(section: section)) { number, _ in
      Size(width: 400, height: preferred(number))
    }
    let actor = FrameActor()
    wall.stage.window.addFirstParticipant(actor)
    wall.stage.runUntilIdle()
    return (wall, actor)
  }

  @Test("A cell that is configured again and prefers another size grows, and those below it make way")
  func size() {
    var height = 40.0
    let (wall, actor) = Self.wall(Self.section()) { $0 == 1 ? height : 40 }
    #expect(Self.rows(wall.stage) == ["0 h40", "40 h40", "80 h40", "120 h40"])
    height = 100
    actor.next = [{ wall.apply { $0.reconfigureItems([1]) } }]
    wall.stage.run(frames: 1)
    #expect(Self.rows(wall.stage) == ["0 h40", "40 h40", "80 h40", "120 h40"], "it begins as it was")
    #expect(wall.frame(of: 1)?.height == 100 && wall.view.isAnimatingUpdates)
    wall.stage.run(frames: 8)
    #expect(Self.rows(wall.stage) == ["0 h40", "40 h79", "119 h40", "159 h40"])
    wall.stage.runUntilIdle()
    #expect(Self.rows(wall.stage) == ["0 h40", "40 h100", "140 h40", "180 h40"])
  }

  @Test("What a section's handler says is shown around the place that a cell is on its way to")
  func handler() {
    var section = Self.section()
    section.visibleItemsInvalidationHandler = { items, _, _ in
      for place in items.indices { items[place].center.y += 100 }
    }
    let (wall, actor) = Self.wall(section) { _ in 40 }
    #expect(Self.rows(wall.stage) == ["100 h40", "140 h40", "180 h40", "220 h40"])
    actor.next = [{ wall.apply { $0.deleteItems([0]) } }]
    wall.stage.run(frames: 9)
    #expect(Self.rows(wall.stage) == ["100 h40", "114 h40", "154 h40", "194 h40"])
    wall.stage.runUntilIdle()
    #expect(Self.rows(wall.stage) == ["100 h40", "140 h40", "180 h40"])
  }
}
