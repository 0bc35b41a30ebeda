import Testing
import VitrineGeometry

@testable import VitrineImageMetadata

@Suite("Boxes of HEIC and AVIF files in any form")
struct OddBoxesTests {
  private static let start = BoxFile.box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1".utf8))

  private func big(_ value: Int, _ count: Int) -> [UInt8] { HeaderFixture.big(value, count) }

  /// Returns the header of a file with boxes inside its `meta` box, and bytes behind it.
  private func header(_ boxes: [UInt8]..., data: [UInt8] = []) -> ImageHeader? {
    ImageHeader.read(Self.start + BoxFile.box("meta", [0, 0, 0, 0] + boxes.flatMap { $0 }) + data)
  }

  private var size: [UInt8] { BoxFile.box("ispe", [0, 0, 0, 0] + big(30, 4) + big(20, 4)) }

  private func primary(_ item: Int) -> [UInt8] { BoxFile.box("pitm", [0, 0, 0, 0] + big(item, 2)) }

  private func properties(_ parts: [UInt8]...) -> [UInt8] { BoxFile.box("iprp", parts.flatMap { $0 }) }

  /// Returns associations of one-byte indices.
  private func associations(_ item: Int, _ indexes: [UInt8], count: Int = 1) -> [UInt8] {
    BoxFile.box("ipma", [0, 0, 0, 0] + big(count, 4) + big(item, 2) + [UInt8(indexes.count)] + indexes)
  }

  @Test("Boxes that are too short for their fields are ignored")
  func shortBoxes() {
    let all = ["pitm", "iinf", "iref", "iloc", "iprp"].map { BoxFile.box($0, []) }
    #expect(ImageHeader.read(Self.start + BoxFile.box("meta", [0, 0, 0, 0] + all.flatMap { $0 }))?.storedSize == nil)
    for count in 0..<4 {
      #expect(ImageHeader.read(Self.start + BoxFile.box("meta", [UInt8](repeating: 0, count: count)))?.format == .heic)
    }
    for count in 0..<9 {
      let short = BoxFile.box("ipma", [UInt8](repeating: 0, count: count))
      let parts = properties(BoxFile.box("ipco", size), short, associations(1, [1]))
      #expect(header(primary(1), parts)?.storedSize == PixelSize(width: 30, height: 20), "\(count)")
    }
    for (name, count) in [("ispe", 11), ("clap", 31), ("irot", 0), ("imir", 0)] {
      let short = BoxFile.box(name, [UInt8](repeating: 1, count: count))
      let read = header(primary(1), properties(BoxFile.box("ipco", size + short), associations(1, [1, 2])))
      #expect(read?.size == PixelSize(width: 30, height: 20), "\(name)")
    }
    for version in [UInt8(0), 1] {
      let short = BoxFile.box("pitm", [version, 0, 0, 0, 0])
      #expect(header(short, properties(BoxFile.box("ipco", size), associations(1, [1])))?.storedSize == nil)
    }
    let long = BoxFile.box("pitm", [1, 0, 0, 0] + big(1, 4))
    #expect(header(long, properties(BoxFile.box("ipco", size), associations(1, [1])))?.storedSize != nil)
  }

  @Test("Associations that end early, and indices without a property, are ignored")
  func associationsOfProperties() {
    let container = BoxFile.box("ipco", size)
    func read(_ associations: [UInt8], container: [UInt8]? = nil) -> PixelSize? {
      header(primary(1), properties(container ?? BoxFile.box("ipco", size), associations))?.storedSize
    }
    #expect(read(associations(1, [1])) != nil && read(associations(2, [1])) == nil)
    #expect(read(associations(1, [0, 2, 1])) != nil && read(associations(1, [0, 2])) == nil)
    #expect(read(associations(2, [1], count: 5)) == nil)
    // The count of indices exceeds the box.
    #expect(read(BoxFile.box("ipma", [0, 0, 0, 0] + big(1, 4) + big(1, 2) + [9, 1])) != nil)
    #expect(read(BoxFile.box("ipma", [0, 0, 0, 1] + big(1, 4) + big(1, 2) + [9, 0x80, 1, 0])) != nil)
    #expect(read(associations(1, [1]), container: []) == nil)
    _ = container
  }

