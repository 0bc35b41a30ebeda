import CollectionLayout
import CollectionUI
import DiffableData
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("Views beside the cells move with their sections")
struct MotionElementTests {
  /// Headers and backgrounds in the last frame, back to front: what it is, its top, its height and its opacity.
  private static func shown(_ stack: StackStage) -> [String] {
    (stack.stage.display.frames.last?.commands ?? []).compactMap { command in
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

  private static func stage(_ sections: [(String, [Int])], hasBackgrounds: Bool = false) -> (StackStage, FrameActor) {
    let stack = StackStage(sections, layout: StackLayout(hasHeaders: true, hasBackgrounds: hasBackgrounds))
    let actor = FrameActor()
    stack.stage.window.addFirstParticipant(actor)
    stack.stage.runUntilIdle()
    return (stack, actor)
  }

  @Test("A header goes with its section, and a pinned one stays pinned")
  func headers() {
    let (stack, actor) = Self.stage([("a", [1, 2, 3]), ("b", [4, 5, 6])])
    stack.scroll(to: 10)
    #expect(Self.shown(stack) == ["header 0 h30", "header 170 h30"])
    actor.next = [{ stack.apply(animated: true) { $0.insertItems([9], afterItem: 3) } }]
    stack.stage.run(frames: 9)
    #expect(Self.shown(stack) == ["header 0 h30", "header 203 h30"])
    stack.stage.runUntilIdle()
    #expect(Self.shown(stack) == ["header 0 h30", "header 220 h30"])
    #expect(stack.shownHeaders == ["a 4 at 0, pinned", "b 3 at 220"])
    #expect(stack.headers.count == 2)
  }

  @Test("Those of a section that goes fade away, those of one that comes fade in, behind and before the cells")
  func sections() {
    let (stack, actor) = Self.stage([("a", [1]), ("b", [2]), ("c", [3])], hasBackgrounds: true)
    let before = Self.shown(stack)
    #expect(before == ["back 0 h80", "back 80 h80", "back 160 h80", "header 0 h30", "header 80 h30", "header 160 h30"])
    actor.next = [
      {
        stack.apply(animated: true) {
          $0.deleteSections(["b"])
          $0.appendSections(["d"])
          $0.appendItems([7], toSection: "d")
        }
      }
    ]
    stack.stage.run(frames: 9)
    let middle = Self.shown(stack)
    #expect(middle.contains("back 80 h80 a87") && middle.contains("header 80 h30 a87"))
    #expect(middle.contains("back 107 h80") && middle.contains("header 107 h30"))
    #expect(middle.contains("back 160 h80 a168") && middle.contains("header 160 h30 a168"))
    stack.stage.runUntilIdle()
    #expect(Self.shown(stack) == before)
    #expect(stack.shownHeaders == ["a 1 at 0", "c 1 at 80", "d 1 at 160"])
  }

  @Test("One that was on its way out comes back as the same view")
  func comesBack() {
    let (stack, actor) = Self.stage([("a", [1, 2, 3, 4]), ("b", [5, 6])])
    #expect(stack.shownHeaders.count == 2)
    actor.next = [{ stack.apply(animated: true) { $0.insertItems([21, 22, 23], afterItem: 1) } }]
    stack.stage.run(frames: 4)
    #expect(stack.shownHeaders.count == 1 && Self.shown(stack).count == 2)
    actor.next = [{ stack.apply(animated: true) { $0.deleteItems([21, 22, 23]) } }]
    stack.stage.run(frames: 1)
    #expect(stack.shownHeaders.last?.hasPrefix("b 2 at 230") ?? false)
    #expect(stack.headers.count == 2 && stack.headers.allSatisfy { $0.reuses == 0 })
    stack.stage.runUntilIdle()
    #expect(Self.shown(stack) == ["header 0 h30", "header 230 h30"])
  }
}
