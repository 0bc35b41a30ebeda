import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("The bar says what is shown, how many, and what goes on")
struct TitleBarTests {
  static func stage(width: Double) -> (WindowHarness, TitleBar) {
    let bar = TitleBar(theme: .dark)
    let root = View()
    root.addSubview(bar)
    bar.frame = Rect(x: 0, y: 0, width: width, height: 48)
    let stage = WindowHarness(root: root, size: Size(width: max(1, width), height: 48))
    bar.measure = { $0.measuredWidth(in: stage.resources) }
    return (stage, bar)
  }

  @Test("Title and count stand at the left, the status at the right, over a hairline")
  func texts() {
    let (stage, bar) = Self.stage(width: 640)
    bar.show(title: "Holiday", count: "2,942 photographs", status: "Reading…")
    stage.runUntilIdle()
    let titles = stage.drawnTexts(["Holiday"], in: Theme.titleStyle)
    let details = stage.drawnTexts(["2,942 photographs", "Reading…"], in: Theme.detailStyle)
    #expect(titles.map(\.frame.x) == [16])
    #expect(details.map(\.text) == ["2,942 photographs", "Reading…"])
    #expect(details.first?.frame.x == Int32(16 + 7 * 7 + 12))
    #expect(details.last?.frame.maxX == Int32(640 - 16))
    #expect(stage.lastFrameCommands.contains("fill 0,47 640x1 #26272dff"))
    #expect(!stage.lastFrameCommands.contains { $0.contains("#7fb2ff") })
  }

  @Test(
    "Progress is a line at the foot, as long as the work has come",
    arguments: [(0.0, 0), (0.25, 160), (1, 640), (7, 640)])
  func progress(share: Double, width: Int) {
    let (stage, bar) = Self.stage(width: 640)
    bar.show(title: "Holiday", count: "", status: "")
    bar.progress = share
    stage.runUntilIdle()
    #expect(stage.lastFrameCommands.contains("fill 0,46 \(width)x2 #7fb2ffff") == (width > 0))
    bar.progress = nil
    #expect(stage.runUntilIdle() == 1)
    #expect(!stage.lastFrameCommands.contains { $0.contains("#7fb2ff") })
  }

  @Test("A count is not cut where a short title leaves it room")
  func shortTitle() {
    let (stage, bar) = Self.stage(width: 300)
    let count = "21 photographs, 2 gone"
    bar.show(title: "thin", count: count, status: "")
    stage.runUntilIdle()
    #expect(stage.drawnTexts([count], in: Theme.detailStyle).count == 1)
  }

  @Test("The same texts again ask for nothing")
  func unchanged() {
    let (stage, bar) = Self.stage(width: 640)
    bar.show(title: "Holiday", count: "1 photograph", status: "")
    stage.runUntilIdle()
    bar.show(title: "Holiday", count: "1 photograph", status: "")
    #expect(stage.runUntilIdle() == 0)
  }

  @Test("Whatever the texts and the width, the three neither overlap nor leave the bar")
  func property() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<150 {
      let width = Double(Int.random(in: 40...1_000, using: &generator))
      let (stage, bar) = Self.stage(width: width)
      func text(_ most: Int) -> String {
        String(repeating: "x", count: Int.random(in: 0...most, using: &generator))
      }
      bar.show(title: text(60), count: text(30), status: text(60))
      stage.runUntilIdle()
      let places = (stage.display.frames.last?.commands ?? []).filter { $0.kind == .texture }.map(\.destination)
      for (left, right) in zip(places, places.dropFirst()) {
        #expect(left.maxX <= right.x, "\(width): \(places)")
      }
      #expect(places.allSatisfy { $0.x >= 0 && $0.maxX <= Int32(width) }, "\(width): \(places)")
    }
  }
}
