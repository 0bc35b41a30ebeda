/// The typeface, size, weight and digit spacing of text.
public struct TextStyle: Hashable, Sendable {
  /// The weight of a font.
  public enum Weight: UInt8, Hashable, Sendable {
    /// For body text.
    case regular
    /// For names and important numbers.
    case medium
    /// For titles.
    case semibold
    /// For emphasis.
    case bold
    /// For large numbers.
    case light
  }

  /// The design of a typeface.
  public enum Design: UInt8, Hashable, Sendable {
    /// The sans serif of the interface.
    case `default`
    /// With serifs.
    case serif
    /// With letters of equal widths, for code.
    case monospaced
  }

  /// The nominal font size in points.
  ///
  /// The line height is roughly 1.2 times the size.
  public var size: Double
  /// The weight.
  public var weight: Weight
  /// Whether all digits have the same width, for numbers that change in place.
  public var hasMonospacedDigits: Bool
  /// The design of the typeface.
  ///
  /// The line height and the baseline are those of the default one, so that adjacent texts align.
  public var design: Design
  /// Whether the letters are slanted.
  public var isItalic: Bool
  private var familyName: FontFamilyName

  /// The name of a font family, such as `Noto Serif Display`, or nil for the families of the ``design``.
  ///
  /// Default: nil.
  ///
  /// The family is one of the installed ones, or of the font files that the program registered. If there is none of this
  /// name, the families of the design are used, and the host's text warning names it. The line height and the baseline
  /// are those of the default family. Names of more than 32 bytes in UTF-8 are not found.
  public var family: String? {
    get { familyName.string }
    set { familyName = FontFamilyName(newValue) }
  }

  /// Whether the style has a font that is not among those for simple lines.
  package var needsOtherFont: Bool { isItalic || design != .default || !familyName.isEmpty }

  /// Creates a style.
  public init(
    size: Double, weight: Weight = .regular, hasMonospacedDigits: Bool = false, design: Design = .default,
    isItalic: Bool = false, family: String? = nil
  ) {
    self.size = size
    self.weight = weight
    self.hasMonospacedDigits = hasMonospacedDigits
    self.design = design
    self.isItalic = isItalic
    familyName = FontFamilyName(family)
  }
}

/// The name of a font family of at most 32 bytes in UTF-8, stored in place: styles are copied and compared for every line, and
/// a reference would be counted each time.
private struct FontFamilyName: Hashable, Sendable, BitwiseCopyable {
  /// The bytes, the first one lowest, followed by zeros.
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  init(_ name: String?) {
    guard var name else { return }
    withUnsafeMutableBytes(of: &words) { memory in
      name.withUTF8 { memory.copyBytes(from: $0.prefix(memory.count)) }
    }
  }

  var isEmpty: Bool { words.0 == 0 }

  var string: String? {
    guard !isEmpty else { return nil }
    return withUnsafeBytes(of: words) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  static func == (left: FontFamilyName, right: FontFamilyName) -> Bool {
    left.words.0 == right.words.0 && left.words.1 == right.words.1 && left.words.2 == right.words.2
      && left.words.3 == right.words.3
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}

/// The vertical metrics of a text style at a scale, in pixels.
public struct TextMetrics: Hashable, Sendable {
  /// The distance from the baseline up to the top of the tallest letter.
  public var ascent: Int
  /// The distance from the baseline down to the bottom of the deepest letter, positive.
  public var descent: Int
  /// The distance from one baseline to the next.
  public var lineHeight: Int

  /// Creates metrics.
  public init(ascent: Int, descent: Int, lineHeight: Int) {
    self.ascent = ascent
    self.descent = descent
    self.lineHeight = lineHeight
  }
}

/// The part of a line that is removed if the line is too long.
public enum LineBreakMode: Hashable, Sendable {
  /// The end.
  case byTruncatingTail
  /// The middle, so that a file's extension remains visible.
  case byTruncatingMiddle
  /// The start, so that the end of a path remains visible.
  case byTruncatingHead

  /// Returns a text truncated to a width, with an ellipsis in place of the removed characters.
  ///
  /// - Complexity: O(log n) measurements of O(n) characters. Usually three, because most letters have similar widths.
  public func truncatedText(_ text: String, width: Int, measure: (String) -> Int) -> String {
    let whole = measure(text)
    guard whole > width else { return text }
    let characters = Array(text)
    let fittingCount = longestFittingCount(of: characters.count, whole: whole, width: width) {
      measure(truncated(characters, keeping: $0))
    }
    return truncated(characters, keeping: fittingCount)
  }

  /// Returns the largest number of characters of a line that fit a width together with the ellipsis.
  ///
  /// - Parameters:
  ///   - count: The number of characters of the line.
  ///   - whole: The width of the line.
  ///   - width: The available width.
  ///   - guess: The expected result, or nil to assume characters of equal width.
  ///   - measure: Returns the width of the line truncated to a number of characters, with the ellipsis. Monotonic.
  /// - Complexity: O(log n) measurements. Two if the guess is right.
  package func longestFittingCount(
    of count: Int, whole: Int, width: Int, guess: Int? = nil, measure: (Int) -> Int
  ) -> Int {
    var low = 0
    var high = count
    var guess = guess ?? count * max(0, width) / max(1, whole)
    var guesses = 4
    // Invariant: `low` characters fit (zero always counts as fitting), `high` do not.
    while high - low > 1 {
      let candidate = max(low + 1, min(high - 1, guesses > 0 ? guess : (low + high) / 2))
      guesses -= 1
      let measured = measure(candidate)
      if measured <= width { low = candidate } else { high = candidate }
      let error = (width - measured) * count / max(1, whole)
      guess = candidate + (error != 0 ? error : measured <= width ? 1 : -1)
    }
    return low
  }

  /// Returns how many of the remaining characters are taken from the end of the line.
  package func tailCount(of count: Int) -> Int {
    switch self {
    case .byTruncatingTail: 0
    case .byTruncatingMiddle: min(count / 2, max(4, count / 3))
    case .byTruncatingHead: count
    }
  }

  private func truncated(_ characters: [Character], keeping count: Int) -> String {
    let tail = tailCount(of: count)
    var head = characters[..<(count - tail)]
    while head.last == " " { head.removeLast() }
    return String(head) + "…" + String(characters[(characters.count - tail)...])
  }
}
