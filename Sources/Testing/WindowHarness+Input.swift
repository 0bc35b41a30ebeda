public import VitrineGeometry
public import VitrineRendering

extension WindowHarness {
  /// Clicks at a point, and advances the time until no animation is running.
  ///
  /// - Parameters:
  ///   - point: The location in points of the window.
  ///   - button: The button. Default: the main button.
  ///   - count: The number of clicks; 2 is a double click. Default: 1.
  ///   - modifiers: The modifier keys that are pressed. Default: none.
  public func click(
    at point: Point, button: PointerButton = .primary, count: Int = 1, modifiers: KeyModifiers = []
  ) {
    sendEvent(.pointerMoved(point))
    for click in stride(from: 1, through: count, by: 1) {
      sendEvent(.pointerDown(point, button: button, clicks: click, modifiers: modifiers))
      run(frames: 1)
      sendEvent(.pointerUp(point, button: button, modifiers: modifiers))
    }
    runUntilIdle()
  }

  /// Drags with the pointer from a point to another one, and advances the time until no animation is running.
  ///
  /// - Parameters:
  ///   - start: The location where the button is pressed, in points of the window.
  ///   - end: The location where it is released.
  ///   - frames: The number of frames in which the pointer moves, at least 1. Default: 10.
  ///   - button: The button. Default: the main button.
  public func drag(from start: Point, to end: Point, frames: Int = 10, button: PointerButton = .primary) {
    sendEvent(.pointerMoved(start))
    sendEvent(.pointerDown(start, button: button, clicks: 1, modifiers: []))
    run(frames: 1)
    for frame in stride(from: 1, through: max(1, frames), by: 1) {
      let part = Double(frame) / Double(max(1, frames))
      sendEvent(
        .pointerMoved(Point(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)))
      run(frames: 1)
    }
    sendEvent(.pointerUp(end, button: button, modifiers: []))
    runUntilIdle()
  }

  /// Turns the wheel, and advances the time until no animation is running.
  ///
  /// - Parameters:
  ///   - point: The location of the pointer, in points of the window.
  ///   - notches: The number of notches toward the user, which shows the content below; negative ones show that above.
  public func turnWheel(at point: Point, by notches: Double) {
    sendEvent(.wheel(WheelInput(location: point, deltaX: 0, deltaY: -notches)))
    runUntilIdle()
  }

  /// Presses and releases a key, and advances the time until no animation is running.
  ///
  /// - Parameters:
  ///   - key: The key. Keys that type text are better sent by ``typeText(_:)``.
  ///   - modifiers: The modifier keys that are pressed. Default: none.
  public func pressKey(_ key: Key, modifiers: KeyModifiers = []) {
    sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    sendEvent(.keyUp(key, modifiers: modifiers))
    runUntilIdle()
  }

  /// Types a text into the first responder, and advances the time until no animation is running.
  public func typeText(_ text: String) {
    for character in text { sendEvent(.text(String(character))) }
    runUntilIdle()
  }
}
