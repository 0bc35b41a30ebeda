extension View {
  /// What is told of the view: its own element, or those within where it has none, in the order of its subviews; nothing of
  /// a hidden one.
  ///
  /// - Complexity: O(views within) that have no element of their own; a collection view is asked for what is on screen.
  public final var accessibilityElements: [AccessibilityElement] {
    guard !isHidden else { return [] }
    return accessibility.map { [$0] } ?? subviews.flatMap(\.accessibilityElements)
  }

  /// The words that are seen within, one after the other: the name of whatever has no better one.
  public final var accessibleText: String {
    subviews.flatMap(\.accessibilityElements).map(\.label).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension Window {
  /// What is on the screen, for whoever cannot see it; made anew each time it is asked for, and for nobody else.
  public var accessibility: AccessibilityElement {
    var element = AccessibilityElement(role: .window, frame: root.frameInWindow)
    element.children = root.accessibilityElements
    return element
  }
}
