import VitrineGeometry

/// A box of an ISO base media file (ISO/IEC 14496-12, section 4.2).
struct ISOMediaBox: Hashable {
  /// The four-character code.
  let type: Int
  /// The range of the content in the file.
  let content: Range<Int>

  /// The maximum number of consecutive boxes that are parsed.
  static let maximumSiblings = 4096

  /// Returns a four-character code as an integer.
  static func fourCC(_ letters: StaticString) -> Int { letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } } }

  /// Parses the box at an offset, or returns nil if it does not fit its container.
  init?(_ file: FetchedBytes, at place: Int, end: Int) throws(HeaderReadError) {
    guard end - place >= 8 else { return nil }
    let count = try file.number(at: place, bytes: 4, .bigEndian)
    type = try file.number(at: place + 4, bytes: 4, .bigEndian)
    switch count {
    case 0:
      content = place + 8..<end
    case 1:
      guard end - place >= 16 else { return nil }
      let long = try file.number(at: place + 8, bytes: 8, .bigEndian)
      guard long >= 16, long <= end - place else { return nil }
      content = place + 16..<place + long
    default:
      guard count >= 8 else { return nil }
      // A box truncated by the end of the file contains the available bytes.
      content = place + 8..<place + min(count, end - place)
    }
  }

  /// Calls a closure for the boxes in a range in order, until it returns true.
  static func forEach(
    in range: Range<Int>, of file: FetchedBytes, _ body: (ISOMediaBox) throws(HeaderReadError) -> Bool
  ) throws(HeaderReadError) {
    var place = range.lowerBound
    for _ in 0..<maximumSiblings {
      guard let box = try ISOMediaBox(file, at: place, end: range.upperBound) else { return }
      if try body(box) { return }
      place = box.content.upperBound
    }
  }
}

/// The properties of an item that determine its appearance: size, clean aperture and orientation.
struct HEIFItemProperties {
  /// The coded size in pixels.
  private(set) var codedSize: (width: Int, height: Int)?
  private var cleanApertureFields: [Int]?
  private var isMirrored = false
  private var quarterTurns = 0

  /// Applies a property.
  ///
  /// The order of properties matters.
  mutating func applyProperty(_ box: ISOMediaBox, _ file: FetchedBytes) throws(HeaderReadError) {
    let content = box.content
    switch box.type {
    case ISOMediaBox.fourCC("ispe") where content.count >= 12:
      codedSize = (
        try file.number(at: content.lowerBound + 4, bytes: 4, .bigEndian),
        try file.number(at: content.lowerBound + 8, bytes: 4, .bigEndian)
      )
    case ISOMediaBox.fourCC("clap") where content.count >= 32:
      var numbers: [Int] = []
      for index in 0..<8 {
        let number = try file.number(at: content.lowerBound + index * 4, bytes: 4, .bigEndian)
        numbers.append(Int(Int32(truncatingIfNeeded: number)))
      }
      cleanApertureFields = numbers
    case ISOMediaBox.fourCC("irot") where !content.isEmpty:
      // Quarter turns, counterclockwise.
      quarterTurns -= Int(try file.byte(at: content.lowerBound) & 3)
    case ISOMediaBox.fourCC("imir") where !content.isEmpty:
      let exchangesSides = try file.byte(at: content.lowerBound) & 1 == 1
      isMirrored.toggle()
      quarterTurns = exchangesSides ? -quarterTurns : 2 - quarterTurns
    default:
      break
    }
  }

  /// The orientation: mirrored horizontally first, then rotated clockwise.
  var orientation: Orientation {
    switch (isMirrored, quarterTurns & 3) {
    case (false, 0): .up
    case (false, 1): .right
    case (false, 2): .down
    case (false, _): .left
    case (true, 0): .upMirrored
    case (true, 1): .rightMirrored
    case (true, 2): .downMirrored
    case (true, _): .leftMirrored
    }
  }

  /// The clean aperture, or nil if it covers the whole image or is invalid.
  var cleanAperture: PixelRect? {
    guard let codedSize, let cleanApertureFields, cleanApertureFields[1] > 0, cleanApertureFields[3] > 0,
      cleanApertureFields[5] > 0, cleanApertureFields[7] > 0
    else { return nil }
    let width = Double(cleanApertureFields[0]) / Double(cleanApertureFields[1])
    let height = Double(cleanApertureFields[2]) / Double(cleanApertureFields[3])
    // The offsets are those of the aperture's centre from the image's centre.
    let left = (Double(codedSize.width) - width) / 2 + Double(cleanApertureFields[4]) / Double(cleanApertureFields[5])
    let top = (Double(codedSize.height) - height) / 2 + Double(cleanApertureFields[6]) / Double(cleanApertureFields[7])
    let right = (left + width).rounded()
    let bottom = (top + height).rounded()
    let (x, y) = (left.rounded(), top.rounded())
    guard x >= 0, y >= 0, right > x, bottom > y, right <= Double(codedSize.width), bottom <= Double(codedSize.height),
      codedSize.width <= PixelSize.maximumSide, codedSize.height <= PixelSize.maximumSide,
      x > 0 || y > 0 || right < Double(codedSize.width) || bottom < Double(codedSize.height)
    else { return nil }
    return PixelRect(x: Int32(x), y: Int32(y), width: Int32(right - x), height: Int32(bottom - y))
  }
}

/// A reader of the size of an image sequence without an item: that of its first track.
struct MovieHeaderReader {
  let file: FetchedBytes

  func read(_ movie: ISOMediaBox, into header: inout ImageHeader) throws(HeaderReadError) {
    try ISOMediaBox.forEach(in: movie.content, of: file) { track throws(HeaderReadError) in
      guard track.type == ISOMediaBox.fourCC("trak") else { return false }
      try ISOMediaBox.forEach(in: track.content, of: file) { box throws(HeaderReadError) in
        guard box.type == ISOMediaBox.fourCC("tkhd"), box.content.count >= 84 else { return false }
        // The last two values, with sixteen fractional bits.
        let end = box.content.upperBound
        let width = try file.number(at: end - 8, bytes: 4, .bigEndian) >> 16
        let height = try file.number(at: end - 4, bytes: 4, .bigEndian) >> 16
        header.setStoredSize(width: width, height: height)
        return true
      }
      return header.storedSize != nil
    }
  }
}
