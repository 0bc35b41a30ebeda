/// A line of text that is safe to shape and honest to read, made from a string or bytes that come from anywhere.
///
/// File names may hold anything: half characters, line feeds, marks that turn the direction of reading and so hide an
/// extension, a hundred accents on one letter, 64 KiB of it. Each of these is shown as U+FFFD, thinned out or cut.
public struct SanitizedText: Hashable, Sendable {
  /// The most scalars that are shaped, unless told otherwise.
  public static let maximumScalars = 512
  /// The most combining marks that one letter keeps; no orthography needs more.
  public static let maximumCombiningMarks = 4
  /// The scalars that remain of the end when a text is cut, so that a file's extension stays in sight.
  public static let tailScalars = 32

  /// What may be drawn.
  public let string: String
  /// Whether the middle was left out.
  public let isTruncated: Bool
  /// Whether it is printable ASCII and ellipses alone, as names that were cut are: no font and no script to look for.
  public let isPlain: Bool

  /// Makes a line from a string.
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
      scalars = scalars.prefix(head) + ["\u{2026}"] + scalars.suffix(tail)
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    string = String(view)
  }

  /// Makes a line from bytes that should be UTF-8; what is not becomes U+FFFD.
  ///
  /// Only for showing: two names may look the same here and be two files.
  /// - Complexity: O(bytes).
  public init(bytes: some Collection<UInt8>, maximumScalars: Int = SanitizedText.maximumScalars) {
    self.init(String(decoding: bytes, as: UTF8.self), maximumScalars: maximumScalars)
  }

  /// Whether a text is short and printable ASCII, with ellipses or without, as most are: those are taken as they are.
  private static func isPlain(_ text: String, maximumScalars: Int) -> Bool {
    var count = 0
    // How many bytes of an ellipsis were seen: E2 80 A6.
    var begun = 0
    for byte in text.utf8 {
      switch (begun, byte) {
      case (0, 0x20...0x7E): count += 1
      case (0, 0xE2): begun = 1
      case (1, 0x80): begun = 2
      case (2, 0xA6):
        begun = 0
        count += 1
      default: return false
      }
      if count > maximumScalars { return false }
    }
    return begun == 0
  }

  private static func sanitizedScalars(_ text: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    var marks = 0
    for scalar in text.unicodeScalars {
      if isMark(scalar) {
        marks += 1
        if marks <= maximumCombiningMarks { scalars.append(scalar) }
        continue
      }
      marks = 0
      scalars.append(isFormatControl(scalar) ? "\u{FFFD}" : scalar)
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

  /// Whether a scalar draws nothing itself and changes how its neighbours are read.
  private static func isFormatControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: true  // C0, delete, C1
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true  // direction of reading, deprecated formats
    case 0x2028, 0x2029: true  // line and paragraph separator
    case 0xFEFF, 0xFFF9...0xFFFB: true  // byte order mark, interlinear annotation
    case 0xE0001: true  // language tag
    case 0xFDD0...0xFDEF: true
    default: scalar.value & 0xFFFE == 0xFFFE  // the other noncharacters
    }
  }
}
