import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("The sheet of keys is read in any window")
struct KeyGuideTests {
  private static let counts = KeyGuide.columns.map { $0.map(\.lines.count) }

  @Test("It is set as wide as there is room for, and never closer than type can be read")
  func settings() {
    var last = 0.0
    for height in stride(from: 200.0, through: 900, by: 10) {
      let layout = KeyGuideLayout(fitting: Size(width: 800, height: height), columns: Self.counts)
      #expect(layout.rowHeight >= 20 && layout.rowHeight >= last)
      last = layout.rowHeight
      if layout.rowHeight > 20 { #expect(layout.height(of: Self.counts) <= height) }
    }
    #expect(last == KeyGuideLayout.widest.rowHeight)
    #expect(!KeyGuideLayout(fitting: Size(width: 400, height: 800), columns: Self.counts).isWide)
  }

  @Test(
    "Nothing overlaps or leaves the sheet, however low or narrow the window is",
    arguments: [
      Size(width: 1_000, height: 800), Size(width: 800, height: 500), Size(width: 700, height: 420),
      Size(width: 640, height: 300), Size(width: 320, height: 240), Size(width: 320, height: 700),
      Size(width: 40, height: 40), Size(width: 1, height: 1),
    ])
  func low(size: Size) throws {
    let layer = KeyGuideLayer(theme: .dark)
    let root = View()
    let stage = WindowHarness(root: root, size: size)
    root.addSubview(layer)
    layer.frame = Rect(origin: .zero, size: size)
    stage.run(frames: 2)
    let panel = try #require(layer.subviews.first as? KeyGuidePanel)
    #expect(panel.frame.minX >= 0 && panel.frame.maxX <= size.width && panel.frame.maxY <= size.height)
    let seen = panel.subviews.filter { !$0.isHidden }
    for view in seen {
      #expect(view.frame.width >= 0 && view.frame.height >= 0)
      if size.height >= 240 { #expect(view.frame.maxY <= panel.bounds.height && view.frame.height >= 16) }
    }
    for (place, view) in seen.enumerated() {
      for other in seen[(place + 1)...] {
        let common = view.frame.intersection(other.frame)
        #expect(common.width <= 0 || common.height <= 0, "\(view.frame) and \(other.frame)")
      }
    }
    // All of it from the height on in which its closest setting has room.
    let closest = KeyGuideLayout(fitting: Size(width: size.width, height: 0), columns: Self.counts)
    if panel.bounds.height >= closest.height(of: Self.counts) {
      let lines = Self.counts.joined().reduce(0, +)
      #expect(seen.count { $0 is Label } >= lines + Self.counts.joined().count)
    }
  }
}
