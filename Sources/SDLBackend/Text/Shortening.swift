import Rendering

/// A line of ASCII of which fewer characters stay, in UTF-8 and in memory that is used again.
nonisolated struct LineTruncator {
  /// What is put in place of what is gone.
  static let ellipsis = Array("…".utf8)

  /// Whether a line is printable ASCII, whose characters are bytes.
  static func canTruncate(_ line: String) -> Bool {
    for byte in line.utf8 where byte < 0x20 || byte > 0x7E { return false }
    return true
  }

  private let line: UnsafeBufferPointer<UInt8>
  private let truncation: Truncation
  private var bytes: [UInt8] = []

  /// Shortenings of a line, which must stay where it is as long as they are asked for.
  init(of line: UnsafeBufferPointer<UInt8>, _ truncation: Truncation) {
    self.line = line
    self.truncation = truncation
    bytes.reserveCapacity(line.count + LineTruncator.ellipsis.count)
  }

  /// The line of which so many characters stay, no space before the ellipsis.
  mutating func truncated(keeping count: Int) -> [UInt8] {
    let tail = truncation.tailCount(of: count)
    var head = count - tail
    while head > 0, line[head - 1] == UInt8(ascii: " ") { head -= 1 }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: line[..<head]))
    bytes.append(contentsOf: LineTruncator.ellipsis)
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: line[(line.count - tail)...]))
    return bytes
  }
}
