public import VitrineGeometry

/// An element of the user interface as assistive technologies present it: its role, name and frame.
///
/// A value that is created on demand (``View/accessibility``, ``Window/accessibility``) and not stored, so it costs
/// nothing while unused.
public nonisolated struct AccessibilityElement: Hashable, Sendable {
  /// The position of an element in a sequence.
  public struct Position: Hashable, Sendable {
    /// The number of the element, counted from 1.
    public var number: Int
    /// The number of elements, on screen or not.
    public var count: Int

    /// Creates a position.
    public init(number: Int, count: Int) {
      self.number = number
      self.count = count
    }
  }

  /// The role of the element.
  public var role: AccessibilityRole
  /// The name of the element; empty if it has none.
  public var label: String
  /// Additional information, such as the kind of a file; empty if there is none.
  public var value = ""
  /// The frame in the window, in points.
  public var frame: Rect
  /// The position of the element among its siblings, if it has one.
  public var position: Position?
  /// The number of items that the element contains, on screen or not.
  public var itemCount: Int?
  /// The number of selected items.
  public var selectedCount = 0
  /// Whether the element is selected.
  public var isSelected = false
  /// Whether the element has keyboard focus and shows it.
  public var isFocused = false
  /// Whether the element can be used.
  ///
  /// Default: true.
  public var isEnabled = true
  /// The elements within, in reading order.
  public var children: [AccessibilityElement] = []

  /// Creates an element.
  public init(role: AccessibilityRole, label: String = "", frame: Rect) {
    self.role = role
    self.label = label
    self.frame = frame
  }

  /// The element with keyboard focus: this one or a descendant.
  public var focused: AccessibilityElement? {
    if isFocused { return self }
    for child in children { if let focused = child.focused { return focused } }
    return nil
  }

  /// Returns all descendants with a role, in reading order.
  public func elements(_ role: AccessibilityRole) -> [AccessibilityElement] {
    children.flatMap { ($0.role == role ? [$0] : []) + $0.elements(role) }
  }

  /// The text that a screen reader speaks: the name, the role, the position and the state.
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
    if !isEnabled { parts.append("unavailable") }
    if isFocused { parts.append("focused") }
    return parts.joined(separator: ", ")
  }

  /// A line for each element, with descendants indented, for tests and debugging.
  public var outline: String { lines(depth: 0).joined(separator: "\n") }

  private func lines(depth: Int) -> [String] {
    [String(repeating: "  ", count: depth) + announcement] + children.flatMap { $0.lines(depth: depth + 1) }
  }

  /// Returns a number with a comma after each group of three digits.
  private static func grouped(_ number: Int) -> String {
    var digits: [Character] = []
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { digits.append(",") }
      digits.append(digit)
    }
    return (number < 0 ? "-" : "") + String(digits.reversed())
  }
}

/// The role of an accessibility element, named as in AT-SPI and ARIA.
public nonisolated enum AccessibilityRole: String, Hashable, Sendable {
  /// A window.
  case window
  /// A grid of items in rows and columns.
  case grid
  /// A list of items.
  case list
  /// An item of a grid.
  case cell
  /// An item of a list.
  case listItem
  /// A heading of the items after it.
  case heading
  /// A text.
  case text
  /// A button.
  case button
  /// A value that is chosen by moving a knob.
  case slider
  /// A field in which text is typed.
  case textField = "text field"
  /// A menu.
  case menu
  /// An entry of a menu.
  case menuItem = "menu item"
}

extension View {
  /// The accessibility elements of the view: its own element or, if it has none, those of its subviews; none if it is
  /// hidden.
  ///
  /// - Complexity: O(n) for n views without an element of their own; a collection view provides only what is on screen.
  public final var accessibilityElements: [AccessibilityElement] {
    guard !isHidden else { return [] }
    return accessibility.map { [$0] } ?? subviews.flatMap(\.accessibilityElements)
  }

  /// The visible text of the subviews, which serves as the default name of the view.
  public final var accessibleText: String {
    subviews.flatMap(\.accessibilityElements).map(\.label).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension Window {
  /// The accessibility tree of the window, created on each access.
  public var accessibility: AccessibilityElement {
    var element = AccessibilityElement(role: .window, frame: rootView.frameInWindow)
    element.children = rootView.accessibilityElements
    // A root view with an element of its own does not report its subviews.
    if let presentedMenu, rootView.accessibility != nil { element.children += presentedMenu.accessibilityElements }
    return element
  }
}
