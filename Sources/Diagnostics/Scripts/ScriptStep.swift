public import VitrineGeometry
public import VitrineRendering

/// A step of a script file.
public enum ScriptStep: Hashable, Sendable {
  /// Waits for the given number of seconds.
  case wait(Double)
  /// Presses and releases a key, with modifiers held.
  case key(Key, modifiers: KeyModifiers = [])
  /// Jumps to a fraction of the scroll range.
  case jump(fraction: Double)
  /// Flicks with a velocity in points per second.
  case flick(velocity: Double)
  /// Scrolls with a constant velocity in points per second for the given number of seconds.
  case steady(velocity: Double, seconds: Double)

  /// Turns the wheel in the middle of the window by a number of notches. Negative values scroll toward the end.
  case wheel(notches: Double)
  /// Turns the wheel with Control held in the middle of the window by a number of notches. Positive values enlarge.
  case zoom(Int)

  /// Presses the primary pointer button at a point in the window.
  case press(Point)
  /// Moves the pointer to a point in the window, in a straight line, within the given number of seconds.
  case move(to: Point, seconds: Double)
  /// Releases the primary pointer button at the pointer's location.
  case release

  /// Resizes the window. The size is in points.
  case resize(Size)
  /// Shuffles the items with an animated update.
  case shuffle
  /// Changes the display's refresh rate.
  case refresh(hertz: Double)
  /// Simulates a fault outside the program.
  case fault(ScriptFault)

  /// The names of all steps.
  ///
  /// `flip` repeats the last flick or steady step in the opposite direction.
  static let names = [
    "wait", "key", "jump", "flick", "steady", "flip", "wheel", "zoom", "press", "move", "release", "resize", "apply",
    "refresh", "fault",
  ]

  /// The same motion in the opposite direction, or nil if the step is not a motion.
  var reversed: ScriptStep? {
    switch self {
    case .flick(let velocity): .flick(velocity: -velocity)
    case .steady(let velocity, let seconds): .steady(velocity: -velocity, seconds: seconds)
    default: nil
    }
  }

  /// Whether the step changes the clock or the display and therefore needs a ``FaultInjector``.
  var needsFaultInjector: Bool {
    switch self {
    case .refresh, .fault: true
    default: false
    }
  }

  /// Whether the step is valid only on real-time clocks.
  var needsRealTime: Bool { if case .fault(let fault) = self { fault.needsRealTime } else { false } }

  /// Returns a step for a key such as `PageDown`, `F5` or `q`, with optional modifiers as in `Alt+Down`.
  static func keyStep(named name: String) -> ScriptStep? {
    var pieces = name.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    guard let key = pieces.popLast().flatMap(key(named:)) else { return nil }
    var modifiers: KeyModifiers = []
    for piece in pieces {
      switch piece {
      case "Shift": modifiers.insert(.shift)
      case "Control": modifiers.insert(.control)
      case "Alt": modifiers.insert(.alt)
      default: return nil
      }
    }
    return .key(key, modifiers: modifiers)
  }

  /// Returns the key with the given name.
  static func key(named name: String) -> Key? {
    switch name {
    case "Up": .up
    case "Down": .down
    case "Left": .left
    case "Right": .right
    case "PageUp": .pageUp
    case "PageDown": .pageDown
    case "Home": .home
    case "End": .end
    case "Space": .space
    case "Enter": .enter
    case "Escape": .escape
    case "Tab": .tab
    case "Backspace": .backspace
    case "Delete": .delete
    default:
      if name.count == 1, let character = name.lowercased().first {
        .character(character)
      } else if name.hasPrefix("F"), let number = Int(name.dropFirst()), (1...12).contains(number) {
        .function(number)
      } else {
        nil
      }
    }
  }
}

/// A fault outside the program that a script simulates.
public enum ScriptFault: Hashable, Sendable {
  /// The process is stopped for a time, in the frame's update phase.
  case stop(milliseconds: Double)
  /// The next present is delayed.
  case present(milliseconds: Double)
  /// The system wakes the loop late for its next present. Valid only on real-time clocks.
  case wake(milliseconds: Double)
  /// The next modelled cost, such as that of `--cell-cost`, exceeds its estimate.
  case cost(milliseconds: Double)

  /// The names of all faults.
  static let names = ["stop", "present", "wake", "cost"]

  /// Whether the fault is valid only on real-time clocks, because simulated clocks never sleep.
  var needsRealTime: Bool { if case .wake = self { true } else { false } }
}
