import Glibc

/// A line of text from an untrusted source that is safe to shape and display.
///
/// File names can contain invalid UTF-8, line feeds, controls that reverse the reading direction to hide an extension,
/// a hundred accents on one letter, or 64 KiB of text. These are replaced by U+FFFD, reduced or truncated.
public struct SanitizedText: Hashable, Sendable {
  /// The default maximum number of scalars.
  public static let maximumScalars = 512
  /// The maximum number of combining marks on a letter.
  ///
  /// No orthography needs more.
  public static let maximumCombiningMarks = 4
  /// The number of scalars kept at the end of a truncated text, so that a file's extension remains visible.
  public static let tailScalars = 32

  /// The sanitised text.
  public let string: String
  /// Whether the middle was removed.
  public let isTruncated: Bool
  /// Whether the text is printable ASCII and ellipses only, so that it needs no search for a font or script.
  public let isPlain: Bool

  /// Creates a line from a string.
  /// - Complexity: O(scalars).
  public init(_ text: String, maximumScalars: Int = SanitizedText.maximumScalars) {
    isPlain = SanitizedText.isPlain(text, maximumScalars: maximumScalars)
    if isPlain {
      string = text
      isTruncated = false
      return
    }
    var scalars = SanitizedText.sanitizedScalars(text)
    isTruncated = scalars.count > maximumScalars
    if isTruncated {
      let tail = min(SanitizedText.tailScalars, max(0, maximumScalars - 1) / 2)
      let head = max(0, maximumScalars - 1 - tail)
      scalars =
        SanitizedText.wholeCharacters(ofPrefix: head, scalars) + ["\u{2026}"]
        + SanitizedText.wholeCharacters(ofSuffix: tail, scalars)
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    string = String(view)
  }

  /// Returns the characters that lie within the first scalars, or all of these if they are a part of one character.
  private static func wholeCharacters(ofPrefix count: Int, _ scalars: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
    // One more tells whether a character ends with the prefix.
    wholeCharacters(within: count, of: string(scalars.prefix(count + 1))).map { scalars.prefix($0) }
      ?? scalars.prefix(count)
  }

  /// Returns the characters that lie within the last scalars, or all of these if they are a part of one character.
  private static func wholeCharacters(ofSuffix count: Int, _ scalars: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
    // What a character is depends on all that is before it, for example in a row of flags.
    wholeCharacters(within: count, of: string(scalars[...]).reversed()).map { scalars.suffix($0) }
      ?? scalars.suffix(count)
  }

  /// Returns the number of scalars of the first characters of a text that have at most as many, or nil if the first one has
  /// more.
  private static func wholeCharacters(within limit: Int, of characters: some Collection<Character>) -> Int? {
    var count = 0
    for character in characters {
      let next = count + character.unicodeScalars.count
      if next > limit { return count == 0 && limit > 0 ? nil : count }
      count = next
    }
    return count
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// Creates a line from bytes that should be UTF-8.
  ///
  /// Invalid bytes become U+FFFD.
  ///
  /// Use it for display only, because different file names may have the same text.
  /// - Complexity: O(bytes).
  public init(bytes: some Collection<UInt8>, maximumScalars: Int = SanitizedText.maximumScalars) {
    self.init(String(decoding: bytes, as: UTF8.self), maximumScalars: maximumScalars)
  }

  /// Returns a text for an editable line, which is displayed unchanged: line breaks and tabs become spaces, and other
  /// controls and excessive combining marks are removed.
  ///
  /// - Complexity: O(scalars).
  package static func editableLine(_ text: String) -> String {
    var view = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x9...0xD, 0x85, 0x2028, 0x2029: view.append(" ")
      default: if !isFormatControl(scalar) { view.append(scalar) }
      }
    }
    var line = String.UnicodeScalarView()
    line.append(contentsOf: sanitizedScalars(String(view)))
    return String(line)
  }

