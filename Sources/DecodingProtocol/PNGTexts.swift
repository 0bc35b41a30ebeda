/// The texts of a PNG file, which follow the pixels of a request to encode one.
///
/// Each is a keyword, a zero byte, the text and a zero byte.
package struct PNGTexts: Hashable, Sendable {
  /// A keyword and its text.
  package typealias Entry = (keyword: [UInt8], text: [UInt8])

  /// The encoded texts.
  public private(set) var bytes: [UInt8] = []

  /// Creates an empty list.
  package init() {}

  /// Appends a text.
  ///
  /// - Parameters:
  ///   - keyword: The keyword, in ASCII, without zero bytes.
  ///   - text: The text, in ASCII, without zero bytes.
  package mutating func append(_ keyword: String, _ text: String) {
    bytes += Array(keyword.utf8) + [0] + Array(text.utf8) + [0]
  }

  /// Reads encoded texts; returns nil if they are incomplete.
  package init?(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    let zeros = self.bytes.count { $0 == 0 }
    guard zeros.isMultiple(of: 2), self.bytes.last ?? 0 == 0 else { return nil }
  }

  /// The keywords and texts.
  package var entries: [Entry] {
    let parts = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    guard !bytes.isEmpty else { return [] }
    return stride(from: 0, to: parts.count - 1, by: 2).map { (parts[$0], parts[$0 + 1]) }
  }
}
