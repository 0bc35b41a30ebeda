/// Where a line may be cut into parts that are shaped each for itself, with the same result as the whole.
///
/// Captions have most of their words in common, with one another and with what they are shortened to, and shaping is most
/// of what a line costs.
package enum WordBreaks {
  /// The parts of a line, in order, which together are the line: words with the space after them.
  ///
  /// A line is cut at a space between two letters or digits alone: signs such as hyphens take their height from what is
  /// beyond the spaces around them, and an x between two numbers is drawn as the sign of multiplication.
  /// Letters beyond ASCII are no cut's neighbours.
  /// - Complexity: O(bytes).
  package static func parts(of line: String) -> [Substring] {
    let bytes = line.utf8
    var parts: [Substring] = []
    var start = bytes.startIndex
    var before: UInt8 = 0
    var last: UInt8 = 0
    for (index, byte) in zip(bytes.indices, bytes) {
      if last == space, isPlain(before), isPlain(byte) {
        parts.append(line[start..<index])
        start = index
      }
      (before, last) = (last, byte)
    }
    if start < bytes.endIndex { parts.append(line[start...]) }
    return parts
  }

  private static let space = UInt8(ascii: " ")

  /// Whether a byte is a letter or a digit, and no x.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): false
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
