import VitrineRendering

/// A run of a line that is shaped as a unit.
package struct TextRun: Hashable {
  /// The script of a run.
  package enum Kind: Hashable {
    /// Text with the rules of a script, given by its ISO 15924 tag.
    case text(script: String)
    /// Digits of the same width.
    case digits
  }

  /// The kind of the run.
  package let kind: Kind
  /// The text of the run.
  package let text: String

  /// Returns a line of ASCII and common punctuation as one run.
  static func plain(_ line: String) -> TextRun {
    TextRun(kind: .text(script: Kind.commonScript), text: line)
  }

  /// Splits a line into runs, in order.
  ///
  /// The letters must be Latin, Greek or Cyrillic. ``PangoLayouter`` lays out other lines.
  /// - Complexity: O(scalars).
  package static func runs(of line: String, hasMonospacedDigits: Bool) -> [TextRun] {
    if !hasMonospacedDigits, !line.isEmpty, line.utf8.allSatisfy({ $0 < 0x80 }) {
      return [plain(line)]
    }
    let scalars = Array(line.unicodeScalars)
    let ownKinds = scalars.map { Kind($0, hasMonospacedDigits: hasMonospacedDigits) }
    let kinds = Kind.resolvedKinds(ownKinds)
    var runs: [TextRun] = []
    var start = 0
    for end in 1..<max(1, scalars.count + 1) where end == scalars.count || kinds[end] != kinds[start] {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[start..<end])
      if !text.isEmpty { runs.append(TextRun(kind: kinds[start], text: String(text))) }
      start = end
    }
    return runs
  }
}

extension TextRun.Kind {
  /// The script of text without letters, for which any shaping rules will do.
  nonisolated static let commonScript = "Latn"

  /// Returns the kind of a scalar, or nil if it is neutral.
  init?(_ scalar: Unicode.Scalar, hasMonospacedDigits: Bool) {
    if hasMonospacedDigits, ("0"..."9").contains(scalar) {
      self = .digits
    } else if scalar.properties.isAlphabetic {
      self = .text(script: TextRun.Kind.scriptTag(of: scalar))
    } else {
      return nil
    }
  }

  /// Resolves neutral scalars.
  ///
  /// They get the script of the preceding neighbour if it has one, and otherwise that of the following one.
  fileprivate static func resolvedKinds(_ ownKinds: [TextRun.Kind?]) -> [TextRun.Kind] {
    var following = ownKinds
    for index in ownKinds.indices.reversed().dropFirst() where following[index] == nil {
      following[index] = following[index + 1]
    }
    var preceding: TextRun.Kind?
    return ownKinds.indices.map { index in
      if let own = ownKinds[index] {
        preceding = own
        return own
      }
      for case .text(let script)? in [preceding, following[index]] { return .text(script: script) }
      return .text(script: commonScript)
    }
  }

  private static func scriptTag(of scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x0370...0x03FF, 0x1F00...0x1FFF: "Grek"
    case 0x0400...0x052F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: "Cyrl"
    default: commonScript
    }
  }
}

/// A segmentation of lines into parts that can be shaped separately with the same result.
///
/// Captions share most words with each other and with their truncated forms, and shaping is most of the cost of a line.
package nonisolated enum WordBreaks {
  /// Returns the end of the segment that starts at an index.
  ///
  /// The segments of a line are words with the space that follows.
  ///
  /// A line is split at a space between two letters or digits, the first of which may be followed by a punctuation mark
  /// such as a comma. It is not split next to other characters: the height of hyphens depends on what is beyond the
  /// spaces around them, and an x between two numbers is drawn as a multiplication sign. Nor is it split next to
  /// letters outside ASCII.
  /// - Parameters:
  ///   - start: The start of the line, or the end of a segment.
  ///   - line: The line in UTF-8.
  /// - Complexity: O(bytes of the segment).
  package static func endOfSegment(from start: Int, in line: UnsafeBufferPointer<UInt8>) -> Int {
    // The shortest segment is a letter and a space.
    var index = start + 2
    while index < line.count {
      if line[index - 1] == space, isWordCharacter(line[index]), endsWord(in: line, from: start, to: index - 1) {
        return index
      }
      index += 1
    }
    return line.count
  }

  private static let space = UInt8(ascii: " ")

  /// Whether a word ends with a letter or digit, optionally followed by a punctuation mark.
  private static func endsWord(in line: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Bool {
    let last = line[end - 1]
    return isWordCharacter(last) || (isPunctuation(last) && end - 2 >= start && isWordCharacter(line[end - 2]))
  }

  /// Whether a byte is a punctuation mark whose glyph does not depend on its neighbours.
  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ";"), UInt8(ascii: "!"), UInt8(ascii: "?"): true
    default: false
    }
  }

  /// Whether a byte is a letter or digit, except x.
  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): false
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