  @Test("Boxes of eight-byte lengths, and to the end of the file, are read")
  func lengths() {
    let inside = [0, 0, 0, 0] + primary(1) + properties(BoxFile.box("ipco", size), associations(1, [1]))
    let long = big(1, 4) + Array("meta".utf8) + big(inside.count + 16, 8) + inside
    #expect(ImageHeader.read(Self.start + long)?.storedSize != nil)
    let toEnd = big(0, 4) + Array("meta".utf8) + inside
    #expect(ImageHeader.read(Self.start + toEnd)?.storedSize != nil)
    for wrong in [15, inside.count + 17, 1 << 62] {
      let box = big(1, 4) + Array("meta".utf8) + big(wrong, 8) + inside
      #expect(ImageHeader.read(Self.start + box)?.storedSize == nil, "\(wrong)")
    }
    // Too short for a length of eight bytes.
    #expect(ImageHeader.read(Self.start + big(1, 4) + Array("meta".utf8) + [0, 0, 0])?.storedSize == nil)
    #expect(ImageHeader.read(Self.start + big(7, 4) + Array("meta".utf8) + inside)?.storedSize == nil)
  }

  @Test("All turns and mirrors have the orientation of EXIF")
  func orientations() {
    for turn in 0..<4 {
      for mirror in [nil, UInt8(0), 1] {
        var boxes = size + BoxFile.box("irot", [UInt8(turn) | 0xF0])
        if let mirror { boxes += BoxFile.box("imir", [mirror | 0xF0]) }
        let read = header(primary(1), properties(BoxFile.box("ipco", boxes), associations(1, [1, 2, 3])))
        let turned = read?.orientation.isTransposed == true
        #expect(turned == (turn % 2 == 1), "\(turn) \(String(describing: mirror))")
      }
    }
  }

  @Test("A clean aperture that is not inside the image is ignored, whichever side it crosses")
  func apertures() {
    func read(_ width: (Int, Int), _ height: (Int, Int), _ x: (Int, Int), _ y: (Int, Int), ispe: Bool = true)
      -> PixelRect?
    {
      let numbers = [width, height, x, y].flatMap { big($0.0, 4) + big($0.1, 4) }
      let boxes = (ispe ? size : BoxFile.box("free", [])) + BoxFile.box("clap", numbers)
      return header(primary(1), properties(BoxFile.box("ipco", boxes), associations(1, [1, 2])))?.cleanAperture
    }
    #expect(read((10, 1), (10, 1), (0, 1), (0, 1)) == PixelRect(x: 10, y: 5, width: 10, height: 10))
    #expect(read((10, 1), (20, 1), (0, 1), (0, 1)) == PixelRect(x: 10, y: 0, width: 10, height: 20))
    #expect(read((30, 1), (10, 1), (0, 1), (0, 1)) == PixelRect(x: 0, y: 5, width: 30, height: 10))
    #expect(read((30, 1), (10, 1), (0, 1), (-5, 1)) == PixelRect(x: 0, y: 0, width: 30, height: 10))
    #expect(read((20, 1), (20, 1), (-5, 1), (0, 1)) == PixelRect(x: 0, y: 0, width: 20, height: 20))
    for (index, divisor) in [0, 0, 0, 0].enumerated() {
      let parts = (0..<4).map { $0 == index ? divisor : 1 }
      #expect(read((10, parts[0]), (10, parts[1]), (0, parts[2]), (0, parts[3])) == nil)
    }
    for (x, y) in [(11, 0), (-11, 0), (0, 6), (0, -6)] {
      #expect(read((10, 1), (10, 1), (x, 1), (y, 1)) == nil, "\(x) \(y)")
    }
    #expect(read((-10, 1), (10, 1), (0, 1), (0, 1)) == nil && read((10, 1), (-10, 1), (0, 1), (0, 1)) == nil)
    #expect(read((30, 1), (20, 1), (0, 1), (0, 1)) == nil)
    #expect(read((10, 1), (10, 1), (0, 1), (0, 1), ispe: false) == nil)
    let large = BoxFile.box("ispe", [0, 0, 0, 0] + big(70_000, 4) + big(20, 4))
    let numbers = [10, 1, 10, 1, 0, 1, 0, 1].flatMap { big($0, 4) }
    let oversized = header(
      primary(1), properties(BoxFile.box("ipco", large + BoxFile.box("clap", numbers)), associations(1, [1, 2])))
    #expect(oversized?.cleanAperture == nil && oversized?.isOversized == true)
    let tall = BoxFile.box("ispe", [0, 0, 0, 0] + big(20, 4) + big(70_000, 4))
    let other = header(
      primary(1), properties(BoxFile.box("ipco", tall + BoxFile.box("clap", numbers)), associations(1, [1, 2])))
    #expect(other?.cleanAperture == nil && other?.isOversized == true)
  }

  // MARK: - Places of items

  private struct Location {
    var version = 1
    var sizes = 0x4400
    var count = 1
    var item = 2
    var method = 0
    var base = 0
    var extents = 1
    var offset = 0
    var length = 4
  }

