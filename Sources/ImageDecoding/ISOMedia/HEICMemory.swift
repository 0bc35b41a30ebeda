/// An upper bound of the memory that libheif and libde265 need for an item of a HEIC, computed from its boxes before
/// decoding.
///
/// The bounds are measured. An item coded in one piece is held by libde265, copied by libheif, and filtered through a
/// copy: three times its planes, plus one and a half bytes per pixel for libde265's metadata. A grid is held twice, and
/// its tiles one at a time.
struct HEICMemory {
  private let table: ItemTable
  private var knownBytes: [Int: Int] = [:]
  private var knownPlaneBytes: [Int: Int] = [:]

  /// The maximum number of bytes for an image, including the file.
  ///
  /// Enough for a camera's 33 megapixels of 10 bits in one piece, and less than the limit of the sandboxed process.
  static let maximumBytes = 512 << 20
  /// The number of pixels below which a grid of tiles is cheap, even if the tiles exceed the canvas.
  private static let smallGridPixels = 1 << 22
  /// A number of bytes that exceeds any memory and can still be added without overflow.
  private static let excessive = 1 << 40

  init(_ table: ItemTable) {
    self.table = table
  }

  /// Returns the bytes needed to decode an item.
  ///
  /// The number exceeds any memory if the item's boxes are malformed. References must be valid: see
  /// ``ItemReferences/areValid``.
  mutating func bytes(for id: Int) -> Int {
    if let bytes = knownBytes[id] { return bytes }
    let item = table[id]
    var bytes = bytesWithoutAlpha(id, item)
    for companion in item.auxiliaryItems where table[companion].isAlpha {
      // The image's planes are held and copied while its alpha is decoded.
      bytes = max(bytes, 2 * planeBytes(of: id) + self.bytes(for: companion))
    }
    bytes = min(bytes, HEICMemory.excessive)
    knownBytes[id] = bytes
    return bytes
  }

  private mutating func bytesWithoutAlpha(_ id: Int, _ item: ItemTable.Item) -> Int {
    let tile = item.parts.map { bytes(for: $0) }.max() ?? 0
    switch item.kind {
    case "grid":
      let ofTiles = item.parts.reduce(0) { $0 + pixels(of: $1) }
      guard ofTiles <= HEICMemory.smallGridPixels || Double(ofTiles) <= maximumTilePixels(item) else {
        return HEICMemory.excessive
      }
      return 2 * planeBytes(of: id) + tile
    case "iovl":
      // Overlays are composed in RGB, and each part is converted to RGB first.
      return 6 * pixels(of: id) + 2 * tile
    case "iden":
      return tile
    default:
      return 3 * planeBytes(of: id) + pixels(of: id) * 3 / 2
    }
  }

  /// Returns the bytes of an item's planes.
  private mutating func planeBytes(of id: Int) -> Int {
    if let bytes = knownPlaneBytes[id] { return bytes }
    let item = table[id]
    let pixels = pixels(of: id)
    var bytes = 3 * pixels
    switch item.kind {
    case "hvc1", "hev1":
      // A stream that cannot be parsed counts as too many pixels.
      bytes = max(item.coded?.bytes ?? 0, pixels)
    case "grid", "iden":
      // The samples per pixel are those of the tile with the most.
      let perPixel = item.parts.map { Double(planeBytes(of: $0)) / Double(max(1, self.pixels(of: $0))) }.max()
      if let perPixel { bytes = Int(min(Double(pixels) * perPixel, Double(HEICMemory.excessive))) }
    default: break
    }
    bytes = min(bytes, HEICMemory.excessive)
    knownPlaneBytes[id] = bytes
    return bytes
  }

  /// Returns the maximum number of pixels in the tiles of a grid: they exceed the canvas at two edges by less than a
  /// tile.
  private func maximumTilePixels(_ item: ItemTable.Item) -> Double {
    let tiles = item.parts.compactMap { extent(of: $0) }
    let (width, height) = item.canvas ?? (0, 0)
    return Double(width + (tiles.map(\.width).max() ?? 0)) * Double(height + (tiles.map(\.height).max() ?? 0))
  }

  /// Returns the number of decoded pixels of an item.
  private func pixels(of id: Int) -> Int {
    guard let (width, height) = extent(of: id) else { return HEICMemory.excessive }
    let (product, isTooLarge) = width.multipliedReportingOverflow(by: height)
    return isTooLarge ? HEICMemory.excessive : min(product, HEICMemory.excessive)
  }

  /// Returns the decoded size of an item according to its kind, or nil if it cannot be parsed.
  private func extent(of id: Int) -> (width: Int, height: Int)? {
    let item = table[id]
    switch item.kind {
    case "grid", "iovl": return item.canvas
    case "iden": return item.parts.first.flatMap { extent(of: $0) }
    case "hvc1", "hev1": return item.hasUnknownStream ? nil : item.coded.map { ($0.width, $0.height) }
    // Not HEVC: only the declared size is known.
    default: return item.size ?? (0, 0)
    }
  }
}

