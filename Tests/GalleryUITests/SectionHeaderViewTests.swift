import Testing
import VitrineCollectionLayout
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("A section header shows its title and count, and covers the content below while it is pinned")
struct SectionHeaderViewTests {
  static func makeHarness(width: Double = 400) -> (WindowHarness, SectionHeaderView) {
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

  @Test("The title is at the left edge of the photos and the count at the right, on one baseline")
  func texts() throws {
    let (harness, header) = Self.makeHarness()
    header.show(title: "July 2024", count: "1,204")
    harness.runUntilIdle()
    let title = try #require(harness.drawnTexts(["July 2024"], in: Theme.sectionStyle).first)
    let count = try #require(harness.drawnTexts(["1,204"], in: Theme.detailStyle).first)
    #expect(title.frame.x == 16 && count.frame.maxX == 400 - 16)
    let scale = harness.resources.scale
    let baselines = [
      title.frame.y + Int32(harness.resources.text.metrics(Theme.sectionStyle, scale: scale).ascent),
      count.frame.y + Int32(harness.resources.text.metrics(Theme.detailStyle, scale: scale).ascent),
    ]
    #expect(abs(baselines[0] - baselines[1]) <= 1)
    #expect(
      !harness.lastFrameCommands.contains { $0.hasPrefix("fill") }, "there is no content below the header")
  }

  @Test("A pinned header has a background and a separator, an unpinned one has none, and equal values draw no frame")
  func pinned() {
    let (harness, header) = Self.makeHarness()
    header.show(title: "July 2024", count: "3")
    header.apply(Self.attributes(isPinned: true))
    harness.runUntilIdle()
    #expect(harness.lastFrameCommands.contains { $0.hasPrefix("fill 0,0 400x48 #121316ff") })
    #expect(harness.lastFrameCommands.contains { $0.hasPrefix("fill 0,47 400x1 #2e2f36ff") })
    header.apply(Self.attributes(isPinned: true))
    header.show(title: "July 2024", count: "3")
    #expect(harness.runUntilIdle() == 0)
    header.apply(Self.attributes(isPinned: false))
    harness.runUntilIdle()
    #expect(!harness.lastFrameCommands.contains { $0.hasPrefix("fill") })
  }

  @Test("A long title is truncated, and the count is not", arguments: [20.0, 120, 300])
  func narrow(width: Double) {
    let (harness, header) = Self.makeHarness(width: width)
    header.show(title: "A folder with a name that is longer than anything", count: "12,345")
    harness.runUntilIdle()
    for command in harness.display.frames.last?.commands ?? [] where command.kind == .texture {
      #expect(command.destination.maxX <= Int32(width))
    }
  }
}