  private func locations(_ place: Location, dropping last: Int = 0) -> [UInt8] {
    let idBytes = place.version < 2 ? 2 : 4
    var content: [UInt8] = [UInt8(place.version), 0, 0, 0] + big(place.sizes, 2) + big(place.count, idBytes)
    content += big(place.item, idBytes)
    if place.version > 0 { content += big(place.method, 2) }
    content += big(0, 2) + big(place.base, place.sizes >> 4 & 15) + big(place.extents, 2)
    if place.version > 0 { content += big(0, place.sizes & 15) }
    content += big(place.offset, place.sizes >> 12) + big(place.length, place.sizes >> 8 & 15)
    return BoxFile.box("iloc", content.dropLast(last))
  }

  /// Returns the range of the preview, item 2, whose bytes are behind the boxes.
  private func preview(_ place: Location, dropping last: Int = 0, references: [UInt8]? = nil) -> Range<Int>? {
    let references = references ?? BoxFile.box("thmb", big(2, 2) + big(1, 2) + big(1, 2))
    return header(
      primary(1), BoxFile.box("iref", [0, 0, 0, 0] + references), locations(place, dropping: last),
      data: [UInt8](repeating: 7, count: 64))?.embeddedThumbnail
  }

  @Test("A preview is found in each form of its location, and only within the file")
  func locations() {
    for version in 0...2 {
      for sizes in [0x4400, 0x4440, 0x8800, 0x4480, 0x4404, 0x4448, 0x0400] {
        var place = Location(version: version, sizes: sizes, base: sizes >> 4 & 15 == 0 ? 0 : 9, offset: 5)
        if sizes >> 12 == 0 { place.offset = 0 }
        let start = place.base + place.offset
        // Versions of 0 have no index.
        let hasIndex = version == 0 && sizes & 15 != 0
        #expect(preview(place) == start..<start + 4 || hasIndex, "\(version) \(sizes)")
        for missing in 1...20 { _ = preview(place, dropping: missing) }
      }
    }
    var place = Location()
    place.version = 3
    #expect(preview(place) == nil)
    for sizes in [0x3400, 0x4300, 0x4430, 0x4403, 0xF400] {
      #expect(preview(Location(sizes: sizes)) == nil, "\(sizes)")
    }
    #expect(preview(Location(item: 3)) == nil && preview(Location(count: 0)) == nil)
    #expect(preview(Location(method: 1)) == nil && preview(Location(extents: 2)) == nil)
    #expect(preview(Location(offset: 5_000)) == nil && preview(Location(length: 5_000)) == nil)
    #expect(preview(Location(length: 0)) == nil)
    #expect(preview(Location(sizes: 0x4440, base: 5_000)) == nil)
    #expect(preview(Location(sizes: 0x8840, offset: -1)) == nil && preview(Location(sizes: 0x4880, base: -1)) == nil)
    // Another item before it, with two pieces.
    let first = big(9, 2) + big(0, 2) + big(0, 2) + big(2, 2) + [UInt8](repeating: 0, count: 16)
    let second = big(2, 2) + big(0, 2) + big(0, 2) + big(1, 2) + big(5, 4) + big(4, 4)
    let two = BoxFile.box("iloc", [1, 0, 0, 0, 0x44, 0] + big(2, 2) + first + second)
    let references = BoxFile.box("iref", [0, 0, 0, 0] + BoxFile.box("thmb", big(2, 2) + big(1, 2) + big(1, 2)))
    #expect(header(primary(1), references, two)?.embeddedThumbnail == 5..<9)
  }

  @Test("References of other kinds, from other items or that end early are ignored")
  func references() {
    #expect(preview(Location(), references: BoxFile.box("cdsc", big(2, 2) + big(1, 2) + big(1, 2))) == nil)
    #expect(preview(Location(), references: BoxFile.box("thmb", big(2, 2) + big(1, 2) + big(5, 2))) == nil)
    for count in 0..<6 {
      let short = Array((big(2, 2) + big(1, 2) + big(1, 2)).prefix(count))
      #expect(preview(Location(), references: BoxFile.box("thmb", short)) == nil)
    }
    let large = BoxFile.box("iref", [1, 0, 0, 0] + BoxFile.box("thmb", big(2, 4) + big(1, 2) + big(1, 4)))
    let found = header(primary(1), large, locations(Location()), data: [UInt8](repeating: 7, count: 64))
    #expect(found?.embeddedThumbnail == 0..<4)
  }

  // MARK: - EXIF and XMP data

  private func entry(_ item: Int, _ type: String, version: UInt8 = 2, texts: String = "\0") -> [UInt8] {
    BoxFile.box("infe", [version, 0, 0, 0] + big(item, version == 2 ? 2 : 4) + [0, 0] + Array((type + texts).utf8))
  }

