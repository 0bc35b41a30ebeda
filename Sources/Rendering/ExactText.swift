import Glibc

/// A text as what it is made of, byte for byte: a key by which what was made of it is found again.
///
/// Two strings that Swift takes for the same, as they mean the same, may be drawn differently; and to find that out it looks
/// at every scalar of texts beyond ASCII, as lines with an ellipsis are.
package struct BytewiseText: Hashable, Sendable {
  /// The text.
  package let string: String

  /// Makes a key of a text.
  package init(_ string: String) { self.string = string }

  /// Makes a key of the bytes of a text.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) { string = String(decoding: bytes, as: UTF8.self) }

  /// Whether the bytes are the same; the C function is `memcmp`.
  package static func == (one: BytewiseText, other: BytewiseText) -> Bool {
    // Nothing where a text's bytes do not lie together, as those of no text do that Swift itself made.
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
