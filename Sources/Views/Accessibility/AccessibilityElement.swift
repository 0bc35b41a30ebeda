public import Geometry

/// A thing on the screen as whoever cannot see it is told of it: what it is, what it is called, where it stands.
///
/// A value, made when somebody asks (``View/accessibility``, ``Window/accessibility``) and kept by nobody: what is not asked
/// for costs nothing.
public nonisolated struct AccessibilityElement: Hashable, Sendable {
  /// A place among others.
  public struct Position: Hashable, Sendable {
    /// Which one it is, counted from 1.
    public var number: Int
    /// How many there are, on screen or not.
    public var count: Int

    /// Makes a position.
    public init(number: Int, count: Int) {
      self.number = number
      self.count = count
    }
  }

  /// What it is.
  public var role: AccessibilityRole
  /// What it is called; empty where it has no name.
  public var label: String
  /// What there is to say beside the name, such as the kind of a file; empty where there is nothing.
  public var value = ""
  /// Where it stands in the window, in points.
  public var frame: Rect
  /// Which one it is of those of which it is one.
  public var position: Position?
  /// How many items it holds, on screen or not.
  public var itemCount: Int?
  /// How many of these are selected.
  public var selectedCount = 0
  /// Whether it is selected.
  public var isSelected = false
  /// Whether the keyboard is at it, and shows that.
  public var isFocused = false
  /// What is in it, in the order of reading.
  public var children: [AccessibilityElement] = []

  /// Makes an element.
  public init(role: AccessibilityRole, label: String = "", frame: Rect) {
    self.role = role
    self.label = label
    self.frame = frame
  }

  /// The element where the keyboard is: this one, or one within.
  public var focused: AccessibilityElement? {
    if isFocused { return self }
    for child in children { if let focused = child.focused { return focused } }
    return nil
  }

  /// All elements within that have a role, in the order of reading.
  public func elements(_ role: AccessibilityRole) -> [AccessibilityElement] {
    children.flatMap { ($0.role == role ? [$0] : []) + $0.elements(role) }
  }

  /// What a reader says of it: the name, what it is, where, and in what state.
  public var announcement: String {
    var parts: [String] = []
    if !label.isEmpty { parts.append(label) }
    if !value.isEmpty { parts.append(value) }
    if role != .text, role != .cell, role != .listItem { parts.append(role.rawValue) }
    if let position {
      parts.append("item \(Self.grouped(position.number)) of \(Self.grouped(position.count))")
    }
    if let itemCount { parts.append(itemCount == 1 ? "1 item" : "\(Self.grouped(itemCount)) items") }
    if selectedCount > 0 { parts.append("\(Self.grouped(selectedCount)) selected") }
    if isSelected { parts.append("selected") }
    if isFocused { parts.append("focused") }
    return parts.joined(separator: ", ")
  }

  /// A line for each element, what is within indented: for tests, and for whoever looks for what is missing.
  public var outline: String { lines(depth: 0).joined(separator: "\n") }

  private func lines(depth: Int) -> [String] {
    [String(repeating: "  ", count: depth) + announcement] + children.flatMap { $0.lines(depth: depth + 1) }
  }

  /// A number in groups of three.
  private static func grouped(_ number: Int) -> String {
    var digits: [Character] = []
    for (place, digit) in String(number.magnitude).reversed().enumerated() {
      if place > 0, place.isMultiple(of: 3) { digits.append(",") }
      digits.append(digit)
    }
    return (number < 0 ? "-" : "") + String(digits.reversed())
  }
}