  /// Returns the header of a file whose item 2 is behind the boxes.
  private func header(entries: [[UInt8]], version: UInt8 = 0, item: [UInt8], length: Int? = nil) -> ImageHeader? {
    let information = BoxFile.box(
      "iinf", [version, 0, 0, 0] + big(entries.count, version == 0 ? 2 : 4) + entries.flatMap { $0 })
    func boxes(at offset: Int) -> [UInt8] {
      Self.start
        + BoxFile.box(
          "meta",
          [0, 0, 0, 0] + primary(1) + information
            + locations(Location(offset: offset, length: length ?? item.count)))
    }
    return ImageHeader.read(boxes(at: boxes(at: 0).count) + item)
  }

  @Test("EXIF data is found by any version of its entry, and by the offset before it")
  func exif() {
    let exif = RawExif(main: [.short(0x0112, 6), .short(0x4746, 3)]).bytes
    let item = big(6, 4) + Array("Exif\0\0".utf8) + exif
    for (version, entryVersion) in [(UInt8(0), UInt8(2)), (1, 3)] {
      let read = header(entries: [entry(2, "Exif", version: entryVersion)], version: version, item: item)
      #expect(read?.rating == 3 && read?.orientation == .up)
    }
    #expect(header(entries: [entry(9, "hvc1"), entry(2, "Exif"), entry(7, "Exif")], item: item)?.rating == 3)
    #expect(header(entries: [entry(2, "Exif", version: 1)], item: item)?.rating == nil)
    #expect(header(entries: [entry(3, "Exif")], item: item)?.rating == nil)
    // An offset past the end, and data that is too short for one.
    #expect(header(entries: [entry(2, "Exif")], item: big(item.count, 4) + exif)?.rating == nil)
    #expect(header(entries: [entry(2, "Exif")], item: [0, 0, 0, 0])?.rating == nil)
    let long = big(6, 4) + [UInt8](repeating: 0, count: ExifReader.maximumBytes)
    #expect(header(entries: [entry(2, "Exif")], item: long)?.rating == nil)
    for count in 0..<12 {
      let short = BoxFile.box("infe", Array([2, 0, 0, 0, 0, 2, 0, 0, 0x45, 0x78, 0x69, 0x66].prefix(count)))
      #expect((header(entries: [short], item: item)?.rating == nil) == (count < 12), "\(count)")
    }
  }

  @Test("XMP data is found by its media type, which has a limit")
  func packet() {
    let item = Array("<x xmp:Rating='4'/>".utf8)
    let type = "\0application/rdf+xml\0"
    #expect(header(entries: [entry(2, "mime", texts: type)], item: item)?.rating == 4)
    #expect(header(entries: [entry(2, "mime", texts: "name" + type)], item: item)?.rating == 4)
    #expect(header(entries: [entry(2, "mime", texts: type), entry(3, "mime", texts: type)], item: item)?.rating == 4)
    for other in ["", "\0", "\0text/plain\0", String(repeating: "n", count: 300) + type] {
      #expect(header(entries: [entry(2, "mime", texts: other)], item: item)?.rating == nil)
    }
    #expect(header(entries: [entry(3, "mime", texts: type)], item: item)?.rating == nil)
    let long = item + [UInt8](repeating: 0x20, count: XMPPacket.maximumBytes)
    #expect(header(entries: [entry(2, "mime", texts: type)], item: long)?.rating == nil)
    // Both, after which no entry is read.
    let both = header(
      entries: [entry(2, "mime", texts: type), entry(5, "Exif"), entry(6, "Exif")], item: item)
    #expect(both?.rating == 4)
  }

  // MARK: - Movies

  @Test("A movie has the size of its first track that has one, unless an item has one")
  func movies() {
    func track(_ width: Int, _ count: Int = 84) -> [UInt8] {
      let content = [UInt8](repeating: 0, count: 76) + big(width << 16, 4) + big(20 << 16, 4)
      return BoxFile.box("trak", BoxFile.box("free", []) + BoxFile.box("tkhd", content.suffix(count)))
    }
    func size(_ boxes: [UInt8]) -> Int? { ImageHeader.read(Self.start + boxes)?.storedSize?.width }
    let movie = BoxFile.box("moov", BoxFile.box("mvhd", []) + track(30, 83) + track(0) + track(40) + track(50))
    #expect(size(movie) == 40)
    #expect(size(BoxFile.box("moov", [])) == nil)
    let item = BoxFile.box(
      "meta", [0, 0, 0, 0] + primary(1) + properties(BoxFile.box("ipco", self.size), associations(1, [1])))
    #expect(size(movie + item) == 30 && size(movie + BoxFile.box("meta", [0, 0, 0, 0])) == 40)
    let large = BoxFile.box("ispe", [0, 0, 0, 0] + big(70_000, 4) + big(20, 4))
    let oversized = BoxFile.box(
      "meta", [0, 0, 0, 0] + primary(1) + properties(BoxFile.box("ipco", large), associations(1, [1])))
    #expect(size(movie + oversized) == nil)
  }
}
