/// The places at which a text may be broken into lines, for scripts whose words have spaces between them and for East Asian
/// ones.
///
/// A part of Unicode's rules (UAX #14). Thai, Lao and Khmer need a dictionary, which ``TextRasterizer`` may have.
package enum LineBreakRules {
  /// Returns the offsets in bytes at which a text may be broken, with its end.
  ///
  /// These are after spaces and hyphens within words, and around East Asian characters, but neither before closing
  /// punctuation nor after opening punctuation.
  ///
  /// - Complexity: O(scalars).
  package static func offsets(in text: String) -> [Int] {
    var offsets: [Int] = []
    var offset = 0
    var last: (scalar: Unicode.Scalar, kind: Kind)?
    var beforeLast = Kind.space
    for scalar in text.unicodeScalars {
      let kind = Kind(scalar)
      if let last, allowsBreak(after: last.kind, following: beforeLast, before: kind, scalar) { offsets.append(offset) }
      // Marks and joiners belong to the character before them.
      if kind != .mark || last == nil {
        beforeLast = last?.kind ?? .space
        last = (scalar, kind)
      }
      offset += UTF8.width(scalar)
    }
    if offset > 0 { offsets.append(offset) }
    return offsets
  }

  private enum Kind {
    case space, hyphen, opening, closing, ideograph, mark, other

    init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x20, 0x09, 0x2000...0x2006, 0x2008...0x200B, 0x3000: self = .space
      case 0x2D, 0x2010, 0x2012...0x2014: self = .hyphen
      case 0x28, 0x5B, 0x7B, 0xAB, 0x201C, 0x2018, 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0xFF08,
        0xFF3B:
        self = .opening
      case 0x21, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x5D, 0x7D, 0xBB, 0x2019, 0x201D, 0x2026, 0x3001, 0x3002, 0x3009,
        0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x301C, 0x30FB, 0x30FC, 0xFF01, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A,
        0xFF1B, 0xFF1F, 0xFF3D:
        self = .closing
      // Small kana and iteration marks.
      case 0x3005, 0x303B, 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E, 0x309D,
        0x309E, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30FD, 0x30FE:
        self = .closing
      case 0x0300...0x036F, 0x200D, 0x3099, 0x309A, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF, 0xE0100...0xE01EF: self = .mark
      case 0x2E80...0x2FFF, 0x3003...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFF02...0xFFEF, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        self = .ideograph
      default: self = .other
      }
    }
  }

  private static func allowsBreak(
    after last: Kind, following beforeLast: Kind, before next: Kind, _ scalar: Unicode.Scalar
  ) -> Bool {
    switch (last, next) {
    case (_, .mark), (_, .space), (_, .closing), (.opening, _): false
    case (.space, _): true
    // Not after the minus of a number.
    case (.hyphen, _): beforeLast == .other && !("0"..."9").contains(scalar) && next != .hyphen
    case (.ideograph, _), (.closing, .ideograph), (.other, .ideograph): true
    default: false
    }
  }
}
