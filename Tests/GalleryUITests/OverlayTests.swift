import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The list of keyboard shortcuts is legible in any window")
struct KeyboardShortcutsTests {
  private static let counts = KeyboardShortcuts.columns.map { $0.map(\.lines.count) }

  @Test("Rows are as high as the window permits, and at least 20 points high")
  func rowHeights() {
    var last = 0.0
    for height in stride(from: 200.0, through: 900, by: 10) {
      let layout = KeyboardShortcutsLayout(fitting: Size(width: 800, height: height), columns: Self.counts)
      #expect(layout.rowHeight >= 20 && layout.rowHeight >= last)
      last = layout.rowHeight
      if layout.rowHeight > 20 { #expect(layout.height(of: Self.counts) <= height) }
    }
    #expect(last == KeyboardShortcutsLayout.widest.rowHeight)
    #expect(!KeyboardShortcutsLayout(fitting: Size(width: 400, height: 800), columns: Self.counts).isWide)
  }

  @Test(
    "No views overlap or exceed the panel, in windows of any size",
    arguments: [
      Size(width: 1_000, height: 800), Size(width: 800, height: 500), Size(width: 700, height: 420),
      Size(width: 640, height: 300), Size(width: 320, height: 240), Size(width: 320, height: 700),
      Size(width: 40, height: 40), Size(width: 1, height: 1),
    ])
  func low(size: Size) throws {
    let layer = KeyboardShortcutsLayer(theme: .dark)
    let root = View()
    let harness = WindowHarness(root: root, size: size)
    root.addSubview(layer)
    layer.frame = Rect(origin: .zero, size: size)
    harness.run(frames: 2)
    let panel = try #require(layer.subviews.first as? KeyboardShortcutsPanel)
    #expect(panel.frame.minX >= 0 && panel.frame.maxX <= size.width && panel.frame.maxY <= size.height)
    let visibleViews = panel.subviews.filter { !$0.isHidden }
    for view in visibleViews {
      #expect(view.frame.width >= 0 && view.frame.height >= 0)
      if size.height >= 240 { #expect(view.frame.maxY <= panel.bounds.height && view.frame.height >= 16) }
    }
    for (index, view) in visibleViews.enumerated() {
      for other in visibleViews[(index + 1)...] {
        let common = view.frame.intersection(other.frame)
        #expect(common.width <= 0 || common.height <= 0, "\(view.frame) and \(other.frame)")
      }
    }
    // All lines are visible if the panel is high enough for the most compact layout.
    let compactLayout = KeyboardShortcutsLayout(fitting: Size(width: size.width, height: 0), columns: Self.counts)
    if panel.bounds.height >= compactLayout.height(of: Self.counts) {
      let lines = Self.counts.joined().reduce(0, +)
      #expect(visibleViews.count { $0 is Label } >= lines + Self.counts.joined().count)
    }
  }
}

// MARK: - Tool tip timer

@Suite("Tool tip timer")
struct ToolTipTimerTests {
  @Test("A resting pointer fires the timer once, and not after a cancellation")
  func rest() {
    var timer = ToolTipTimer()
    let start = FrameInstant.zero
    timer.setTarget(.photo(PhotoID(rawValue: 3)), hasText: true, at: start)
    let fired = [499.0, 500, 9_000].map { timer.advance(to: start + .milliseconds($0)) }
    #expect(fired == [false, true, false] && timer.isShown)
    timer.setTarget(.photo(PhotoID(rawValue: 3)), hasText: true, at: start + .seconds(9))
    #expect(timer.isShown, "the item is the same")
    timer.setTarget(.photo(PhotoID(rawValue: 4)), hasText: false, at: start)
    #expect(timer.fireInstant == nil && !timer.isShown)
    timer.setTarget(.photo(PhotoID(rawValue: 5)), hasText: true, at: start)
    timer.cancel()
    let fires = timer.advance(to: start + .seconds(9))
    #expect(!fires)
    timer.pointerDidMove(at: start + .seconds(9))
    let firesAgain = timer.advance(to: start + .milliseconds(9_500))
    #expect(firesAgain, "the pointer has moved and is resting again")
    timer.pointerDidMove(at: start + .seconds(10))
    #expect(timer.fireInstant == nil && timer.isShown, "a visible tool tip stays")
    timer.setTarget(nil, hasText: true, at: start)
    #expect(timer.fireInstant == nil)
  }
}
