import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineHosting

@Suite("The root view of a program's window: content view and shared keys")
struct HostRootViewTests {
  /// A view that handles Shift+F11.
  final class Content: View {
    var handledKeys: [Key] = []
    var layouts = 0

    override func layoutSubviews() { layouts += 1 }

    override func handle(_ event: InputEvent) -> Bool {
      guard case .keyDown(.function(11), let modifiers, _) = event.kind, modifiers.contains(.shift) else {
        return false
      }
      handledKeys.append(.function(11))
      return true
    }
  }

  let content = Content()
  let root: HostRootView
  let harness: WindowHarness

  init() {
    root = HostRootView(content)
    harness = WindowHarness(root: root, size: Size(width: 640, height: 480))
    harness.window.firstResponder = content
    harness.runUntilIdle()
  }

  private func press(_ key: Key, _ modifiers: KeyModifiers = [], isRepeat: Bool = false) {
    harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: isRepeat))
    harness.run(milliseconds: 100)
  }

  @Test("The content view fills the window at every size and scale")
  func fills() {
    #expect(content.frame == Rect(x: 0, y: 0, width: 640, height: 480))
    let layouts = content.layouts
    harness.resize(to: Size(width: 640, height: 480), scale: DisplayScale(pixelsPerPoint: 2))
    harness.runUntilIdle()
    #expect(content.layouts > layouts)
    harness.resize(to: Size(width: 320, height: 240))
    harness.runUntilIdle()
    #expect(content.frame == Rect(x: 0, y: 0, width: 320, height: 240))
  }

  @Test("F11 toggles full screen, Ctrl+Q and Ctrl+W quit, and the content view handles its own keys first")
  func keys() {
    var toggles = 0
    var quits = 0
    root.onToggleFullScreen = { toggles += 1 }
    root.onQuit = { quits += 1 }
    press(.function(11))
    press(.function(11), isRepeat: true)
    press(.function(11), .shift)
    #expect(toggles == 1 && content.handledKeys == [.function(11)])
    press(.character("q"), .control)
    press(.character("w"), .control)
    press(.character("q"))
    #expect(quits == 2)
  }
}