  /// Returns a text of several lines, which is displayed: line breaks are line feeds, tabs are four spaces, and controls and
  /// excessive combining marks are replaced or removed as in a line.
  ///
  /// - Complexity: O(scalars).
  package static func displayedText(_ text: String) -> String {
    if isPlain(text, maximumScalars: .max) { return text }
    var view = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in sanitizedScalars(text, keeps: isLineBreakOrTab) {
      switch scalar.value {
      case 0x9: view.append(contentsOf: "    ".unicodeScalars)
      case 0xA: if previous != "\r" { view.append("\n") }
      case 0xD, 0x2028, 0x2029: view.append("\n")
      default: view.append(scalar)
      }
      previous = scalar
    }
    return String(view)
  }

  private static func isLineBreakOrTab(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether a text is short and contains only printable ASCII and ellipses, so that it needs no sanitising.
  private static func isPlain(_ text: String, maximumScalars: Int) -> Bool {
    var count = 0
    // The number of bytes of an ellipsis read so far: E2 80 A6.
    var ellipsisBytes = 0
    for byte in text.utf8 {
      switch (ellipsisBytes, byte) {
      case (0, 0x20...0x7E): count += 1
      case (0, 0xE2): ellipsisBytes = 1
      case (1, 0x80): ellipsisBytes = 2
      case (2, 0xA6):
        ellipsisBytes = 0
        count += 1
      default: return false
      }
      if count > maximumScalars { return false }
    }
    return ellipsisBytes == 0
  }

  private static func sanitizedScalars(
    _ text: String, keeps isKept: (Unicode.Scalar) -> Bool = { _ in false }
  ) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    var marks = 0
    for scalar in text.unicodeScalars {
      if isMark(scalar) {
        marks += 1
        if marks <= maximumCombiningMarks { scalars.append(scalar) }
        continue
      }
      marks = 0
      scalars.append(isFormatControl(scalar) && !isKept(scalar) ? "\u{FFFD}" : scalar)
    }
    return scalars
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return !isVariationSelector(scalar)
    default: return false
    }
  }

  private static func isVariationSelector(_ scalar: Unicode.Scalar) -> Bool {
    (0xFE00...0xFE0F).contains(scalar.value) || (0xE0100...0xE01EF).contains(scalar.value)
  }

  /// Whether a scalar is invisible and affects how its neighbours are displayed, or is a noncharacter.
  private static func isFormatControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: true  // C0, delete, C1
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true  // reading direction, deprecated controls
    case 0x2028, 0x2029: true  // line and paragraph separators
    case 0xFEFF, 0xFFF9...0xFFFB: true  // byte order mark, interlinear annotation
    case 0xE0001: true  // language tag
    case 0xFDD0...0xFDEF: true
    default: scalar.value & 0xFFFE == 0xFFFE  // the other noncharacters
    }
  }
}

/// A string that is compared and hashed by its bytes, as a key for values computed from the text.
///
/// Swift compares strings by canonical equivalence. Equivalent strings can look different, and comparing them examines
/// every scalar of text outside ASCII, such as lines with an ellipsis.
package struct BytewiseText: Hashable, Sendable {
  /// The string.
  package let string: String

  /// Creates a key from a string.
  package init(_ string: String) { self.string = string }

  /// Creates a key from UTF-8 bytes.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) { string = String(decoding: bytes, as: UTF8.self) }

  /// Whether both strings have the same bytes, compared by `memcmp`.
  package static func == (one: BytewiseText, other: BytewiseText) -> Bool {
    // The inner value is nil if the bytes are not contiguous, which does not occur with native Swift strings.
    let isSame = one.string.utf8.withContiguousStorageIfAvailable { bytes in
      other.string.utf8.withContiguousStorageIfAvailable { others -> Bool in
        guard bytes.count == others.count else { return false }
        guard let start = bytes.baseAddress, let otherStart = others.baseAddress else { return true }
        return memcmp(start, otherStart, bytes.count) == 0
      }
    }
    return (isSame ?? nil) ?? one.string.utf8.elementsEqual(other.string.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(string.utf8.count)
    let isDone: Void? = string.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isDone == nil { for byte in string.utf8 { hasher.combine(byte) } }
  }
}
