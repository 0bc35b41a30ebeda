import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("A menu is operated by pointer and keys, and stays within the window")
struct MenuLayerTests {
  private final class Fixture {
    let layer: MenuLayer
    let harness: WindowHarness
    var chosenTitles: [String] = []
    var closeCount = 0

    init(at location: Point, size: Size = Size(width: 400, height: 300), scale: DisplayScale = .one) {
      let root = View()
      harness = WindowHarness(root: root, size: size, scale: scale)
      weak var fixture: Fixture?
      func entry(_ title: String, isEnabled: Bool = true, beginsGroup: Bool = false) -> MenuEntry {
        MenuEntry(title: title, shortcut: "Ctrl+X", isEnabled: isEnabled, beginsGroup: beginsGroup) {
          fixture?.chosenTitles.append(title)
        }
      }
      layer = MenuLayer(
        [entry("one"), entry("two", isEnabled: false, beginsGroup: true), entry("three")], at: location, theme: .dark)
      fixture = self
      layer.onClose = { fixture?.closeCount += 1 }
      root.addSubview(layer)
      layer.frame = Rect(origin: .zero, size: size)
      harness.window.firstResponder = layer
      harness.run(frames: 1)
    }

    func pressKey(_ key: Key) {
      harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false)); harness.run(frames: 1)
    }
  }

  @Test("Arrow keys cycle through the enabled items, and Enter performs the highlighted one")
  func keys() {
    let fixture = Fixture(at: Point(x: 10, y: 10))
    let steps: [(Key, String?)] = [
      (.down, "one"), (.down, "three"), (.down, "one"), (.up, "three"), (.home, "one"), (.end, "three"),
    ]
    for (key, current) in steps {
      fixture.pressKey(key)
      #expect(fixture.layer.highlightedTitle == current)
    }
    fixture.pressKey(.enter)
    #expect(fixture.chosenTitles == ["three"] && fixture.closeCount == 1)
    fixture.pressKey(.escape)
    #expect(fixture.closeCount == 2 && fixture.chosenTitles.count == 1)
  }

  @Test("The pointer highlights and performs items, a press outside closes the menu, and disabled items have no effect")
  func pointer() throws {
    let fixture = Fixture(at: Point(x: 10, y: 10))
    let (thirdCenter, secondCenter) = (
      try #require(fixture.layer.center(of: "three")), try #require(fixture.layer.center(of: "two"))
    )
    fixture.harness.sendEvent(.pointerMoved(thirdCenter))
    fixture.harness.run(frames: 1)
    #expect(fixture.layer.highlightedTitle == "three")
    for location in [secondCenter, thirdCenter] {
      fixture.harness.sendEvent(.pointerDown(location, button: .primary, clicks: 1, modifiers: []))
      fixture.harness.sendEvent(.pointerUp(location, button: .primary, modifiers: []))
      fixture.harness.run(frames: 1)
    }
    #expect(fixture.chosenTitles == ["three"] && fixture.closeCount == 1)
    fixture.harness.sendEvent(.pointerDown(Point(x: 390, y: 290), button: .secondary, clicks: 1, modifiers: []))
    fixture.harness.run(frames: 1)
    #expect(fixture.closeCount == 2 && fixture.chosenTitles.count == 1)
  }

  @Test(
    "The menu is within the window, for any location and window size",
    arguments: [
      (Point(x: 10, y: 10), Size(width: 400, height: 300)), (Point(x: 399, y: 299), Size(width: 400, height: 300)),
      (Point(x: 50, y: 60), Size(width: 120, height: 90)), (Point(x: -40, y: 900), Size(width: 400, height: 300)),
      (Point(x: 0, y: 0), Size(width: 1, height: 1)),
    ])
  func within(location: Point, size: Size) {
    for scale in [1.0, 1.5, 2] {
      let frame = Fixture(at: location, size: size, scale: DisplayScale(pixelsPerPoint: scale)).layer.panelFrame
      #expect(frame.minX >= 0 && frame.minY >= 0)
      if size.height >= 90 { #expect(frame.maxX <= size.width + 0.5 && frame.maxY <= size.height + 0.5) }
    }
  }

  @Test(
    "In a low window, the menu scrolls to the highlighted item, by keys and by the wheel",
    arguments: [60.0, 90, 110])
  func low(height: Double) throws {
    let fixture = Fixture(at: Point(x: 10, y: 10), size: Size(width: 300, height: height))
    func center() throws -> Point { try #require(fixture.layer.highlightedTitle.flatMap(fixture.layer.center)) }
    for key: Key in [.down, .down, .up, .end, .home, .end] {
      fixture.pressKey(key)
      let (point, panel) = (try center(), fixture.layer.panelFrame)
      #expect(point.y >= panel.minY + 9 && point.y <= panel.maxY - 9 && panel.maxY <= height)
      fixture.harness.sendEvent(.pointerMoved(point))
      fixture.harness.run(frames: 1)
      #expect(
        fixture.layer.center(of: fixture.layer.highlightedTitle ?? "") == point,
        "the item at the pointer is highlighted")
    }
    let location = Point(x: 40, y: fixture.layer.panelFrame.midY)
    for deltaY in [9.0, -9] {
      fixture.harness.sendEvent(.wheel(WheelInput(location: location, deltaX: 0, deltaY: deltaY)))
      fixture.harness.run(frames: 1)
      let end = try #require(fixture.layer.center(of: deltaY > 0 ? "one" : "three"))
      #expect(end.y > fixture.layer.panelFrame.minY && end.y < fixture.layer.panelFrame.maxY)
    }
  }

  @Test("The menu does not handle the window's own keys, and handles all others")
  func windowKeys() {
    let fixture = Fixture(at: .zero)
    func isHandled(_ key: Key, _ modifiers: KeyModifiers = []) -> Bool {
      fixture.layer.handle(InputEvent(time: .zero, kind: .keyDown(key, modifiers: modifiers, isRepeat: false)))
    }
    #expect(!isHandled(.function(11)) && !isHandled(.character("q"), .control))
    #expect(isHandled(.character("x")) && isHandled(.pageDown) && isHandled(.space))
  }
}

// MARK: - Key guide

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
