import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("A menu is chosen from by pointer and keys, and stays within the window")
struct MenuTests {
  private final class Bench {
    let layer: MenuLayer
    let stage: WindowHarness
    var chosen: [String] = []
    var closes = 0

    init(at place: Point, size: Size = Size(width: 400, height: 300), scale: DisplayScale = .one) {
      let root = View()
      stage = WindowHarness(root: root, size: size, scale: scale)
      weak var bench: Bench?
      func entry(_ title: String, isEnabled: Bool = true, beginsGroup: Bool = false) -> MenuEntry {
        MenuEntry(title: title, keys: "Ctrl+X", isEnabled: isEnabled, beginsGroup: beginsGroup) {
          bench?.chosen.append(title)
        }
      }
      layer = MenuLayer(
        [entry("one"), entry("two", isEnabled: false, beginsGroup: true), entry("three")], at: place, theme: .dark)
      bench = self
      layer.onClose = { bench?.closes += 1 }
      root.addSubview(layer)
      layer.frame = Rect(origin: .zero, size: size)
      stage.window.firstResponder = layer
      stage.run(frames: 1)
    }

    func key(_ key: Key) { stage.sendEvent(.keyDown(key, modifiers: [], isRepeat: false)); stage.run(frames: 1) }
  }

  @Test("Keys go around what can be chosen, and Enter chooses")
  func keys() {
    let bench = Bench(at: Point(x: 10, y: 10))
    let course: [(Key, String?)] = [
      (.down, "one"), (.down, "three"), (.down, "one"), (.up, "three"), (.home, "one"), (.end, "three"),
    ]
    for (key, current) in course {
      bench.key(key)
      #expect(bench.layer.highlightedTitle == current)
    }
    bench.key(.enter)
    #expect(bench.chosen == ["three"] && bench.closes == 1)
    bench.key(.escape)
    #expect(bench.closes == 2 && bench.chosen.count == 1)
  }

  @Test("The pointer lights up and chooses; a press elsewhere closes, what cannot be chosen does nothing")
  func pointer() throws {
    let bench = Bench(at: Point(x: 10, y: 10))
    let (three, two) = (try #require(bench.layer.center(of: "three")), try #require(bench.layer.center(of: "two")))
    bench.stage.sendEvent(.pointerMoved(three))
    bench.stage.run(frames: 1)
    #expect(bench.layer.highlightedTitle == "three")
    for place in [two, three] {
      bench.stage.sendEvent(.pointerDown(place, button: .primary, clicks: 1, modifiers: []))
      bench.stage.sendEvent(.pointerUp(place, button: .primary, modifiers: []))
      bench.stage.run(frames: 1)
    }
    #expect(bench.chosen == ["three"] && bench.closes == 1)
    bench.stage.sendEvent(.pointerDown(Point(x: 390, y: 290), button: .secondary, clicks: 1, modifiers: []))
    bench.stage.run(frames: 1)
    #expect(bench.closes == 2 && bench.chosen.count == 1)
  }

  @Test(
    "It stands within the window, wherever it was asked for and however small that is",
    arguments: [
      (Point(x: 10, y: 10), Size(width: 400, height: 300)), (Point(x: 399, y: 299), Size(width: 400, height: 300)),
      (Point(x: 50, y: 60), Size(width: 120, height: 90)), (Point(x: -40, y: 900), Size(width: 400, height: 300)),
      (Point(x: 0, y: 0), Size(width: 1, height: 1)),
    ])
  func within(place: Point, size: Size) {
    for scale in [1.0, 1.5, 2] {
      let frame = Bench(at: place, size: size, scale: DisplayScale(pixelsPerPoint: scale)).layer.panelFrame
      #expect(frame.minX >= 0 && frame.minY >= 0)
      if size.height >= 90 { #expect(frame.maxX <= size.width + 0.5 && frame.maxY <= size.height + 0.5) }
    }
  }

  @Test(
    "In a window that is too low for it a menu scrolls to what is lit, by keys and by the wheel",
    arguments: [60.0, 90, 110])
  func low(height: Double) throws {
    let bench = Bench(at: Point(x: 10, y: 10), size: Size(width: 300, height: height))
    func middle() throws -> Point { try #require(bench.layer.highlightedTitle.flatMap(bench.layer.center)) }
    for key: Key in [.down, .down, .up, .end, .home, .end] {
      bench.key(key)
      let (point, panel) = (try middle(), bench.layer.panelFrame)
      #expect(point.y >= panel.minY + 9 && point.y <= panel.maxY - 9 && panel.maxY <= height)
      bench.stage.sendEvent(.pointerMoved(point))
      bench.stage.run(frames: 1)
      #expect(bench.layer.center(of: bench.layer.highlightedTitle ?? "") == point, "what is lit is what is pointed at")
    }
    let place = Point(x: 40, y: bench.layer.panelFrame.midY)
    for way in [9.0, -9] {
      bench.stage.sendEvent(.wheel(WheelInput(location: place, deltaX: 0, deltaY: way)))
      bench.stage.run(frames: 1)
      let end = try #require(bench.layer.center(of: way > 0 ? "one" : "three"))
      #expect(end.y > bench.layer.panelFrame.minY && end.y < bench.layer.panelFrame.maxY)
    }
  }

  @Test("The window's own keys are let through, all others are not")
  func keysOfTheWindow() {
    let bench = Bench(at: .zero)
    func isTaken(_ key: Key, _ modifiers: KeyModifiers = []) -> Bool {
      bench.layer.handle(InputEvent(time: .zero, kind: .keyDown(key, modifiers: modifiers, isRepeat: false)))
    }
    #expect(!isTaken(.function(11)) && !isTaken(.character("q"), .control))
    #expect(isTaken(.character("x")) && isTaken(.pageDown) && isTaken(.space))
  }
}
