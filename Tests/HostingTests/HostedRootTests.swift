import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import Hosting

@Suite("A program's window: its view, the overlay over it, and the keys that all programs answer")
struct HostedRootTests {
  /// A view that uses one key.
  final class Content: View {
    var used: [Key] = []
    var layouts = 0

    override func layoutSubviews() { layouts += 1 }

    override func handle(_ event: InputEvent) -> Bool {
      guard case .keyDown(.function(11), let modifiers, _) = event.kind, modifiers.contains(.shift) else {
        return false
      }
      used.append(.function(11))
      return true
    }
  }

  let content = Content()
  let root: HostRootView
  let stage: WindowHarness

  init() {
    root = HostRootView(content)
    stage = WindowHarness(root: root, size: Size(width: 640, height: 480))
    root.overlay.loop = stage.loop
    stage.window.firstResponder = content
    stage.runUntilIdle()
  }

  private func press(_ key: Key, _ modifiers: KeyModifiers = [], isRepeat: Bool = false) {
    stage.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: isRepeat))
    stage.run(milliseconds: 100)
  }

  private var panels: Int {
    stage.display.frames.last?.commands.count { $0.kind == .fill && $0.color == OverlayPalette.panelBackground } ?? 0
  }

  @Test("The view fills the window, at each of its sizes and scales")
  func fills() {
    #expect(content.frame == Rect(x: 0, y: 0, width: 640, height: 480))
    let layouts = content.layouts
    stage.resize(to: Size(width: 640, height: 480), scale: DisplayScale(pixelsPerPoint: 2))
    stage.runUntilIdle()
    #expect(content.layouts > layouts)
    stage.resize(to: Size(width: 320, height: 240))
    stage.runUntilIdle()
    #expect(content.frame == Rect(x: 0, y: 0, width: 320, height: 240))
  }

  @Test("F3 goes through the overlay's levels, in the corner and below what is left free as far as the window goes")
  func overlay() {
    root.overlayTop = 48
    var shown: [Bool] = []
    for _ in 0..<5 {
      press(.function(3))
      shown.append(panels > 0)
      if panels > 0 {
        let frame = root.overlay.frame
        #expect(frame.maxX == 624 && frame.maxY <= 480 && (frame.minY == 64 || frame.maxY == 480))
      }
    }
    #expect(shown == [true, true, true, true, false])
    press(.function(3), isRepeat: true)
    #expect(root.overlay.level == 0)
  }

  @Test("F11 asks for the whole screen, Ctrl+Q and Ctrl+W to leave; what the view uses is the view's")
  func keys() {
    var toggles = 0
    var quits = 0
    root.onToggleFullScreen = { toggles += 1 }
    root.onQuit = { quits += 1 }
    press(.function(11))
    press(.function(11), isRepeat: true)
    press(.function(11), .shift)
    #expect(toggles == 1 && content.used == [.function(11)])
    press(.character("q"), .control)
    press(.character("w"), .control)
    press(.character("q"))
    #expect(quits == 2)
  }

  @Test("With the overlay on, a loop that rests goes on resting", arguments: 1...4)
  func rests(level: Int) {
    root.overlay.level = level
    stage.runUntilIdle()
    let frames = stage.display.presentedFrames
    stage.run(milliseconds: 20_000)
    #expect(stage.display.presentedFrames == frames && panels > 0)
  }
}
