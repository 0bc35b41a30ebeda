public import VitrineGeometry

/// A line of text that a rasteriser lays out and paints on another thread.
public struct LineRequest: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The text with the styles and colours of its parts, or nil for a text in one style.
  ///
  /// The line has the greatest ascent and descent of the styles. Parts with colours are in the coloured layer of the line.
  public var styledText: StyledText?
  /// The style of the text.
  public var style: TextStyle
  /// The scale of the display.
  public var scale: DisplayScale
  /// The maximum width in pixels.
  ///
  /// A longer line is truncated.
  public var maximumWidth: Int
  /// The part of a longer line that is removed.
  public var truncation: LineBreakMode

  /// Creates a request.
  public init(text: String, style: TextStyle, scale: DisplayScale, maximumWidth: Int, truncation: LineBreakMode) {
    self.text = text
    self.style = style
    self.scale = scale
    self.maximumWidth = maximumWidth
    self.truncation = truncation
  }

  /// Creates a request for a text of several styles.
  ///
  /// - Parameters:
  ///   - styledText: The text.
  ///   - style: The style of an empty text.
  ///   - scale: The display scale.
  ///   - maximumWidth: The maximum width in pixels.
  ///   - truncation: The part of a longer line that is removed.
  public init(
    styledText: StyledText, style: TextStyle, scale: DisplayScale, maximumWidth: Int, truncation: LineBreakMode
  ) {
    self.init(
      text: styledText.string, style: style, scale: scale, maximumWidth: maximumWidth, truncation: truncation)
    self.styledText = styledText
  }
}

/// A painted line of text.
public struct RenderedLine: Sendable {
  /// The contents of a line's bitmap.
  public enum Layers: UInt8, Hashable, Sendable {
    /// White with the coverage of the glyphs as alpha, to be tinted with the text colour.
    case mask
    /// The glyphs in their own colours, such as emoji, not to be tinted.
    case colors
    /// A mask in the upper half of the bitmap, and the glyphs with their own colours in the lower half.
    ///
    /// Both halves are drawn at the same position, the lower one over the upper one.
    case maskAndColors
    /// A mask in the upper half of the bitmap, and backgrounds and glyphs with their own colours in the lower half.
    ///
    /// Both halves are drawn at the same position, the upper one over the lower one.
    case maskOverColors
  }

  /// The pixels.
  public let bitmap: Bitmap
  /// The contents of the bitmap.
  public let layers: Layers
  /// Whether the base direction of the line is from right to left.
  public let isRightToLeft: Bool

  /// Creates a line.
  public init(bitmap: Bitmap, layers: Layers = .mask, isRightToLeft: Bool = false) {
    self.bitmap = bitmap
    self.layers = layers
    self.isRightToLeft = isRightToLeft
  }
}

/// The scan that separates lines which one font displays from left to right from all other lines.
package enum TextComplexity {
  /// The classes of texts.
  package enum Kind: Sendable {
    /// ASCII only.
    case ascii
    /// Other characters that are written from left to right and need no other font, if the font has glyphs for them.
    case simple
    /// Characters that need other fonts or directions.
    case complex
  }

  /// Returns the class of a text.
  ///
  /// - Complexity: O(bytes).
  package static func kind(of text: String) -> Kind {
    let isASCII = text.utf8.withContiguousStorageIfAvailable { bytes in
      var bits: UInt8 = 0
      for byte in bytes { bits |= byte }
      return bits < 0x80
    }
    if isASCII == true { return .ascii }
    return isSimple(text) ? .simple : .complex
  }

  /// Whether the characters of a text are written from left to right and need no other font, if the font has glyphs for
  /// them.
  ///
  /// These are the letters of Latin, Greek and Cyrillic, punctuation, currency signs and letterlike symbols. Controls
  /// count too, because ``SanitizedText`` replaces them.
  /// - Complexity: O(bytes).
  package static func isSimple(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte < 0x80 {
          index += 1
        } else if byte < 0xD6 {
          // Up to U+057F. Armenian starts at U+0530, D4 B0.
          if byte == 0xD5 || byte == 0xD4 && index + 1 < bytes.count && bytes[index + 1] >= 0xB0 { return false }
          index += 2
        } else {
          guard byte < 0xF0, byte >= 0xE1, index + 2 < bytes.count else { return false }
          let high = UInt32(byte & 0x0F) << 12
          let scalar = high | UInt32(bytes[index + 1] & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
          guard isSimple(scalar) else { return false }
          index += 3
        }
      }
      return true
    }
  }

  /// Whether a scalar above U+07FF is simple.
  private static func isSimple(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x200C, 0x200D: false  // joiners
    case 0x1E00...0x1FFF, 0x2000...0x218F: true  // Latin and Greek with accents, punctuation, currency, letterlike
    case 0x2C60...0x2C7F, 0xA640...0xA69F, 0xA720...0xA7FF, 0xAB30...0xAB6F: true  // more Latin and Cyrillic
    case 0xFEFF, 0xFFF9...0xFFFF: true  // controls, and their replacement
    default: false
    }
  }

  /// Returns the number of emoji that are displayed in colour by default, as far as they are separate scalars (UTS #51).
  ///
  /// - Complexity: O(scalars).
  package static func colorEmojiCount(in text: String) -> Int {
    var count = 0
    for scalar in text.unicodeScalars where scalar.value >= 0x231A {
      switch scalar.value {
      case 0xFE0E: count -= 1  // The scalar before is displayed as text.
      case 0xFE0F: count += 1
      default: count += scalar.properties.isEmojiPresentation ? 1 : 0
      }
    }
    return count
  }
}
