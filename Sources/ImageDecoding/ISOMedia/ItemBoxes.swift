/// Boxes of a file one after the other, as AVIF and HEIC are made of (ISO/IEC 14496-12, section 4.2).
enum ItemBoxes {
  /// So many are read; where there are more, the rest is not known.
  static let mostBoxes = 4096

  /// The boxes in a range; where they make no sense they end.
  static func boxes(_ file: FileReader, in range: Range<Int>) -> [(name: String, content: Range<Int>)] {
    var found: [(name: String, content: Range<Int>)] = []
    var place = range.lowerBound
    while found.count < mostBoxes, range.upperBound - place >= 8, let declared = file.big(place, bytes: 4),
      let name = file.slice(place + 4, 4)
    {
      var count = declared
      var headBytes = 8
      if declared == 1 {
        guard let long = file.big(place + 8, bytes: 8) else { break }
        count = long
        headBytes = 16
      } else if declared == 0 {
        count = range.upperBound - place
      }
      guard count >= headBytes else { break }
      count = min(count, range.upperBound - place)
      found.append((String(decoding: name, as: UTF8.self), place + headBytes..<max(place + headBytes, place + count)))
      place += count
    }
    return found
  }
}
