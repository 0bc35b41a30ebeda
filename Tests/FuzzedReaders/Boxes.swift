import VitrineDataStructures
import VitrineGeometry
import VitrineImageMetadata

/// Makes boxes of the bytes, and reads them as the header of an HEIC or AVIF file.
///
/// Random bytes rarely have lengths that fit each other. Therefore the bytes select boxes and their contents, and the
/// lengths are computed.
func readBoxes(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  var plan = BoxPlan(UnsafeBufferPointer(start: start, count: count))
  let file = plan.file()
  guard let header = ImageHeader.read(file) else { return }
  if let range = header.embeddedThumbnail {
    checkPrecondition(range.lowerBound >= 0 && range.upperBound <= file.count, "a range must be within its file")
  }
  if let aperture = header.cleanAperture {
    checkPrecondition(
      aperture.x >= 0 && aperture.y >= 0 && header.storedSize.map { Int32($0.width) } == aperture.width,
      "a clean aperture must have the size of the image")
  }
}

/// Boxes of which the bytes of an input are the plan.
private struct BoxPlan {
  private var bytes: Slice<UnsafeBufferPointer<UInt8>>

  private static let names = [
    "meta", "iprp", "ipco", "moov", "trak", "iinf", "iref", "pitm", "iloc", "ipma", "ispe", "clap", "irot", "imir",
    "tkhd", "infe", "thmb", "mdat", "free", "hvcC",
  ]
  private static let maximumDepth = 5

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes[...] }

  mutating func file() -> [UInt8] {
    let brand = next() & 1 == 0 ? "heic" : "avif"
    var file: [UInt8] = [0, 0, 0, 16] + Array("ftyp\(brand)\0\0\0\0".utf8)
    while !bytes.isEmpty { file += box(depth: 0) }
    return file
  }

  /// Makes a box: a byte for its name and form, and one for the number of its boxes, or of its bytes.
  private mutating func box(depth: Int) -> [UInt8] {
    let form = next()
    let name = Array(BoxPlan.names[Int(form & 31) % BoxPlan.names.count].utf8)
    let count = Int(next())
    var content: [UInt8] = []
    let hasBoxes = ["meta", "iprp", "ipco", "moov", "trak", "iinf", "iref"].contains { name.elementsEqual($0.utf8) }
    if hasBoxes, depth < BoxPlan.maximumDepth {
      // The version, flags and count of entries.
      let hasVersion = ["meta", "iref"].contains { name.elementsEqual($0.utf8) }
      let fieldBytes = name.elementsEqual("iinf".utf8) ? 6 : hasVersion ? 4 : 0
      for _ in 0..<fieldBytes { content.append(next()) }
      for _ in 0..<count & 15 where !bytes.isEmpty { content += box(depth: depth + 1) }
    } else {
      content = Array(bytes.prefix(count))
      bytes = bytes.dropFirst(count)
    }
    // A length of 0 reaches to the end, and one of 1 is followed by one of eight bytes.
    switch form >> 5 {
    case 1: return [0, 0, 0, 0] + name + content
    case 2: return [0, 0, 0, 1] + name + BoxPlan.bigEndian(content.count + 16, bytes: 8) + content
    case 3: return BoxPlan.bigEndian(content.count + 8 + Int(next()), bytes: 4) + name + content
    default: return BoxPlan.bigEndian(content.count + 8, bytes: 4) + name + content
    }
  }

  private mutating func next() -> UInt8 { bytes.popFirst() ?? 0 }

  private static func bigEndian(_ number: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * (bytes - 1 - $0))) }
  }
}
