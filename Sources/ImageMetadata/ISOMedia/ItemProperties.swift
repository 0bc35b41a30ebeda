import Geometry

/// What the properties of an item say of how it looks: its extent, which part of it counts, and how it is turned.
struct HEIFItemProperties {
  /// The coded extent.
  private(set) var codedSize: (width: Int, height: Int)?
  private var cleanApertureFields: [Int]?
  private var isMirrored = false
  private var quarterTurns = 0

  /// Notes a property; they count in the order in which they are applied.
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
      // Quarters anticlockwise.
      quarterTurns -= Int(try file.byte(at: content.lowerBound) & 3)
    case ISOMediaBox.fourCC("imir") where !content.isEmpty:
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
  var cleanAperture: PixelRect? {
    guard let codedSize, let cleanApertureFields, cleanApertureFields[1] > 0, cleanApertureFields[3] > 0,
      cleanApertureFields[5] > 0, cleanApertureFields[7] > 0
    else { return nil }
    let width = Double(cleanApertureFields[0]) / Double(cleanApertureFields[1])
    let height = Double(cleanApertureFields[2]) / Double(cleanApertureFields[3])
    // Offsets lead from the middle of all to the middle of the part.
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
