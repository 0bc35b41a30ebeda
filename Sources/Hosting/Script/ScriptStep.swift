public import Geometry
public import Rendering

/// One step of a script in a file.
public enum ScriptStep: Hashable, Sendable {
  /// Nothing for so many seconds.
  case wait(Double)
  /// A key is pressed and let go, with others held.
  case key(Key, modifiers: KeyModifiers = [])
  /// To a place, as a share of the way from the top to the end.
  case jump(fraction: Double)
  /// A flick of so many points a second.
  case flick(velocity: Double)
  /// A constant speed in points a second, for so many seconds.
  case steady(velocity: Double, seconds: Double)

  /// So many notches of the wheel, in the middle of the window: towards what comes later where negative.
  case wheel(notches: Double)
  /// So many notches of the wheel with Control held, in the middle of the window: larger where positive.
  case zoom(Int)

  /// The pointer's button goes down at a place of the window, in points.
  case press(Point)
  /// The pointer goes to a place of the window, in a straight line and so many seconds.
  case move(to: Point, seconds: Double)
  /// The pointer's button goes up where the pointer is.
  case release

  /// The window gets another size, in points.
  case resize(Size)
  /// The items are shown in another order, by an animated update.
  case shuffle
  /// The display has so many refreshes a second.
  case refresh(hertz: Double)
  /// Something goes wrong outside the program.
  case fault(ScriptFault)

  /// The steps that are understood; `flip` is the flick or steady motion before it, the other way.
  static let names = [
    "wait", "key", "jump", "flick", "steady", "flip", "wheel", "zoom", "press", "move", "release", "resize", "apply",
    "refresh", "fault",
  ]

  /// The same motion the other way; nothing of what is none.
  var reversed: ScriptStep? {
    switch self {
    case .flick(let velocity): .flick(velocity: -velocity)
    case .steady(let velocity, let seconds): .steady(velocity: -velocity, seconds: seconds)
    default: nil
    }
  }

  /// Whether it changes what the program takes for time or for a display.
  var needsFaultInjector: Bool {
    switch self {
    case .refresh, .fault: true
    default: false
    }
  }

  /// Whether it has a meaning in real time alone.
  var needsRealTime: Bool { if case .fault(let fault) = self { fault.needsRealTime } else { false } }

  /// The key of a name, such as `PageDown`, `F5` or `q`, or `Alt+Down` with others held.
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

  /// The key of a name.
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
