/// Where a line that is too long loses characters.
public enum Truncation: Hashable, Sendable {
  /// At the end.
  case tail
  /// In the middle, so that a file's extension stays to be seen.
  case middle

  /// The longest shortening of a text that fits a width, an ellipsis in place of what is gone.
  ///
  /// - Complexity: O(log n) measurements of O(n) characters; three as a rule, since letters are about equally wide.
  public nonisolated func fit(_ text: String, width: Int, measure: (String) -> Int) -> String {
    let whole = measure(text)
    guard whole > width else { return text }
    let characters = Array(text)
    var low = 0
    var high = characters.count
    var guess = high * max(0, width) / max(1, whole)
    var guesses = 4
    // Invariant: `low` characters fit (none always counts as fitting), `high` do not.
    while high - low > 1 {
      let place = max(low + 1, min(high - 1, guesses > 0 ? guess : (low + high) / 2))
      guesses -= 1
      let measured = measure(shortened(characters, keeping: place))
      if measured <= width { low = place } else { high = place }
      let error = (width - measured) * characters.count / max(1, whole)
      guess = place + (error != 0 ? error : measured <= width ? 1 : -1)
    }
    return shortened(characters, keeping: low)
  }

  private nonisolated func shortened(_ characters: [Character], keeping count: Int) -> String {
    let tail: Int
    switch self {
    case .tail: tail = 0
    case .middle: tail = min(count / 2, max(4, count / 3))
    }
    var head = characters[..<(count - tail)]
    while head.last == " " { head.removeLast() }
    return String(head) + "…" + String(characters[(characters.count - tail)...])
  }
}
