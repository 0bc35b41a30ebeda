import CollectionLayout
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("A section's header says its name and count, and hides what passes beneath it")
struct SectionHeaderTests {
  static func stage(width: Double = 400) -> (WindowHarness, SectionHeaderView) {
    let header = SectionHeaderView()
    header.frame = Rect(x: 0, y: 0, width: width, height: 48)
    let root = View()
    root.addSubview(header)
    return (WindowHarness(root: root, size: Size(width: width, height: 48)), header)
  }

  static func attributes(isPinned: Bool) -> ElementAttributes {
    ElementAttributes(
      identity: ElementIdentity(kind: .supplementary("header"), section: 0),
      frame: Rect(x: 0, y: 0, width: 400, height: 48), isPinned: isPinned)
  }

  @Test("The name stands at the left edge of the photographs and the count at the right, on one baseline")
  func texts() throws {
    let (stage, header) = Self.stage()
    header.show(title: "July 2024", count: "1,204")
    stage.runUntilIdle()
    let title = try #require(stage.drawnTexts(["July 2024"], in: Theme.sectionStyle).first)
    let count = try #require(stage.drawnTexts(["1,204"], in: Theme.detailStyle).first)
    #expect(title.frame.x == 16 && count.frame.maxX == 400 - 16)
    let scale = stage.resources.scale
    let baselines = [
      title.frame.y + Int32(stage.resources.text.metrics(Theme.sectionStyle, scale: scale).ascent),
      count.frame.y + Int32(stage.resources.text.metrics(Theme.detailStyle, scale: scale).ascent),
    ]
    #expect(abs(baselines[0] - baselines[1]) <= 1)
    #expect(
      !stage.lastFrameCommands.contains { $0.hasPrefix("fill") }, "photographs beneath it are not there to be hidden")
  }

  @Test("Pinned it has a ground and a hairline; let go it has none, and what is the same is not drawn again")
  func pinned() {
    let (stage, header) = Self.stage()
    header.show(title: "July 2024", count: "3")
    header.apply(Self.attributes(isPinned: true))
    stage.runUntilIdle()
    #expect(stage.lastFrameCommands.contains { $0.hasPrefix("fill 0,0 400x48 #121316ff") })
    #expect(stage.lastFrameCommands.contains { $0.hasPrefix("fill 0,47 400x1 #26272dff") })
    header.apply(Self.attributes(isPinned: true))
    header.show(title: "July 2024", count: "3")
    #expect(stage.runUntilIdle() == 0)
    header.apply(Self.attributes(isPinned: false))
    stage.runUntilIdle()
    #expect(!stage.lastFrameCommands.contains { $0.hasPrefix("fill") })
  }

  @Test("A name that is too long is cut and leaves the count whole", arguments: [20.0, 120, 300])
  func narrow(width: Double) {
    let (stage, header) = Self.stage(width: width)
    header.show(title: "A folder with a name that is longer than anything", count: "12,345")
    stage.runUntilIdle()
    for command in stage.display.frames.last?.commands ?? [] where command.kind == .texture {
      #expect(command.destination.maxX <= Int32(width))
    }
  }
}
