import VitrineRendering

/// The lines of a text of any length, which are broken in order and as far as they are needed.
///
/// Lines are ranges of bytes of the text in UTF-8. Lines end at line breaks of the text, otherwise where the rules of
/// Unicode allow a break. A word that is too wide is broken between characters.
nonisolated struct TextLines {
  /// The measurements of a text that its lines depend on.
  struct Measures {
    /// Returns the width of a line in pixels.
    var width: (String) -> Int
    /// Returns the offsets at which a text without line breaks may be broken, with its end.
    var breaks: (String) -> [Int]
    /// Returns the width of a range of bytes, for a text whose parts have styles, or nil to measure strings.
    var rangeWidth: ((Range<Int>) -> Int)?
  }

  /// The maximum length of a line, in bytes.
  static let maximumLineBytes = 500
  /// The length in bytes of the parts of a paragraph that are searched for breaks at a time.
  private static let pieceBytes = 4_096

  /// The text.
  let text: String
  /// The maximum width of a line in pixels.
  let width: Int
  /// The lines that have been broken, with spaces at their ends.
  private(set) var ranges: [Range<Int>] = []
  /// Whether all lines have been broken.
  private(set) var isComplete = false
  private let byteCount: Int
  /// The start of the next line.
  private var next = 0
  /// The bytes in which breaks are known, and these.
  private var piece = 0..<0
  private var pieceBreaks: [Int] = []
  private var pieceEndsParagraph = false
  /// The lines from right to left, and the direction of the paragraph that is being broken.
  private var rightToLeftLines: Set<Int> = []
  private var paragraphDirection: TextDirection?
  private var startsParagraph = true

  /// Creates the lines of a text without breaking any.
  init(_ text: String, width: Int) {
    var native = text
    native.makeContiguousUTF8()
    self.text = native
    self.width = max(1, width)
    byteCount = native.utf8.count
    isComplete = byteCount == 0
  }

  /// The number of lines, estimated from the length of those that have been broken.
  var estimatedCount: Int {
    guard !isComplete, next > 0 else { return isComplete ? ranges.count : ranges.count + 1 }
    let rest = Double(byteCount - next) * Double(ranges.count) / Double(next)
    return ranges.count + max(1, Int(min(1e9, rest.rounded(.up))))
  }

  /// Returns the text of a line, with spaces for tabs and without spaces at its end.
  func line(at index: Int) -> String { displayedText(of: ranges[index]) }

  /// Returns the bytes of a line without spaces at its end.
  func displayedRange(at index: Int) -> Range<Int> {
    let line = ranges[index]
    return line.lowerBound..<line.lowerBound + trimmed(substring(line)).utf8.count
  }

  /// Returns the base direction of the paragraph that contains a line.
  func direction(at index: Int) -> TextDirection { rightToLeftLines.contains(index) ? .rightToLeft : .leftToRight }

  /// Returns the index of the line that contains an offset, at most the last one that has been broken.
  ///
  /// - Complexity: O(log lines).
  func indexOfLine(at offset: Int) -> Int {
    var (low, high) = (0, ranges.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if ranges[middle].lowerBound <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Breaks lines until there is a number of them, or the text ends.
  ///
  /// - Complexity: O(log n) measurements for each line of n words.
  mutating func breakLines(upTo count: Int, _ measures: Measures) {
    while ranges.count < count, !isComplete { breakLine(measures) }
  }

  private mutating func breakLine(_ measures: Measures) {
    let start = next
    // A line at the end of a part of a paragraph would be too short.
    let isShort =
      !pieceEndsParagraph && piece.upperBound < byteCount && piece.upperBound - start < TextLines.maximumLineBytes
    if start >= piece.upperBound || isShort { findPiece(measures) }
    let limit = min(piece.upperBound, start + TextLines.maximumLineBytes)
    let first = firstBreak(after: start)
    // Breaks that a line can reach.
    var last = first
    while last < pieceBreaks.count, pieceBreaks[last] <= limit { last += 1 }
    let fitting = lastFitting(first..<last, from: start, measures)
    var end: Int
    if let fitting {
      end = pieceBreaks[fitting]
    } else {
      end = first < pieceBreaks.count ? min(pieceBreaks[first], limit) : limit
      end = characterBreak(in: start..<end, measures)
    }
    if paragraphDirection == .rightToLeft { rightToLeftLines.insert(ranges.count) }
    ranges.append(start..<end)
    next = end
    guard end == piece.upperBound else { return }
    if pieceEndsParagraph {
      next = endOfLineBreak(at: end)
      startsParagraph = true
    }
    // A text that ends with a line break has an empty line after it, as in text views.
    if next >= byteCount {
      isComplete = true
      if pieceEndsParagraph, next > end { ranges.append(next..<next) }
    }
  }

  /// Returns the index of the last break up to which a line fits, or nil if not even the first one does.
  private func lastFitting(_ candidates: Range<Int>, from start: Int, _ measures: Measures) -> Int? {
    guard !candidates.isEmpty else { return nil }
    func fits(_ index: Int) -> Bool { measuredWidth(start..<pieceBreaks[index], measures) <= width }
    // The length of the previous line predicts that of this one.
    let expected = start + (ranges.last?.count ?? 40)
    var low = candidates.lowerBound - 1
    var high = candidates.upperBound
    var guess = pieceBreaks[candidates].firstIndex { $0 >= expected } ?? candidates.upperBound - 1
    var step = 1
    // Invariant: `low` fits, `high` does not.
    while high - low > 1 {
      let middle = max(low + 1, min(high - 1, guess))
      if fits(middle) {
        low = middle
        guess = high == candidates.upperBound ? middle + step : (middle + high) / 2
      } else {
        high = middle
        guess = low < candidates.lowerBound ? middle - step : (low + middle) / 2
      }
      step *= 2
    }
    return low >= candidates.lowerBound ? low : nil
  }

  /// Returns the end of as many characters of a word as fit, at least one.
  private func characterBreak(in word: Range<Int>, _ measures: Measures) -> Int {
    guard !word.isEmpty else { return word.upperBound }
    let characters = Array(substring(word))
    // Invariant: `low` characters fit (one always counts as fitting), `high` do not.
    var (low, high) = (1, characters.count + 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      let length = characters[..<middle].reduce(0) { $0 + $1.utf8.count }
      let measured =
        measures.rangeWidth?(word.lowerBound..<word.lowerBound + length)
        ?? measures.width(String(characters[..<middle]))
      if measured <= width { low = middle } else { high = middle }
    }
    return word.lowerBound + characters[..<low].reduce(0) { $0 + $1.utf8.count }
  }

  private func measuredWidth(_ range: Range<Int>, _ measures: Measures) -> Int {
    guard let rangeWidth = measures.rangeWidth else { return measures.width(displayedText(of: range)) }
    return rangeWidth(range.lowerBound..<range.lowerBound + trimmed(substring(range)).utf8.count)
  }

  // MARK: - Bytes

  /// Finds the breaks in the rest of the paragraph, or in a part of it.
  private mutating func findPiece(_ measures: Measures) {
    let start = next
    let limit = min(byteCount, start + TextLines.pieceBytes)
    var end = start
    var lastSpace = start
    text.utf8.withContiguousStorageIfAvailable { bytes in
      while end < limit, !isLineBreak(bytes, at: end) {
        if bytes[end] == UInt8(ascii: " ") { lastSpace = end + 1 }
        end += 1
      }
      pieceEndsParagraph = end < bytes.count && isLineBreak(bytes, at: end)
      guard !pieceEndsParagraph, end < bytes.count else { return }
      // The part ends between words, or at least between characters.
      if lastSpace > start { end = lastSpace }
    }
    if !pieceEndsParagraph, end < byteCount { end = characterStart(atOrBefore: end, after: start) }
    piece = start..<end
    if startsParagraph {
      paragraphDirection = TextDirection.ofFirstLetter(in: substring(piece).unicodeScalars)
      startsParagraph = false
    }
    pieceBreaks = measures.breaks(String(substring(piece))).map { $0 + start }
  }

  private func isLineBreak(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    switch bytes[index] {
    case 0x0A, 0x0D: true
    // U+2028 and U+2029.
    case 0xE2: index + 2 < bytes.count && bytes[index + 1] == 0x80 && (bytes[index + 2] & 0xFE) == 0xA8
    default: false
    }
  }

  /// Returns the offset after the line break at an offset.
  private func endOfLineBreak(at offset: Int) -> Int {
    let end = text.utf8.withContiguousStorageIfAvailable { bytes -> Int in
      if bytes[offset] == 0xE2 { return offset + 3 }
      let isPair = bytes[offset] == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
      return offset + (isPair ? 2 : 1)
    }
    return end ?? offset + 1
  }

  private func characterStart(atOrBefore offset: Int, after start: Int) -> Int {
    var index = text.utf8.index(text.startIndex, offsetBy: offset)
    if let character = index.samePosition(in: text) { return text.utf8.distance(from: text.startIndex, to: character) }
    while index > text.startIndex, index.samePosition(in: text.unicodeScalars) == nil {
      index = text.utf8.index(before: index)
    }
    let aligned = text.utf8.distance(from: text.startIndex, to: index)
    return aligned > start ? aligned : offset
  }

  private func firstBreak(after offset: Int) -> Int {
    var (low, high) = (0, pieceBreaks.count)
    while low < high {
      let middle = (low + high) / 2
      if pieceBreaks[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func substring(_ range: Range<Int>) -> Substring {
    let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
    return text[start..<text.utf8.index(start, offsetBy: range.count)]
  }

  private func trimmed(_ line: Substring) -> Substring {
    var line = line
    while line.last == " " || line.last == "\t" { line.removeLast() }
    return line
  }

  private func displayedText(of range: Range<Int>) -> String {
    let line = trimmed(substring(range))
    guard line.utf8.contains(0x09) else { return String(line) }
    return String(line.flatMap { $0 == "\t" ? Array("    ") : [$0] })
  }
}
