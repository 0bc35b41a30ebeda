/// Breaks a text into lines between its words.
enum LineBreaker {
  /// The lines of a text: as few as hold it, and as even as those can be.
  ///
  /// A word wider than the width stands in a line of its own, and what does not fit into the last line stands there all
  /// the same: whoever draws it cuts it.
  ///
  /// - Parameters:
  ///   - text: words between spaces.
  ///   - width: the most that a line may measure.
  ///   - count: the most lines, at least 1.
  ///   - measure: the width of a line, which grows with its words.
  /// - Complexity: O(words · log width) measurements.
  static func lines(of text: String, width: Int, maximumCount count: Int, measure: (String) -> Int) -> [String] {
    let words = text.split(separator: " ").map(String.init)
    let full = greedyLines(words, width: width, measure)
    guard full.count > 1 else { return full }
    guard full.count <= count else {
      let kept = max(1, count) - 1
      return full[..<kept] + [full[kept...].joined(separator: " ")]
    }
    // The narrowest width that takes no more lines. Invariant: `high` takes as many, `low` takes more.
    var low = 0
    var high = width
    var even = full
    while high - low > 1 {
      let middle = (low + high) / 2
      let lines = greedyLines(words, width: middle, measure)
      if lines.count == full.count {
        even = lines
        high = middle
      } else {
        low = middle
      }
    }
    return even
  }

  /// Puts as many words into each line as it takes.
  private static func greedyLines(_ words: [String], width: Int, _ measure: (String) -> Int) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, measure(last + " " + word) <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}
