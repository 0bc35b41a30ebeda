import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Buttons, the slider and the text field")
@MainActor struct ControlTests {
  private func makeHarness(_ view: View, width: Double = 200) -> WindowHarness {
    let root = View()
    root.addSubview(view)
    view.frame = Rect(x: 10, y: 10, width: width, height: 32)
    let harness = WindowHarness(root: root, size: Size(width: width + 20, height: 60))
    harness.runUntilIdle()
    return harness
  }

  private func click(_ harness: WindowHarness, from start: Point, to end: Point? = nil, clicks: Int = 1) {
    harness.sendEvent(.pointerMoved(start))
    harness.sendEvent(.pointerDown(start, button: .primary, clicks: clicks, modifiers: []))
    if let end { harness.sendEvent(.pointerMoved(end)) }
    harness.sendEvent(.pointerUp(end ?? start, button: .primary, modifiers: []))
    harness.runUntilIdle()
  }

  private func press(_ harness: WindowHarness, _ key: Key, _ modifiers: KeyModifiers = []) {
    harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    harness.sendEvent(.keyUp(key, modifiers: modifiers))
    harness.runUntilIdle()
  }

  @Test("A button acts when the pointer is released over it, or Enter or Space is pressed, unless it is disabled")
  func button() {
    var count = 0
    let button = BarButton(title: "Open", toolTip: "Open a folder", theme: .dark)
    button.action = { count += 1 }
    let harness = makeHarness(button)
    click(harness, from: Point(x: 20, y: 20))
    #expect(count == 1 && button.isHovered && !button.isPressed)
    click(harness, from: Point(x: 20, y: 20), to: Point(x: 20, y: 58))
    #expect(count == 1 && !button.isHovered, "released outside")
    harness.window.firstResponder = button
    press(harness, .enter)
    press(harness, .space)
    #expect(count == 3)
    button.isEnabled = false
    press(harness, .enter)
    click(harness, from: Point(x: 20, y: 20))
    #expect(count == 3)
    #expect(harness.window.accessibility.elements(.button).map(\.label) == ["Open a folder"])
  }

  @Test("A press that the window cancels has no effect")
  func cancelledPress() {
    var count = 0
    let button = BarButton(title: "Open", toolTip: "", theme: .dark)
    button.action = { count += 1 }
    let harness = makeHarness(button)
    harness.sendEvent(.pointerDown(Point(x: 20, y: 20), button: .primary, clicks: 1, modifiers: []))
    harness.sendEvent(.cancelled)
    harness.sendEvent(.pointerUp(Point(x: 20, y: 20), button: .primary, modifiers: []))
    #expect(count == 0 && !button.isPressed)
  }

  @Test("The slider follows the pointer, the wheel and keys, and stays within its steps")
  func slider() {
    var chosen: [Int] = []
    let slider = Slider(theme: .dark)
    (slider.stepCount, slider.step) = (5, 2)
    slider.onChange = { chosen.append($0) }
    let harness = makeHarness(slider)
    click(harness, from: Point(x: 12, y: 26), to: Point(x: 400, y: 26))
    #expect(chosen == [0, 4])
    harness.window.firstResponder = slider
    for key: Key in [.right, .left, .home, .end, .down] { press(harness, key) }
    #expect(chosen == [0, 4, 3, 0, 4, 3])
    harness.sendEvent(.wheel(WheelInput(location: Point(x: 50, y: 26), deltaX: 0, deltaY: 1)))
    harness.runUntilIdle()
    #expect(slider.step == 4)
    #expect(harness.window.accessibility.elements(.slider).first?.position?.number == 5)
  }

  @Test("The search field shows what is typed, calls on each change, and is cleared by its button and by Escape")
  func field() {
    let field = SearchField(placeholder: "Search", icon: SharedIcon(.search), theme: .dark)
    var (texts, ends): ([String], [String]) = ([], [])
    field.onChange = { texts.append($0) }
    field.onSubmit = { ends.append("submit") }
    field.onCancel = { ends.append("cancel") }
    let harness = makeHarness(field)
    field.action = { field.isFocused = true }
    #expect(harness.drawnTexts(["Search"], in: Theme.detailStyle).count == 1)
    harness.window.firstResponder = field.responder
    #expect(field.isFocused && harness.window.accessibility.elements(.textField).first?.isFocused == true)
    for letter in "ab" { harness.sendEvent(.text(String(letter))) }
    harness.runUntilIdle()
    #expect(harness.drawnTexts(["ab"], in: Theme.detailStyle).count == 1 && texts == ["a", "ab"])
    // The space belongs to the text, and does not press the control.
    press(harness, .space)
    press(harness, .enter)
    press(harness, .down)
    press(harness, .escape)
    press(harness, .escape)
    #expect(field.text == "" && texts.last == "" && ends == ["submit", "submit", "cancel"])
    field.replaceText(with: "x")
    harness.runUntilIdle()
    click(harness, from: Point(x: field.frame.maxX - 10, y: field.frame.midY))
    #expect(field.text == "" && texts.suffix(2) == ["x", ""])
  }

  @Test("The icons are drawn at any size, and differ")
  func icons() {
    let icons: [LineIcon] = [
      .back, .search, .close, .menu, .sideBar, .grid, .justified, .mosaic, .list, .arrange, .folder,
    ]
    for icon in icons {
      #expect(icon.distance(to: Point(x: 0, y: 0)) > 0, "nothing at the corner")
      #expect(
        (0..<24).contains { y in (0..<24).contains { icon.distance(to: Point(x: Double($0), y: Double(y))) < 0 } })
    }
    #expect(LineIcon.grid.bitmap(side: 20)?.size.width == 20)
    #expect(LineIcon.grid.bitmap(side: 1) != nil && LineIcon.grid.bitmap(side: 0) == nil)
  }
}
