import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("Text goes where the key went that typed it")
struct TypedTextTests {
  private final class Writer: View {
    var usesKeys = false
    var usesText = true
    var texts: [String] = []
    /// Called when a key went down.
    var onKey: () -> Void = {}

    override func handle(_ event: InputEvent) -> Bool {
      switch event.kind {
      case .keyDown:
        onKey()
        return usesKeys
      case .text(let text):
        texts.append(text)
        return usesText
      default: return false
      }
    }
  }

  private func strike(_ stage: WindowHarness) {
    stage.sendEvent(.keyDown(.character("x"), modifiers: [], isRepeat: false))
    stage.sendEvent(.text("x"))
    stage.sendEvent(.keyUp(.character("x"), modifiers: []))
    stage.run(frames: 1)
  }

  @Test("Whoever has the keys gets it, and then those above, unless a key was used: then who used it")
  func routing() {
    let (root, field) = (Writer(), Writer())
    let stage = WindowHarness(root: root)
    root.addSubview(field)
    stage.window.firstResponder = field
    strike(stage)
    #expect(field.texts == ["x"] && root.texts.isEmpty)
    field.usesText = false
    strike(stage)
    #expect(field.texts == ["x", "x"] && root.texts == ["x"])
    (field.usesKeys, field.usesText) = (true, true)
    strike(stage)
    #expect(field.texts.count == 3 && root.texts == ["x"])
    root.usesKeys = true
    field.usesKeys = false
    strike(stage)
    #expect(field.texts.count == 3 && root.texts == ["x", "x"], "above it the key was used")
    stage.sendEvent(.text("写"))
    stage.run(frames: 1)
    #expect(field.texts.last == "写", "without a key it is for whoever has the keys")
  }

  @Test("A key that takes a view away, or that is grabbed, types nothing")
  func used() {
    let root = Writer()
    let stage = WindowHarness(root: root)
    var sheet: Writer? = Writer()
    sheet?.usesKeys = true
    sheet?.onKey = {
      sheet?.removeFromSuperview()
      sheet = nil
    }
    if let sheet { root.addSubview(sheet) }
    stage.window.firstResponder = sheet
    strike(stage)
    #expect(root.texts.isEmpty && sheet == nil)
    strike(stage)
    #expect(root.texts == ["x"])
    let grabber = Writer()
    grabber.usesKeys = true
    grabber.onKey = { stage.window.grabber = nil }
    root.addSubview(grabber)
    stage.window.grabber = grabber
    strike(stage)
    #expect(root.texts == ["x"] && grabber.texts == ["x"])
  }
}
