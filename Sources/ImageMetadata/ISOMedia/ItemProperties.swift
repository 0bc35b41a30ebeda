import Geometry

/// What the properties of an item say of how it looks: its extent, which part of it counts, and how it is turned.
struct ItemProperties {
  /// The coded extent.
  private(set) var size: (width: Int, height: Int)?
  private var clap: [Int]?
  private var isMirrored = false
  private var quarterTurns = 0

  /// Notes a property; they count in the order in which they are applied.
  mutating func note(_ box: Box, _ file: FetchedBytes) throws(HeaderGap) {
    let content = box.content
    switch box.name {
    case Box.name("ispe") where content.count >= 12:
      size = (
        try file.number(at: content.lowerBound + 4, bytes: 4, .bigEndian),
        try file.number(at: content.lowerBound + 8, bytes: 4, .bigEndian)
      )
    case Box.name("clap") where content.count >= 32:
      var numbers: [Int] = []
      for index in 0..<8 {
        let number = try file.number(at: content.lowerBound + index * 4, bytes: 4, .bigEndian)
        numbers.append(Int(Int32(truncatingIfNeeded: number)))
      }
      clap = numbers
    case Box.name("irot") where !content.isEmpty:
      // Quarters anticlockwise.
      quarterTurns -= Int(try file.byte(at: content.lowerBound) & 3)
    case Box.name("imir") where !content.isEmpty:
      let exchangesSides = try file.byte(at: content.lowerBound) & 1 == 1
      isMirrored.toggle()
      quarterTurns = exchangesSides ? -quarterTurns : 2 - quarterTurns
    default:
      break
    }
  }

  /// How the picture is turned: mirrored left to right first, then turned clockwise.
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

  /// The part that counts; nothing where all does, or where what is said makes no sense.
  var aperture: PixelRect? {
    guard let size, let clap, clap[1] > 0, clap[3] > 0, clap[5] > 0, clap[7] > 0
    else { return nil }
    let width = Double(clap[0]) / Double(clap[1])
    let height = Double(clap[2]) / Double(clap[3])
    // Offsets lead from the middle of all to the middle of the part.
    let left = (Double(size.width) - width) / 2 + Double(clap[4]) / Double(clap[5])
    let top = (Double(size.height) - height) / 2 + Double(clap[6]) / Double(clap[7])
    let right = (left + width).rounded()
    let bottom = (top + height).rounded()
    let (x, y) = (left.rounded(), top.rounded())
    guard x >= 0, y >= 0, right > x, bottom > y, right <= Double(size.width), bottom <= Double(size.height),
      size.width <= PixelSize.longestSide, size.height <= PixelSize.longestSide,
      x > 0 || y > 0 || right < Double(size.width) || bottom < Double(size.height)
    else { return nil }
    return PixelRect(x: Int32(x), y: Int32(y), width: Int32(right - x), height: Int32(bottom - y))
  }
}
