/// Where a line that is too long loses characters.
public enum Truncation: Hashable, Sendable {
  /// At the end.
  case tail
  /// In the middle, so that a file's extension stays to be seen.
  case middle

  /// The longest shortening of a text that fits a width, an ellipsis in place of what is gone.
  ///
  /// - Complexity: O(log n) measurements of O(n) characters.
  public nonisolated func fit(_ text: String, width: Int, measure: (String) -> Int) -> String {
    guard measure(text) > width else { return text }
    let characters = Array(text)
    var low = 0
    var high = characters.count
    // Invariant: `low` characters fit (none always counts as fitting), `high` do not.
    while high - low > 1 {
      let middle = (low + high) / 2
      if measure(shortened(characters, keeping: middle)) <= width { low = middle } else { high = middle }
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
