/// Where a line that is too long loses characters.
public enum Truncation: Hashable, Sendable {
  /// At the end.
  case tail
  /// In the middle, so that a file's extension stays to be seen.
  case middle

  /// The longest shortening of a text that fits a width, an ellipsis in place of what is gone.
  ///
  /// - Complexity: O(log n) measurements of O(n) characters; three as a rule, since letters are about equally wide.
  public func truncatedText(_ text: String, width: Int, measure: (String) -> Int) -> String {
    let whole = measure(text)
    guard whole > width else { return text }
    let characters = Array(text)
    let kept = longestFittingCount(of: characters.count, whole: whole, width: width) {
      measure(truncated(characters, keeping: $0))
    }
    return truncated(characters, keeping: kept)
  }

  /// How many characters stay of a line that is too long.
  ///
  /// - Parameters:
  ///   - count: the line's characters.
  ///   - whole: what the line measures.
  ///   - width: what its shortening may measure.
  ///   - guess: how many may stay, as far as the caller knows; nothing where letters count as equally wide.
  ///   - measure: what the line measures of which so many characters stay; less the fewer these are.
  /// - Complexity: O(log n) measurements; two where the guess is right.
  package func longestFittingCount(
    of count: Int, whole: Int, width: Int, guess: Int? = nil, measure: (Int) -> Int
  ) -> Int {
    var low = 0
    var high = count
    var guess = guess ?? count * max(0, width) / max(1, whole)
    var guesses = 4
    // Invariant: `low` characters fit (none always counts as fitting), `high` do not.
    while high - low > 1 {
      let place = max(low + 1, min(high - 1, guesses > 0 ? guess : (low + high) / 2))
      guesses -= 1
      let measured = measure(place)
      if measured <= width { low = place } else { high = place }
      let error = (width - measured) * count / max(1, whole)
      guess = place + (error != 0 ? error : measured <= width ? 1 : -1)
    }
    return low
  }

  /// How many of the characters that stay are those of the line's end.
  package func tailCount(of kept: Int) -> Int {
    switch self {
    case .tail: 0
    case .middle: min(kept / 2, max(4, kept / 3))
    }
  }

  private func truncated(_ characters: [Character], keeping count: Int) -> String {
    let tail = tailCount(of: count)
    var head = characters[..<(count - tail)]
    while head.last == " " { head.removeLast() }
    return String(head) + "…" + String(characters[(characters.count - tail)...])
  }
}
