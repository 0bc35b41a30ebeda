/// How much memory libheif and libde265 take for an item of a HEIC, reckoned from its boxes before anything is decoded.
///
/// Reckoned from above, as measured: what is coded in one piece is held by libde265 and copied by libheif, and filtered in
/// a copy in between: three times its planes, and a byte and a half for each pixel of what libde265 notes of it. A grid
/// is held twice, and of its tiles one at a time.
struct HEICMemory {
  private let table: ItemTable
  private var known: [Int: Int] = [:]
  private var planes: [Int: Int] = [:]

  /// Bytes for a picture, at most, the file's own included: a process has some thirty megabytes besides, and is to stay
  /// below 256.
  static let most = 224 << 20
  /// Tiles may have so many times the pixels of the grid that they are put together to: those at its edges jut out.
  private static let mostOfTiles = 1.5
  /// A grid of few tiles juts out further, and costs little.
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
    for companion in item.companions {
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
      let most = HEICMemory.mostOfTiles * Double(pixels(of: id))
      guard ofTiles <= HEICMemory.smallGrid || Double(ofTiles) <= most else { return HEICMemory.tooMany }
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
    var bytes = item.coded?.bytes ?? 3 * pixels(of: id)
    if let part = item.parts.first {
      // Of as many samples a pixel as the first tile.
      let perPixel = Double(planeBytes(of: part)) / Double(max(1, pixels(of: part)))
      bytes = Int(Double(pixels(of: id)) * perPixel)
    }
    planes[id] = min(bytes, HEICMemory.tooMany)
    return bytes
  }

  /// The pixels that are decoded: those that its stream or its grid says, and not those of its properties, where both do.
  private func pixels(of id: Int) -> Int {
    let item = table[id]
    let size = item.coded.map { ($0.width, $0.height) } ?? item.gridSize ?? item.size ?? (0, 0)
    // Numbers of 32 bits, which have a product.
    return min(size.0 * size.1, HEICMemory.tooMany)
  }
}
