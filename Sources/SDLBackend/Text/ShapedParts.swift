/// The parts of the line that was shaped last: the next one often begins with the same.
///
/// A caption is asked about as a whole, with some of its characters left out, and once more to be painted.
nonisolated struct ShapedPrefixCache {
  /// How far a line goes to the end of a part.
  struct Part {
    /// In bytes.
    var end = 0
    /// In glyphs.
    var glyphCount = 0
    /// In 64ths of a pixel.
    var advance = 0
  }

  private var line: [UInt8] = []
  private var script = ""
  private var parts: [Part] = []

  /// Another line is shaped, from left to right: forgets what does not begin that.
  ///
  /// Where a part ends is told by its own bytes and the one behind it (``WordBreaks``): those are to be the same.
  /// - Returns: how far the parts go that stay.
  /// - Complexity: O(bytes).
  mutating func beginLine(_ next: UnsafeBufferPointer<UInt8>, script: String) -> Part {
    var same = 0
    if script == self.script {
      let most = min(line.count, next.count)
      line.withUnsafeBufferPointer { line in while same < most, line[same] == next[same] { same += 1 } }
    }
    while let last = parts.last, last.end >= same { parts.removeLast() }
    self.script = script
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: next)
    return parts.last ?? Part()
  }

  /// The next part was shaped.
  mutating func append(_ part: Part) { parts.append(part) }

  /// Something else was shaped.
  mutating func removeAll() {
    line.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
  }
}
