import CollectionUI
import Testing
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Supplementary views are animated with their sections")
struct SupplementaryAnimationTests {
  /// Returns the headers and backgrounds of the last frame, back to front, with kind, top, height and opacity.
  private static func drawnElements(_ stack: NumberStack) -> [String] {
    (stack.harness.display.frames.last?.commands ?? []).compactMap { command in
      guard command.kind == .fill else { return nil }
      var color = command.color
      color.alpha = 255
      let name = color == HeaderView.color ? "header" : color == BackgroundView.color ? "back" : nil
      return name.map {
        "\($0) \(command.destination.y) h\(command.destination.height)"
          + (command.color.alpha == 255 ? "" : " a\(command.color.alpha)")
      }
    }
  }

  private static func makeStack(_ sections: [(String, [Int])], hasBackgrounds: Bool = false) -> (
    NumberStack, FrameActions
  ) {
    let stack = NumberStack(sections, layout: StackLayout(hasHeaders: true, hasBackgrounds: hasBackgrounds))
    let actions = FrameActions()
    stack.harness.window.addFirstParticipant(actions)
    stack.harness.runUntilIdle()
    return (stack, actions)
  }

  @Test("A header moves with its section, and a pinned header stays pinned")
  func headers() {
    let (stack, actions) = Self.makeStack([("a", [1, 2, 3]), ("b", [4, 5, 6])])
    stack.scroll(to: 10)
    #expect(Self.drawnElements(stack) == ["header 0 h30", "header 170 h30"])
    actions.pending = [{ stack.apply(animated: true) { $0.insertItems([9], afterItem: 3) } }]
    stack.harness.run(frames: 9)
    #expect(Self.drawnElements(stack) == ["header 0 h30", "header 203 h30"])
    stack.harness.runUntilIdle()
    #expect(Self.drawnElements(stack) == ["header 0 h30", "header 220 h30"])
    #expect(stack.shownHeaders == ["a 4 at 0, pinned", "b 3 at 220"])
    #expect(stack.headers.count == 2)
  }

  @Test("Views of a deleted section fade out and those of an inserted section fade in, in their z-order")
  func sections() {
    let (stack, actions) = Self.makeStack([("a", [1]), ("b", [2]), ("c", [3])], hasBackgrounds: true)
    let before = Self.drawnElements(stack)
    #expect(before == ["back 0 h80", "back 80 h80", "back 160 h80", "header 0 h30", "header 80 h30", "header 160 h30"])
    actions.pending = [
      {
        stack.apply(animated: true) {
          $0.deleteSections(["b"])
          $0.appendSections(["d"])
          $0.appendItems([7], toSection: "d")
        }
      }
    ]
    stack.harness.run(frames: 9)
    let middle = Self.drawnElements(stack)
    #expect(middle.contains("back 80 h80 a87") && middle.contains("header 80 h30 a87"))
    #expect(middle.contains("back 107 h80") && middle.contains("header 107 h30"))
    #expect(middle.contains("back 160 h80 a168") && middle.contains("header 160 h30 a168"))
    stack.harness.runUntilIdle()
    #expect(Self.drawnElements(stack) == before)
    #expect(stack.shownHeaders == ["a 1 at 0", "c 1 at 80", "d 1 at 160"])
  }

  @Test("A disappearing header returns as the same view")
  func reversedDisappearance() {
    let (stack, actions) = Self.makeStack([("a", [1, 2, 3, 4]), ("b", [5, 6])])
    #expect(stack.shownHeaders.count == 2)
    actions.pending = [{ stack.apply(animated: true) { $0.insertItems([21, 22, 23], afterItem: 1) } }]
    stack.harness.run(frames: 4)
    #expect(stack.shownHeaders.count == 1 && Self.drawnElements(stack).count == 2)
    actions.pending = [{ stack.apply(animated: true) { $0.deleteItems([21, 22, 23]) } }]
    stack.harness.run(frames: 1)
    #expect(stack.shownHeaders.last?.hasPrefix("b 2 at 230") ?? false)
    #expect(stack.headers.count == 2 && stack.headers.allSatisfy { $0.reuses == 0 })
    stack.harness.runUntilIdle()
    #expect(Self.drawnElements(stack) == ["header 0 h30", "header 230 h30"])
  }
}

@Suite("Size changes and the effects of visible-item handlers are animated")
struct SizeAnimationTests {
  /// Returns the top and height of each cell in the last frame, from top to bottom, in pixels.
  private static func rows(_ harness: WindowHarness) -> [String] {
    (harness.display.frames.last?.commands ?? []).filter { $0.kind == .fill && $0.destination.width > 20 }
      .sorted { $0.destination.y < $1.destination.y }.map { "\($0.destination.y) h\($0.destination.height)" }
  }

  private static func section() -> CollectionLayoutSection {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(50))
    let group = CollectionLayoutGroup.vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    return CollectionLayoutSection(group: group)
  }

  private static func makeGrid(_ section: CollectionLayoutSection, _ preferred: @escaping (Int) -> Double)
    -> (NumberGrid, FrameActions)
  {
    let grid = NumberGrid([[0, 1, 2, 3]], layout: CompositionalLayout(section: section)) { number, _ in
      Size(width: 400, height: preferred(number))
    }
    let actions = FrameActions()
    grid.harness.window.addFirstParticipant(actions)
    grid.harness.runUntilIdle()
    return (grid, actions)
  }

  @Test("A reconfigured cell grows to its new preferred size, and cells below move")
  func preferredSize() {
    var height = 40.0
    let (grid, actions) = Self.makeGrid(Self.section()) { $0 == 1 ? height : 40 }
    #expect(Self.rows(grid.harness) == ["0 h40", "40 h40", "80 h40", "120 h40"])
    height = 100
    actions.pending = [{ grid.apply { $0.reconfigureItems([1]) } }]
    grid.harness.run(frames: 1)
    #expect(
      Self.rows(grid.harness) == ["0 h40", "40 h40", "80 h40", "120 h40"], "the animation starts at the former size")
    #expect(grid.frame(of: 1)?.height == 100 && grid.view.isAnimatingUpdates)
    grid.harness.run(frames: 8)
    #expect(Self.rows(grid.harness) == ["0 h40", "40 h79", "119 h40", "159 h40"])
    grid.harness.runUntilIdle()
    #expect(Self.rows(grid.harness) == ["0 h40", "40 h100", "140 h40", "180 h40"])
  }

  @Test("Offsets of a visible-item handler are added to the animated frames")
  func visibleItemsHandler() {
    var section = Self.section()
    section.visibleItemsInvalidationHandler = { items, _, _ in
      for index in items.indices { items[index].center.y += 100 }
    }
    let (grid, actions) = Self.makeGrid(section) { _ in 40 }
    #expect(Self.rows(grid.harness) == ["100 h40", "140 h40", "180 h40", "220 h40"])
    actions.pending = [{ grid.apply { $0.deleteItems([0]) } }]
    grid.harness.run(frames: 9)
    #expect(Self.rows(grid.harness) == ["100 h40", "114 h40", "154 h40", "194 h40"])
    grid.harness.runUntilIdle()
    #expect(Self.rows(grid.harness) == ["100 h40", "140 h40", "180 h40"])
  }
}