// MARK: - HEVC

/// The size and format of a HEVC stream, as declared by its sequence parameter set (ITU-T H.265, section 7.3.2.2).
struct HEVCExtent: Hashable {
  let width: Int
  let height: Int
  /// The chroma format: 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  let chroma: Int
  /// The number of bits per sample of the deepest plane.
  let bits: Int

  private static let sequenceParameters = 33
  /// The maximum side in pixels, far above the standard's levels.
  private static let longestSide = 1 << 20
  /// A parameter set is some dozens of bytes long.
  private static let maximumBytes = 1024
  /// Encoders write three or four.
  private static let maximumUnits = 64

  /// Finds the largest parameter set in a decoder configuration.
  ///
  /// Returns nil if there is none, if one cannot be parsed, or if there are more units than encoders write. The type of
  /// a unit is read from the unit's own header, as the decoder does; the type declared by its array is ignored.
  ///
  /// - Parameter configuration: The content of a `hvcC` box (ISO/IEC 14496-15, section 8.3.3.1).
  init?(configuration: UnsafeRawBufferPointer) {
    let file = FileReader(configuration)
    var largest: HEVCExtent?
    var place = 23
    var units = 0
    for _ in 0..<Int(file.byte(22) ?? 0) {
      guard let count = file.bigEndian(place + 1, bytes: 2) else { break }
      place += 3
      for _ in 0..<count {
        guard let length = file.bigEndian(place, bytes: 2), let unit = file.slice(place + 2, length) else { break }
        place += 2 + length
        units += 1
        guard units <= HEVCExtent.maximumUnits else { return nil }
        guard let head = unit.first, Int(head >> 1 & 63) == HEVCExtent.sequenceParameters else { continue }
        guard let extent = HEVCExtent(unit: unit) else { return nil }
        if extent.bytes > largest?.bytes ?? 0 { largest = extent }
      }
    }
    guard let largest else { return nil }
    self = largest
  }

  /// Parses a parameter set, or returns nil if it is truncated.
  private init?(unit: UnsafeRawBufferPointer) {
    var bits = HEVCBits(unit.prefix(HEVCExtent.maximumBytes))
    // The unit's header and the identifier of the video parameter set.
    bits.skip(16 + 4)
    let layers = bits.readBits(3)
    bits.skip(1)
    // The profile and the level, and those of each sublayer.
    bits.skip(88 + 8)
    let flags = (0..<layers).map { _ in (bits.readBits(1), bits.readBits(1)) }
    if layers > 0 { bits.skip(2 * (8 - layers)) }
    for flag in flags { bits.skip(88 * flag.0 + 8 * flag.1) }
    _ = bits.readExpGolomb()
    chroma = bits.readExpGolomb()
    if chroma == 3 { bits.skip(1) }
    width = bits.readExpGolomb()
    height = bits.readExpGolomb()
    if bits.readBits(1) == 1 { for _ in 0..<4 { _ = bits.readExpGolomb() } }
    self.bits = 8 + max(bits.readExpGolomb(), bits.readExpGolomb())
    let isSmall = width <= HEVCExtent.longestSide && height <= HEVCExtent.longestSide && self.bits <= 16
    guard !bits.isAtEnd, width > 0, height > 0, chroma <= 3, isSmall else { return nil }
  }

  /// The bytes of all planes.
  var bytes: Int { width * height * [2, 3, 4, 6][chroma] * (bits > 8 ? 2 : 1) / 2 }
}

/// A bit reader of a HEVC unit, from the highest bit.
///
/// Bits past its end are zero.
private struct HEVCBits {
  private let bytes: [UInt8]
  private var place = 0

  /// Creates a reader.
  ///
  /// - Parameter unit: The bytes of the unit. Emulation prevention bytes, a 3 after two zeros, are removed.
  init(_ unit: Slice<UnsafeRawBufferPointer>) {
    var bytes: [UInt8] = []
    var zeros = 0
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      bytes.append(byte)
    }
    self.bytes = bytes
  }

  /// Whether more bits were read than exist.
  var isAtEnd: Bool { place > bytes.count * 8 }

  /// Skips bits.
  mutating func skip(_ count: Int) { place += count }

  /// Reads an unsigned integer with the given number of bits.
  mutating func readBits(_ count: Int) -> Int {
    var number = 0
    for _ in 0..<count {
      let byte = place / 8 < bytes.count ? bytes[place / 8] : 0
      number = number << 1 | Int(byte >> (7 - place % 8) & 1)
      place += 1
    }
    return number
  }

  /// Reads an Exp-Golomb code (section 9.2).
  ///
  /// More than 31 leading zeros move the reader past the end.
  mutating func readExpGolomb() -> Int {
    var zeros = 0
    while readBits(1) == 0 {
      zeros += 1
      if zeros > 31 || isAtEnd {
        place = bytes.count * 8 + 1
        return 0
      }
    }
    return (1 << zeros) - 1 + readBits(zeros)
  }
}
