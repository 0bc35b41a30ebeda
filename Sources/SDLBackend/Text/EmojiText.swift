import Rendering

/// Tells lines that are emoji alone, which are seen in colours, from all others.
package enum EmojiDetector {
  /// Whether a line is emoji and nothing else but spaces between them.
  ///
  /// As Unicode has it (UTS #51): what is shown as a picture by itself, and what is followed by U+FE0F or a tone of skin,
  /// but not what is followed by U+FE0E. Keycaps count as text.
  /// - Complexity: O(1) for text in Latin, Greek and Cyrillic, else O(scalars).
  package static func isEmojiOnly(_ line: String) -> Bool {
    // The first byte of U+2000 and above.
    guard let first = line.utf8.first, first >= 0xE2 else { return false }
    return line.allSatisfy { $0 == " " || isEmoji($0) }
  }

  private static func isEmoji(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, first.properties.isEmoji else { return false }
    let second = scalars.dropFirst().first
    if first.properties.isEmojiPresentation { return second != "\u{FE0E}" }
    return second == "\u{FE0F}" || second?.properties.isEmojiModifier == true
  }
}
