import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("The root view of a run with diagnostics: the frame overlay and its key")
struct DiagnosticRootViewTests {
  let contentView = View()
  let root: DiagnosticRootView
  let harness: WindowHarness

  init() {
    root = DiagnosticRootView(contentView)
    harness = WindowHarness(root: root, size: Size(width: 640, height: 480))
    root.overlay.loop = harness.loop
    harness.window.firstResponder = contentView
    harness.runUntilIdle()
  }

  private func press(_ key: Key, _ modifiers: KeyModifiers = [], isRepeat: Bool = false) {
    harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: isRepeat))
    harness.run(milliseconds: 100)
  }

  private var panelCount: Int {
    harness.display.frames.last?.commands.count { $0.kind == .fill && $0.color == OverlayPalette.panelBackground } ?? 0
  }

  @Test("F3 cycles through the overlay's levels in the top right corner, below the reserved area if the panel fits")
  func overlay() {
    root.overlayTop = 48
    var shown: [Bool] = []
    for _ in 0..<5 {
      press(.function(3))
      shown.append(panelCount > 0)
      if panelCount > 0 {
        let frame = root.overlay.frame
        #expect(frame.maxX == 624 && frame.maxY <= 480 && (frame.minY == 64 || frame.maxY == 480))
      }
    }
    #expect(shown == [true, true, true, true, false])
    press(.function(3), isRepeat: true)
    #expect(root.overlay.level == 0)
  }

  @Test("The content view fills the window below the overlay, and the keys of every window work")
  func content() {
    #expect(contentView.frame == Rect(x: 0, y: 0, width: 640, height: 480))
    var quits = 0
    root.onQuit = { quits += 1 }
    press(.character("q"), .control)
    #expect(quits == 1)
  }

  @Test("A visible overlay requests no frames while the loop is idle", arguments: 1...4)
  func requestsNoFrames(level: Int) {
    root.overlay.level = level
    harness.runUntilIdle()
    let frames = harness.display.presentedFrames
    harness.run(milliseconds: 20_000)
    #expect(harness.display.presentedFrames == frames && panelCount > 0)
  }
}
