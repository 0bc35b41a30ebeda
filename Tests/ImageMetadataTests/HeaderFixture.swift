/// Makes the beginnings of image files, with valid headers.
enum HeaderFixture {
  static func jpeg(width: Int, height: Int, exif: ExifBlock? = nil, xmp: String? = nil, padding: Int = 0) -> [UInt8] {
    var out: [UInt8] = [0xFF, 0xD8]
    if let exif { out += segment(0xE1, Array("Exif".utf8) + [0, 0] + exif.bytes) }
    if let xmp { out += segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8)) }
    var rest = padding
    while rest > 0 {
      let count = min(rest, 65_533)
      out += segment(0xE2, [UInt8](repeating: 0xFF, count: count))
      rest -= count
    }
    out += segment(0xC0, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
    return out + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x2A, 0xFF, 0xD9]
  }

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(content.count + 2, 2) + content
  }

  static func png(width: Int, height: Int, exif: ExifBlock? = nil, chunks: [[UInt8]] = []) -> [UInt8] {
    var out: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    out += chunk("IHDR", big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0])
    for chunk in chunks { out += chunk }
    if let exif { out += chunk("eXIf", exif.bytes) }
    return out + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
  }

  /// Returns a PNG's chunk of text with XMP data.
  static func xmpChunk(_ xmp: String) -> [UInt8] { chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0\(xmp)".utf8)) }

  /// Returns XMP data with properties as attributes, and as elements.
  static func xmp(attributes: String = "", elements: String = "") -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" MicrosoftPhoto:Rating="99" xmp:RatingPercent="80" \(attributes)>
    <dc:title>xmp:Rating=5</dc:title>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
    """
  }

  /// Returns a chunk with a checksum of 0, because it is not verified before decoding.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count, 4) + Array(name.utf8) + content + [0, 0, 0, 0]
  }

  static func webP(_ chunks: [UInt8]...) -> [UInt8] {
    let body = Array("WEBP".utf8) + chunks.flatMap { $0 }
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }

  static func riffChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  static func lossyWebP(width: Int, height: Int) -> [UInt8] {
    riffChunk(
      "VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(width | 0x4000, 2) + little(height | 0x8000, 2) + [1, 2])
  }

  static func losslessWebP(width: Int, height: Int) -> [UInt8] {
    riffChunk("VP8L", [0x2F] + little(width - 1 | (height - 1) << 14 | 1 << 28, 4) + [7, 7])
  }

  static func extendedWebP(
    width: Int, height: Int, exif: [UInt8]? = nil, xmp: String? = nil, pixels: Int = 10
  ) -> [UInt8] {
    let flags: UInt8 = (exif == nil ? 0 : 8) | (xmp == nil ? 0 : 4)
    return webP(
      riffChunk("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)),
      riffChunk("VP8 ", [UInt8](repeating: 3, count: pixels)), exif.map { riffChunk("EXIF", $0) } ?? [],
      xmp.map { riffChunk("XMP ", Array($0.utf8)) } ?? [])
  }

  static func gif(width: Int, height: Int) -> [UInt8] {
    Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0x80, 0, 0, 0, 0, 0]
  }

  /// Returns a canvas with a comment and a frame.
  static func gif(width: Int, height: Int, frame: (left: Int, top: Int, width: Int, height: Int)) -> [UInt8] {
    let palette = [UInt8](repeating: 7, count: 6)
    let position = [frame.left, frame.top, frame.width, frame.height].flatMap { little($0, 2) }
    return Array(gif(width: width, height: height)[0..<13]) + palette + [0x21, 0xFE, 3, 1, 2, 3, 2, 1, 2, 0] + [0x2C]
      + position + [0]
  }

  /// Returns a directory of two entries, with offsets of four or eight bytes.
  static func tiff(width: Int, height: Int, isLong: Bool) -> [UInt8] {
    let valueBytes = isLong ? 8 : 4
    func entry(_ tag: Int, _ value: Int) -> [UInt8] {
      little(tag, 2) + little(isLong ? 16 : 4, 2) + little(1, valueBytes) + little(value, valueBytes)
    }
    let start = Array("II".utf8) + (isLong ? little(43, 2) + little(8, 2) + little(0, 2) : little(42, 2))
    return start + little(start.count + valueBytes, valueBytes) + little(2, isLong ? 8 : 2) + entry(256, width)
      + entry(257, height)
      + little(0, valueBytes)
  }

  static func qoi(width: Int, height: Int) -> [UInt8] {
    Array("qoif".utf8) + big(width, 4) + big(height, 4) + [4, 0]
  }

  static func bmp(width: Int, height: Int) -> [UInt8] {
    Array("BM".utf8) + little(70, 4) + little(0, 4) + little(54, 4) + little(40, 4) + little(width, 4)
      + little(height, 4) + little(1, 2) + little(24, 2)
  }

  static func oldBMP(width: Int, height: Int) -> [UInt8] {
    Array("BM".utf8) + little(70, 4) + little(0, 4) + little(26, 4) + little(12, 4) + little(width, 2)
      + little(height, 2)
  }

  static func isoBaseMedia(_ brands: String...) -> [UInt8] { isoBaseMedia(brands) }

  static func isoBaseMedia(_ brands: [String]) -> [UInt8] {
    let major = Array((brands.first ?? "    ").utf8)
    let content = Array("ftyp".utf8) + major + [0, 0, 0, 0] + brands.dropFirst().flatMap { Array($0.utf8) }
    return big(content.count + 4, 4) + content + big(8, 4) + Array("meta".utf8)
  }

  static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

// MARK: - EXIF data

/// Writes EXIF data: a main directory, a directory of details, one of the location, and one for the preview.
struct ExifBlock {
  /// A coordinate: a letter, and degrees, minutes and seconds as fractions.
  struct Coordinate {
    var reference: String
    var parts: [(Int, Int)]
  }

  var isBigEndian = false
  var maker: String?
  var model: String?
  var orientation: Int?
  var rating: Int?
  var dateTime: String?
  var dateTimeOriginal: String?
  var dateTimeDigitized: String?
  var exposureTime: (Int, Int)?
  var aperture: (Int, Int)?
  var focalLength: (Int, Int)?
  var sensitivity: Int?
  var focalLengthIn35mmFilm: Int?
  var lens: String?
  var location: (latitude: Coordinate, longitude: Coordinate)?
  var preview: [UInt8]?
  /// The number of bytes between the main directory and the rest, as in files with maker notes.
  var gap = 0

  private enum Value {
    case short(Int)
    case long(Int)
    case text(String)
    case fractions([(Int, Int)])
  }

  /// The TIFF structure, which starts with the byte order.
  var bytes: [UInt8] {
    var main: [(Int, Value)] = []
    if let maker { main.append((0x010F, .text(maker))) }
    if let model { main.append((0x0110, .text(model))) }
    if let orientation { main.append((0x0112, .short(orientation))) }
    if let dateTime { main.append((0x0132, .text(dateTime))) }
    if let rating { main.append((0x4746, .short(rating))) }
    var details: [(Int, Value)] = []
    if let dateTimeOriginal { details.append((0x9003, .text(dateTimeOriginal))) }
    if let dateTimeDigitized { details.append((0x9004, .text(dateTimeDigitized))) }
    if let exposureTime { details.append((0x829A, .fractions([exposureTime]))) }
    if let aperture { details.append((0x829D, .fractions([aperture]))) }
    if let sensitivity { details.append((0x8827, .short(sensitivity))) }
    if let focalLength { details.append((0x920A, .fractions([focalLength]))) }
    if let focalLengthIn35mmFilm { details.append((0xA405, .short(focalLengthIn35mmFilm))) }
    if let lens { details.append((0xA434, .text(lens))) }
    var place: [(Int, Value)] = []
    if let location {
      place = [
        (1, .text(location.latitude.reference)), (2, .fractions(location.latitude.parts)),
        (3, .text(location.longitude.reference)), (4, .fractions(location.longitude.parts)),
      ]
    }
    let hasDetails = !details.isEmpty
    let mainLength = directoryLength(main) + (hasDetails ? 12 : 0) + (location == nil ? 0 : 12)
    let detailsOffset = 8 + mainLength + gap
    let placeOffset = detailsOffset + (hasDetails ? directoryLength(details) : 0)
    let previewOffset = placeOffset + (location == nil ? 0 : directoryLength(place))
    if hasDetails { main.append((0x8769, .long(detailsOffset))) }
    if location != nil { main.append((0x8825, .long(placeOffset))) }

    var out: [UInt8] = isBigEndian ? Array("MM".utf8) : Array("II".utf8)
    out += number(42, 2) + number(8, 4)
    out += directory(main, at: 8, next: preview == nil ? 0 : previewOffset)
    out += [UInt8](repeating: 0xAA, count: gap)
    if hasDetails { out += directory(details, at: detailsOffset, next: 0) }
    if location != nil { out += directory(place, at: placeOffset, next: 0) }
    if let preview {
      let entries: [(Int, Value)] = [
        (0x0103, .short(6)), (0x0201, .long(previewOffset + 2 + 3 * 12 + 4)), (0x0202, .long(preview.count)),
      ]
      out += directory(entries, at: previewOffset, next: 0) + preview
    }
    return out
  }

  private func directoryLength(_ entries: [(Int, Value)]) -> Int {
    let texts = entries.reduce(0) { sum, entry in
      switch entry.1 {
      case .text(let text) where text.utf8.count > 3: sum + text.utf8.count + 1
      case .fractions(let fractions): sum + fractions.count * 8
      default: sum
      }
    }
    return 2 + entries.count * 12 + 4 + texts
  }

  private func directory(_ entries: [(Int, Value)], at offset: Int, next: Int) -> [UInt8] {
    var out = number(entries.count, 2)
    var texts: [UInt8] = []
    let textsOffset = offset + 2 + entries.count * 12 + 4
    for (tag, value) in entries {
      out += number(tag, 2)
      switch value {
      case .short(let short): out += number(3, 2) + number(1, 4) + number(short, 2) + [0, 0]
      case .long(let long): out += number(4, 2) + number(1, 4) + number(long, 4)
      case .text(let text) where text.utf8.count <= 3:
        // Up to four bytes stand in the entry itself.
        out += number(2, 2) + number(text.utf8.count + 1, 4) + Array(text.utf8)
        out += [UInt8](repeating: 0, count: 4 - text.utf8.count)
      case .text(let text):
        out += number(2, 2) + number(text.utf8.count + 1, 4) + number(textsOffset + texts.count, 4)
        texts += Array(text.utf8) + [0]
      case .fractions(let fractions):
        out += number(5, 2) + number(fractions.count, 4) + number(textsOffset + texts.count, 4)
        texts += fractions.flatMap { number($0.0, 4) + number($0.1, 4) }
      }
    }
    return out + number(next, 4) + texts
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? little.reversed() : little
  }
}

// MARK: - HEIC and AVIF boxes

/// Writes the boxes of a HEIC or AVIF file: a primary item, its properties, its preview, and its EXIF and XMP data.
struct BoxFile {
  /// A property of the primary item.
  enum Property {
    case size(Int, Int)
    case turn(Int)
    case mirror(Int)
    case aperture([Int])
    case other(String)
  }

  var brand = "heic"
  var properties: [Property] = []
  var exif: [UInt8]?
  var xmp: String?
  var preview: [UInt8]?
  /// Whether item IDs have four bytes and property indices two.
  var isLarge = false
  /// The number of bytes between the boxes and the data to which they refer.
  var gap = 0
  /// Boxes before the `meta` box.
  var leading: [UInt8] = []
  /// The construction method of the item locations: 0 for offsets from the start of the file.
  var method = 0

  private static let primary = 7
  private static let thumbnail = 8
  private static let metadata = 9
  private static let packet = 10

  /// The bytes of the file.
  var bytes: [UInt8] {
    let start = BoxFile.box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array("mif1".utf8)) + leading
    // The offsets are known once the length of the boxes is.
    let length = meta(at: 0).count
    let data = start.count + length + gap
    return start + meta(at: data) + [UInt8](repeating: 0x55, count: gap) + (preview ?? []) + (exifItem ?? [])
      + Array((xmp ?? "").utf8)
  }

  private var exifItem: [UInt8]? { exif.map { [0, 0, 0, 6] + Array("Exif\0\0".utf8) + $0 } }

  private func meta(at data: Int) -> [UInt8] {
    var content: [UInt8] = [0, 0, 0, 0]
    content += BoxFile.box(
      "hdlr", [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
    content += full("pitm", id(BoxFile.primary))
    content += full(
      "iinf",
      number(4, isLarge ? 4 : 2) + entry(BoxFile.primary, "hvc1") + entry(BoxFile.thumbnail, "hvc1")
        + entry(BoxFile.metadata, "Exif") + entry(BoxFile.packet, "mime", ["", "application/rdf+xml"]))
    var references = BoxFile.box("cdsc", id(BoxFile.metadata) + number(1, 2) + id(BoxFile.primary))
    if preview != nil { references += BoxFile.box("thmb", id(BoxFile.thumbnail) + number(1, 2) + id(BoxFile.primary)) }
    content += full("iref", references)
    content += BoxFile.box("iprp", BoxFile.box("ipco", properties.flatMap(property)) + associations)
    content += locations(at: data)
    return BoxFile.box("meta", content)
  }

  private var associations: [UInt8] {
    let indexes = properties.indices.flatMap { isLarge ? number($0 + 1 | 0x8000, 2) : [UInt8($0 + 1 | 0x80)] }
    let other = id(BoxFile.thumbnail) + [0]
    return BoxFile.box(
      "ipma",
      [isLarge ? 1 : 0, 0, 0, isLarge ? 1 : 0] + number(2, 4) + other + id(BoxFile.primary) + [UInt8(properties.count)]
        + indexes)
  }

  private func locations(at data: Int) -> [UInt8] {
    let items = [
      (BoxFile.thumbnail, data, preview?.count ?? 0),
      (BoxFile.metadata, data + (preview?.count ?? 0), exifItem?.count ?? 0),
      (BoxFile.packet, data + (preview?.count ?? 0) + (exifItem?.count ?? 0), xmp?.utf8.count ?? 0),
    ]
    let version: UInt8 = isLarge ? 2 : 1
    var content: [UInt8] = [version, 0, 0, 0, 0x44, 0x40] + number(items.count, isLarge ? 4 : 2)
    for (item, offset, count) in items {
      content +=
        id(item) + number(method, 2) + [0, 0] + number(0, 4) + number(1, 2) + number(offset, 4) + number(count, 4)
    }
    return BoxFile.box("iloc", content)
  }

  private func property(_ property: Property) -> [UInt8] {
    switch property {
    case .size(let width, let height): BoxFile.box("ispe", [0, 0, 0, 0] + number(width, 4) + number(height, 4))
    case .turn(let quarters): BoxFile.box("irot", [UInt8(quarters)])
    case .mirror(let mode): BoxFile.box("imir", [UInt8(mode)])
    case .aperture(let numbers): BoxFile.box("clap", numbers.flatMap { number($0, 4) })
    case .other(let name): BoxFile.box(name, [1, 2, 3])
    }
  }

  private func entry(_ item: Int, _ type: String, _ texts: [String] = [""]) -> [UInt8] {
    var content: [UInt8] = [isLarge ? 3 : 2, 0, 0, 0]
    content += id(item) + [0, 0] + Array(type.utf8)
    for text in texts { content += Array(text.utf8) + [0] }
    return BoxFile.box("infe", content)
  }

  private func full(_ name: String, _ content: [UInt8]) -> [UInt8] {
    BoxFile.box(name, [isLarge ? 1 : 0, 0, 0, 0] + content)
  }

  private func id(_ item: Int) -> [UInt8] { number(item, isLarge ? 4 : 2) }

  private func number(_ value: Int, _ count: Int) -> [UInt8] { HeaderFixture.big(value, count) }

  /// Returns a box.
  static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    HeaderFixture.big(content.count + 8, 4) + Array(name.utf8) + content
  }
}
