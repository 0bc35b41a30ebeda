/// Where a line may be cut into parts that are shaped each for itself, with the same result as the whole.
///
/// Captions have most of their words in common, with one another and with what they are shortened to, and shaping is most
/// of what a line costs.
package nonisolated enum WordBreaks {
  /// Where the part of a line ends that begins at a place: the parts, in order, together are the line, words with the
  /// space after them.
  ///
  /// A line is cut at a space between two letters or digits, where the first may have a comma, say, behind it. Not beside
  /// other signs: hyphens take their height from what is beyond the spaces around them, and an x between two numbers is
  /// drawn as the sign of multiplication. Letters beyond ASCII are no cut's neighbours.
  /// - Parameters:
  ///   - start: the line's beginning, or the end of a part.
  ///   - line: the line in UTF-8.
  /// - Complexity: O(bytes of the part).
  package static func endOfSegment(from start: Int, in line: UnsafeBufferPointer<UInt8>) -> Int {
    // The shortest part is a letter and the space after it.
    var place = start + 2
    while place < line.count {
      if line[place - 1] == space, isWordCharacter(line[place]), endsWord(in: line, from: start, to: place - 1) {
        return place
      }
      place += 1
    }
    return line.count
  }

  private static let space = UInt8(ascii: " ")

  /// Whether a word ends with a letter or a digit, or with such a one and a stop.
  private static func endsWord(in line: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Bool {
    let last = line[end - 1]
    return isWordCharacter(last) || (isPunctuation(last) && end - 2 >= start && isWordCharacter(line[end - 2]))
  }

  /// Whether a byte is a sign that ends a word and is drawn the same whatever is around it.
  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ";"), UInt8(ascii: "!"), UInt8(ascii: "?"): true
    default: false
    }
  }

  /// Whether a byte is a letter or a digit, and no x.
  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): false
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
