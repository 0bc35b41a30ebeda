/// How much memory libheif and libde265 take for an item of a HEIC, reckoned from its boxes before anything is decoded.
///
/// Reckoned from above, as measured: what is coded in one piece is held by libde265 and copied by libheif, and filtered in
/// a copy in between: three times its planes, and a byte and a half for each pixel of what libde265 notes of it. A grid
/// is held twice, and of its tiles one at a time.
struct HEICMemory {
  private let table: ItemTable
  private var known: [Int: Int] = [:]
  private var planes: [Int: Int] = [:]

  /// Bytes for a picture, at most, the file's own included: what a camera's 33 megapixels of 10 bits in one piece take, and
  /// below what confines the process.
  static let most = 512 << 20
  /// A grid of small tiles costs little, however far they jut out.
  private static let smallGrid = 1 << 22
  /// Past any memory, and a number that can be added up.
  private static let tooMany = 1 << 40

  init(_ table: ItemTable) {
    self.table = table
  }

  /// The bytes that decoding an item takes; more than there are where its boxes make no sense.
  ///
  /// References must be sound (``ItemReferences/areSound``).
  mutating func bytes(for id: Int) -> Int {
    if let bytes = known[id] { return bytes }
    let item = table[id]
    var bytes = own(id, item)
    for companion in item.companions where table[companion].isAlpha {
      // The picture's planes wait until its alpha is there, and get a copy of it.
      bytes = max(bytes, 2 * planeBytes(of: id) + self.bytes(for: companion))
    }
    bytes = min(bytes, HEICMemory.tooMany)
    known[id] = bytes
    return bytes
  }

  private mutating func own(_ id: Int, _ item: ItemTable.Item) -> Int {
    let tile = item.parts.map { bytes(for: $0) }.max() ?? 0
    switch item.kind {
    case "grid":
      let ofTiles = item.parts.reduce(0) { $0 + pixels(of: $1) }
      guard ofTiles <= HEICMemory.smallGrid || Double(ofTiles) <= coverable(item) else { return HEICMemory.tooMany }
      return 2 * planeBytes(of: id) + tile
    case "iovl":
      // Laid over each other in colours, and each becomes colours before.
      return 6 * pixels(of: id) + 2 * tile
    case "iden":
      return tile
    default:
      return 3 * planeBytes(of: id) + pixels(of: id) * 3 / 2
    }
  }

  /// The bytes of an item's planes.
  private mutating func planeBytes(of id: Int) -> Int {
    if let bytes = planes[id] { return bytes }
    let item = table[id]
    let pixels = pixels(of: id)
    var bytes = 3 * pixels
    switch item.kind {
    case "hvc1", "hev1":
      // What cannot be read has too many pixels.
      bytes = max(item.coded?.bytes ?? 0, pixels)
    case "grid", "iden":
      // Of as many samples a pixel as the tile that has most.
      let perPixel = item.parts.map { Double(planeBytes(of: $0)) / Double(max(1, self.pixels(of: $0))) }.max()
      if let perPixel { bytes = Int(min(Double(pixels) * perPixel, Double(HEICMemory.tooMany))) }
    default: break
    }
    bytes = min(bytes, HEICMemory.tooMany)
    planes[id] = bytes
    return bytes
  }

  /// How many pixels the tiles of a grid may have: they jut out at two edges, by less than a tile.
  private func coverable(_ item: ItemTable.Item) -> Double {
    let tiles = item.parts.compactMap { extent(of: $0) }
    let (width, height) = item.canvas ?? (0, 0)
    return Double(width + (tiles.map(\.width).max() ?? 0)) * Double(height + (tiles.map(\.height).max() ?? 0))
  }

  /// The pixels that are decoded.
  private func pixels(of id: Int) -> Int {
    guard let (width, height) = extent(of: id) else { return HEICMemory.tooMany }
    let (product, isTooLarge) = width.multipliedReportingOverflow(by: height)
    return isTooLarge ? HEICMemory.tooMany : min(product, HEICMemory.tooMany)
  }

  /// What an item is made as large as, by what its kind is decoded from; nothing where that cannot be read.
  private func extent(of id: Int) -> (width: Int, height: Int)? {
    let item = table[id]
    switch item.kind {
    case "grid", "iovl": return item.canvas
    case "iden": return item.parts.first.flatMap { extent(of: $0) }
    case "hvc1", "hev1": return item.hasUnknownStream ? nil : item.coded.map { ($0.width, $0.height) }
    // Not HEVC: there is nothing but what is said beside it.
    default: return item.size ?? (0, 0)
    }
  }
}
