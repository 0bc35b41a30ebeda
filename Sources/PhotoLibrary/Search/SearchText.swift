import VitrineDataStructures

/// A text to look for, without regard to upper and lower case and to diacritics.
///
/// Both the text and the names are folded: letters to lowercase, and é to e in either encoding. Names need not be valid
/// UTF-8.
struct SearchText: Hashable, Sendable {
  /// The bytes of the folded form.
  ///
  /// The upper halves are the bits to set in a byte of a name before it is compared, which
  /// ignores the case of ASCII letters.
  let pattern: [UInt16]
  /// Whether the folded form is ASCII.
  let isASCII: Bool

  /// Creates a text to look for.
  init(_ text: String) {
    var folded: [UInt8] = []
    text.utf8.withContiguousStorageIfAvailable { TextFolding.appendFolded($0, to: &folded) }
      ?? Array(text.utf8).withUnsafeBufferPointer { TextFolding.appendFolded($0, to: &folded) }
    pattern = folded.map { UInt16($0) | ((0x61...0x7A).contains($0) ? 0x2000 : 0) }
    isASCII = folded.allSatisfy { $0 < 0x80 }
  }

  /// Returns whether the text occurs in a name.
  ///
  /// - Complexity: O(*n*) in the length of the name, if no part of the text is repeated in it many times.
  func occurs(in name: UnsafeBufferPointer<UInt8>) -> Bool {
    pattern.withUnsafeBufferPointer { SearchText.occurs($0, isASCII: isASCII, in: name) }
  }

  /// Returns whether a pattern occurs in a name.
  @inline(__always)
  static func occurs(
    _ pattern: UnsafeBufferPointer<UInt16>, isASCII: Bool, in name: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if isASCII, isPart(pattern, of: name) { return true }
    guard name.contains(where: { $0 >= 0x80 }) else { return false }
    var folded: [UInt8] = []
    TextFolding.appendFolded(name, to: &folded)
    return folded.withUnsafeBufferPointer { isPart(pattern, of: $0) }
  }

  /// Returns whether the text occurs in a name.
  func occurs(in name: some Collection<UInt8>) -> Bool {
    name.withContiguousStorageIfAvailable { occurs(in: $0) } ?? Array(name).withUnsafeBufferPointer { occurs(in: $0) }
  }

  private static func isPart(_ pattern: UnsafeBufferPointer<UInt16>, of name: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = pattern.count
    guard count > 0 else { return true }
    guard name.count >= count else { return false }
    let (first, firstBits) = (UInt8(truncatingIfNeeded: pattern[0]), UInt8(pattern[0] >> 8))
    for start in 0...(name.count - count) where name[start] | firstBits == first {
      var index = 1
      while index < count,
        name[start + index] | UInt8(pattern[index] >> 8) == UInt8(truncatingIfNeeded: pattern[index])
      {
        index += 1
      }
      if index == count { return true }
    }
    return false
  }
}

/// The folding of texts to lowercase without diacritics.
enum TextFolding {
  /// The base letters of U+00C0 to U+017F in lowercase.
  ///
  /// Those without one stand for themselves.
  private static let baseLetters = Array(
    """
    aaaaaaæceeeeiiiiðnooooo×ouuuuyþßaaaaaaæceeeeiiiiðnooooo÷ouuuuyþyaaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii\
    ĳĳjjkkĸllllllllllnnnnnnŉŋŋooooooœœrrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs
    """.unicodeScalars)

  /// Appends the folded form of a text, given by its bytes.
  ///
  /// - Complexity: O(*n*).
  static func appendFolded(_ text: UnsafeBufferPointer<UInt8>, to folded: inout [UInt8]) {
    folded.reserveCapacity(folded.count + text.count)
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte >= 0x80 else {
        folded.append(NaturalOrder.lowercased(byte))
        index += 1
        continue
      }
      var decoder = UTF8()
      var rest = text[index...].makeIterator()
      guard case .scalarValue(let scalar) = decoder.decode(&rest) else {
        // Not a character. Its byte stands for itself.
        folded.append(byte)
        index += 1
        continue
      }
      index += UTF8.width(scalar)
      appendFolded(scalar, to: &folded)
    }
  }

  private static func appendFolded(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    switch scalar.value {
    case 0x300...0x36F: break
    case 0xC0...0x17F: folded += String(baseLetters[Int(scalar.value) - 0xC0]).utf8
    // Greek and Cyrillic, whose small letters follow the capitals. Final sigma is a sigma.
    case 0x391...0x3A9, 0x410...0x42F: append(scalar.value + 0x20, to: &folded)
    case 0x3C2: append(0x3C3, to: &folded)
    case 0x400...0x40F: append(scalar.value + 0x50, to: &folded)
    // Letters without cases: Hebrew to Thai, Chinese, Japanese, Korean.
    case 0x590...0xE7F, 0x3040...0xD7FF: append(scalar.value, to: &folded)
    default: folded += scalar.properties.lowercaseMapping.utf8
    }
  }

  private static func append(_ value: UInt32, to folded: inout [UInt8]) {
    if let scalar = Unicode.Scalar(value), let bytes = UTF8.encode(scalar) { folded += bytes }
  }
}
