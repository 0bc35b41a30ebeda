public import Rendering

/// One step of a script in a file.
public enum ScriptStep: Hashable, Sendable {
  /// Nothing for so many seconds.
  case wait(Double)
  /// A key is pressed and let go.
  case key(Key)
  /// To a place, as a share of the way from the top to the end.
  case jump(fraction: Double)
  /// A flick of so many points a second.
  case flick(velocity: Double)
  /// A constant speed in points a second, for so many seconds.
  case steady(velocity: Double, seconds: Double)

  /// So many notches of the wheel with Control held, in the middle of the window: larger where positive.
  case zoom(Int)

  /// The steps that are understood.
  static let names = ["wait", "key", "jump", "flick", "steady", "zoom"]

  /// The key of a name, such as `PageDown`, `F5` or `q`.
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
