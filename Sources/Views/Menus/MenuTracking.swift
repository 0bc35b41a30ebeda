import VitrineGeometry

/// The highlighted entry of a menu.
nonisolated struct MenuSelection: Hashable, Sendable {
  /// The index of the highlighted entry, or nil if none is highlighted.
  private(set) var highlightedIndex: Int?
  private let isEnabled: [Bool]

  /// Creates a selection without a highlighted entry.
  init(isEnabled: [Bool]) { self.isEnabled = isEnabled }

  /// Highlights the entry under the pointer, or none if there is none or it is disabled.
  mutating func highlight(_ entry: Int?) {
    highlightedIndex = entry.flatMap { isEnabled.indices.contains($0) && isEnabled[$0] ? $0 : nil }
  }

  /// Highlights the next or the previous enabled entry, and wraps around at the ends.
  mutating func moveHighlight(by direction: Int) {
    guard isEnabled.contains(true) else { return }
    let count = isEnabled.count
    var next = highlightedIndex ?? (direction > 0 ? -1 : count)
    repeat { next = (next + direction + count) % count } while !isEnabled[next]
    highlightedIndex = next
  }

  /// Highlights the first enabled entry.
  mutating func highlightFirst() { highlightedIndex = isEnabled.firstIndex(of: true) }

  /// Highlights the last enabled entry.
  mutating func highlightLast() { highlightedIndex = isEnabled.lastIndex(of: true) }

  /// Highlights the next enabled entry whose title begins with a typed text, after the highlighted one and from the
  /// start again; upper and lower case are equal.
  ///
  /// Without such an entry nothing changes.
  mutating func highlight(startingWith text: String, titles: [String]) {
    let text = text.lowercased()
    guard !text.isEmpty, !isEnabled.isEmpty else { return }
    let first = highlightedIndex.map { $0 + 1 } ?? 0
    for step in 0..<isEnabled.count {
      let index = (first + step) % isEnabled.count
      guard isEnabled[index], titles[index].lowercased().hasPrefix(text) else { continue }
      highlightedIndex = index
      return
    }
  }
}

/// What the release of a pointer's button does while a menu is open.
///
/// A menu that opens under a pressed button is operated by dragging to an entry and releasing the button there. The
/// release of a click that opened the menu does nothing.
nonisolated struct MenuPress: Hashable, Sendable {
  /// The effect of a release.
  enum Effect: Hashable, Sendable {
    /// Nothing.
    case none
    /// The entry under the pointer is chosen.
    case choose
    /// The menu closes.
    case close
  }

  /// The distance of the pointer from where the menu opened from which on a release is a choice, in points.
  static let threshold = 10.0

  private let origin: Point
  private var isChoice = false
  private var hasEntered = false

  /// Creates a press that began when the menu opened.
  ///
  /// - Parameter origin: The location at which the menu opened.
  init(origin: Point) { self.origin = origin }

  /// Records a movement of the pointer.
  mutating func move(to point: Point, isOverEntry: Bool) {
    let (x, y) = (point.x - origin.x, point.y - origin.y)
    if x * x + y * y >= MenuPress.threshold * MenuPress.threshold { isChoice = true }
    if isChoice, isOverEntry { hasEntered = true }
  }

  /// Records that a button was pressed in the open menu.
  mutating func begin() { (isChoice, hasEntered) = (true, true) }

  /// Returns the effect of a release.
  func releaseEffect(isOverEntry: Bool, isInside: Bool) -> Effect {
    guard isChoice else { return .none }
    if isOverEntry { return .choose }
    return !isInside && hasEntered ? .close : .none
  }
}
