import Testing
import VitrineGeometry

@testable import VitrineImageMetadata

@Suite("EXIF data with any fields")
struct ExifReaderTests {
  private func header(_ exif: RawExif) -> ImageHeader? { ImageHeader.read(exif.jpeg) }

  @Test("Only the versions 42 and 43 after a byte order mark are EXIF data")
  func versions() {
    for (mark, version) in [("II", 41), ("II", 44), ("MM", 41), ("IM", 42), ("MI", 42), ("  ", 42)] {
      var exif = RawExif(main: [.short(0x0112, 6)])
      exif.mark = mark
      exif.version = version
      #expect(header(exif)?.orientation == .up, "\(mark) \(version)")
    }
    for isBigEndian in [false, true] {
      for isLong in [false, true] {
        let exif = RawExif(isBigEndian: isBigEndian, isLong: isLong, main: [.short(0x0112, 6), .long(0x4746, 5)])
        #expect(header(exif)?.orientation == .right && header(exif)?.rating == 5)
        #expect(ImageHeader.read(exif.bytes)?.orientation == .right)
      }
    }
    // Too short for a directory's offset.
    let short = [0xFF, 0xD8] + HeaderFixture.segment(0xE1, Array("Exif\0\0II*\0\0\0".utf8) + [0, 0]) + [0xFF, 0xD9]
    #expect(ImageHeader.read(short)?.format == .jpeg)
  }

  @Test("Integers of two, four and eight bytes are values; others, and lists, are none")
  func integers() {
    for isLong in [false, true] {
      func rating(_ entry: RawExif.Entry) -> UInt8? { header(RawExif(isLong: isLong, main: [entry]))?.rating }
      #expect(rating(.short(0x4746, 3)) == 3 && rating(.long(0x4746, 4)) == 4)
      #expect(rating(.init(0x4746, 16, 1, [2, 0, 0, 0, 0, 0, 0, 0])) == (isLong ? 2 : nil))
      #expect(rating(.init(0x4746, 1, 1, [2])) == nil && rating(.init(0x4746, 3, 2, [2, 0, 2, 0])) == nil)
      #expect(rating(.short(0x4746, 0)) == nil && rating(.short(0x4746, 6)) == nil)
      // Too large for an offset.
      #expect(rating(.init(0x4746, 16, 1, [2, 0, 0, 0, 0, 0, 1, 0])) == nil)
    }
  }

  @Test("A TIFF file has the size of its first directory, if both sides are known")
  func sizes() {
    let (width, height) = (RawExif.Entry.long(0x0100, 30), RawExif.Entry.short(0x0101, 20))
    #expect(ImageHeader.read(RawExif(main: [width, height]).bytes)?.storedSize == PixelSize(width: 30, height: 20))
    #expect(ImageHeader.read(RawExif(main: [width]).bytes)?.storedSize == nil)
    #expect(ImageHeader.read(RawExif(main: [height]).bytes)?.storedSize == nil)
    // A JPEG file has that of its frame.
    #expect(header(RawExif(main: [width, height]))?.storedSize == PixelSize(width: 8, height: 6))
  }

  @Test("Directories outside the data, beyond all limits or cut off give the entries before their end")
  func directories() {
    var exif = RawExif(main: [.short(0x0112, 3), .short(0x4746, 4)])
    for offset in [0, 7, 5_000, 0xFFFF_FFFF] {
      exif.firstDirectory = offset
      #expect(header(exif)?.orientation == .up && header(exif)?.embeddedThumbnail == nil)
    }
    exif.firstDirectory = nil
    for count in 8..<exif.bytes.count {
      let cut = exif.jpeg(of: Array(exif.bytes.prefix(count)))
      #expect(ImageHeader.read(cut)?.orientation == (count < 22 ? .up : .down), "\(count)")
    }
    // Of more entries than any camera writes, the first 512 are read, and no second directory follows.
    let many = Array(repeating: RawExif.Entry.short(1, 1), count: 511) + [.short(0x0112, 3), .short(0x4746, 4)]
    let long = header(RawExif(main: many, next: RawExif.preview(offset: 8, length: 4)))
    #expect(long?.orientation == .down && long?.rating == nil && long?.embeddedThumbnail == nil)
    // A directory of details inside the main one's first bytes is no directory.
    for offset in [4, 8, 90_000] {
      #expect(header(RawExif(main: [.short(0x0112, 3), .long(0x8769, offset)]))?.captureTime == nil)
    }
  }

  @Test("The preview of the second directory must be a JPEG within the data")
  func previews() {
    func range(_ entries: [RawExif.Entry], isTIFF: Bool = false) -> Range<Int>? {
      let exif = RawExif(main: [.short(0x0112, 1)], next: entries)
      return ImageHeader.read(isTIFF ? exif.bytes : exif.jpeg)?.embeddedThumbnail
    }
    let start = RawExif.startInJPEG
    #expect(range(RawExif.preview(offset: 8, length: 4)) == start + 8..<start + 12)
    #expect(range([.long(0x0201, 8), .long(0x0202, 6)]) == start + 8..<start + 14)
    #expect(range(RawExif.preview(offset: 8, length: 3)) == nil)
    #expect(range(RawExif.preview(offset: 8, length: 4, compression: 7)) == nil)
    #expect(range(RawExif.preview(offset: 9_000, length: 4)) == nil)
    #expect(range(RawExif.preview(offset: 8, length: 9_000)) == nil)
    #expect(range([.long(0x0201, 8)]) == nil && range([.long(0x0202, 8)]) == nil && range([]) == nil)
    // In a file of pages, the directory must be marked as reduced.
    #expect(range(RawExif.preview(offset: 8, length: 4), isTIFF: true) == nil)
    #expect(range([.long(0x00FE, 2)] + RawExif.preview(offset: 8, length: 4), isTIFF: true) == nil)
    #expect(range([.long(0x00FE, 1)] + RawExif.preview(offset: 8, length: 4), isTIFF: true) == 8..<12)
  }

  @Test("The name of a camera is printable text of moderate length, in the entry or elsewhere")
  func names() {
    for isLong in [false, true] {
      func camera(_ text: [UInt8], type: Int = 2, count: Int? = nil, offset: Int? = nil) -> String? {
        var exif = RawExif(isLong: isLong)
        exif.main = [exif.text(0x0110, text, type: type, count: count, offset: offset)]
        return header(exif)?.camera
      }
      #expect(camera(Array("X1".utf8)) == "X1" && camera(Array("X1\0Y".utf8)) == "X1")
      #expect(camera(Array("NIKON  D750 \0".utf8)) == "NIKON D750")
      #expect(camera([0x4E, 0x01, 0xC3, 0x7F, 0x31] + Array("234567".utf8)) == "N1234567")
      #expect(camera(Array("   \0".utf8)) == nil && camera([0]) == nil)
      #expect(camera(Array("X1".utf8), type: 7) == nil && camera(Array("X1".utf8), count: 0) == nil)
      #expect(camera([UInt8](repeating: 0x41, count: 64))?.count == 64)
      #expect(camera([UInt8](repeating: 0x41, count: 65)) == nil)
      #expect(camera(Array("NIKON D750".utf8), offset: 60_000) == nil)
    }
    // The offset itself is outside the data, and too large.
    var exif = RawExif(isLong: true)
    exif.main = [.init(0x0110, 2, 20, [0, 0, 0, 0, 0, 0, 1, 0])]
    #expect(header(exif)?.camera == nil)
    #expect(ExifReader.cameraName(maker: "Apple", model: "iPhone 12") == "Apple iPhone 12")
    #expect(ExifReader.cameraName(maker: "NIKON CORPORATION", model: "NIKON D750") == "NIKON D750")
    #expect(ExifReader.cameraName(maker: "nikon", model: "NIKON D750") == "NIKON D750")
    #expect(ExifReader.cameraName(maker: nil, model: "D750") == "D750")
    #expect(ExifReader.cameraName(maker: "Apple", model: nil) == "Apple")
    #expect(ExifReader.cameraName(maker: " ", model: "D750") == "D750")
    #expect(ExifReader.cameraName(maker: nil, model: nil) == nil)
  }

  @Test("Dates must be complete, possible, and within the data")
  func dates() {
    func time(_ text: String, count: Int? = nil, offset: Int? = nil) -> Int64? {
      var exif = RawExif()
      exif.main = [exif.text(0x0132, Array(text.utf8) + [0], count: count, offset: offset)]
      return header(exif)?.captureTime
    }
    #expect(time("1970:01:02 00:00:00") == 86_400 && time("1970-01/02T00:00:00") == 86_400)
    #expect(time("1970:01:02 00:00:00", count: 18) == nil && time("1970:01:02 00:00:00", offset: 60_000) == nil)
    for possible in ["2000:02:29 23:59:59", "2024:02:29 00:00:00", "1800:01:01 00:00:00", "2023:04:30 00:00:00"] {
      #expect(time(possible) != nil, "\(possible)")
    }
    for text in [
      "    :  :     :  :  ", "0000:00:00 00:00:00", "1799:12:31 23:59:59", "2001:13:01 00:00:00", "2001:00:01 00:00:00",
      "2001:01:00 00:00:00", "2001:01:32 00:00:00", "2001:04:31 00:00:00", "2001:02:29 00:00:00", "1900:02:29 00:00:00",
      "2001:01:01 24:00:00", "2001:01:01 00:60:00", "2001:01:01 00:00:60", "2001.01:01 00:00:00", "2001:01.01 00:00:00",
      "2001:01:01_00:00:00", "2001:01:01 00.00:00", "2001:01:01 00:00.00", "x001:01:01 00:00:00", "2001:x1:01 00:00:00",
      "2001:01:x1 00:00:00", "2001:01:01 x0:00:00", "2001:01:01 00:x0:00", "2001:01:01 00:00:0:",
    ] {
      #expect(time(text) == nil, "\(text)")
    }
    #expect(ExifDate(Array("2001:01:01".utf8)) == nil)
  }

  @Test("Coordinates need three fractions within the data, and a divisor")
  func coordinates() {
    func location(
      parts: [(Int, Int)] = [(10, 1), (30, 1), (0, 1)], type: Int = 5, count: Int = 3, offset: Int? = nil,
      isBigEndian: Bool = false, without missing: Int? = nil, end: Int? = nil
    ) -> GeographicLocation? {
      var exif = RawExif(isBigEndian: isBigEndian)
      let place = [
        exif.text(1, Array("N".utf8)), exif.fractions(2, parts, type: type, count: count, offset: offset),
        exif.text(3, Array("W".utf8)), exif.fractions(4, [(20, 1), (0, 1), (0, 1)]),
      ]
      exif.main = [exif.directory(0x8825, place.filter { $0.tag != missing })]
      if let end {
        exif.main[0] = exif.directory(0x8825, [exif.fractions(2, parts, offset: exif.bytes.count + 42 - end)])
      }
      return header(exif)?.location
    }
    #expect(location() == GeographicLocation(latitude: 10.5, longitude: -20))
    #expect(location(isBigEndian: true) == GeographicLocation(latitude: 10.5, longitude: -20))
    #expect(location(without: 1) == GeographicLocation(latitude: 10.5, longitude: -20))
    #expect(location(without: 3) == GeographicLocation(latitude: 10.5, longitude: 20))
    #expect(location(without: 2) == nil && location(without: 4) == nil)
    #expect(location(type: 10) == nil && location(count: 2) == nil)
    #expect(location(offset: 60_000) == nil)
    #expect(location(parts: [(10, 0), (30, 1), (0, 1)]) == nil && location(parts: [(10, 1), (30, 0), (0, 1)]) == nil)
    #expect(location(parts: [(10, 1), (0, 0), (0, 0)]) == GeographicLocation(latitude: 10, longitude: -20))
    // The offset is outside the data, and the data ends in a fraction.
    var long = RawExif(isLong: true)
    long.main = [long.directory(0x8825, [.init(2, 5, 3, [0, 0, 0, 0, 0, 0, 1, 0])])]
    #expect(header(long)?.location == nil)
    for end in 1...24 {
      #expect(location(end: end) == nil, "\(end)")
    }
  }

  @Test("The rating of XMP data in a TIFF file is read from bytes outside the entry")
  func packets() {
    for isLong in [false, true] {
      func rating(_ text: String, type: Int = 1, count: Int? = nil, offset: Int? = nil, isTIFF: Bool = true) -> UInt8? {
        var exif = RawExif(isLong: isLong)
        exif.main = [exif.text(0x02BC, Array(text.utf8), type: type, count: count, offset: offset), .short(0x4746, 2)]
        return ImageHeader.read(isTIFF ? exif.bytes : exif.jpeg)?.rating
      }
      let text = "<x xmp:Rating='5'/>"
      #expect(rating(text) == 5 && rating(text, type: 7) == 5)
      // The JPEG file has its own segment for such data.
      #expect(rating(text, isTIFF: false) == 2)
      #expect(rating(text, type: 2) == 2 && rating(text, count: 4) == 2 && rating(text, offset: 60_000) == 2)
      #expect(rating(text, count: XMPPacket.maximumBytes + 1) == 2 && rating(text, count: 60_000) == 2)
    }
  }

  @Test("XMP data states a rating with a usual prefix, a separator, one digit and an end")
  func ratings() {
    func rating(_ text: String) -> Int? { XMPPacket(Array(text.utf8)[...]).rating }
    #expect(rating("<xmp:Rating>3<") == 3 && rating(" xap:Rating = \" 4 \"") == 4 && rating("\txmp:Rating='-1'") == -1)
    for text in [
      "", ":", ":Rating", "mp:Rating='3'", "xmp:Rating='3'", "(xmp:Rating='3'", "<dmp:Rating>3<", "<xmp:Rating",
      "<xmp:Rating>", "<xmp:Rating>x", "<xmp:Rating>3", "<xmp:Rating>34<", "<xmp:Rating>:<", "<xmp:Rating=",
      "<xmp:Rating=3 ", "<xmp:Rating:3 ", "<xmp:Rating='", "<xmp:Rating>/<", "<xmp:Rating>3:",
    ] {
      #expect(rating(text) == (text.hasSuffix("3:") ? 3 : nil), "\(text)")
    }
    // One that is no statement is followed by one that is.
    #expect(rating("<xmp:Rating/> <xmp:Rating>2<") == 2)
  }
}

@Suite("Settings of the camera in any fields")
struct RawCaptureSettingsTests {
  private func settings(_ exif: RawExif) -> CaptureSettings? {
    let file = exif.jpeg
    return ImageHeader.read(file).flatMap { header in
      CaptureSettings.read(of: header, fileBytes: file.count) { offset, count in
        Array(file[offset..<min(file.count, offset + count)])
      }
    }
  }

  private func details(
    isLong: Bool = false, isBigEndian: Bool = false, _ make: (inout RawExif) -> [RawExif.Entry]
  ) -> CaptureSettings? {
    var exif = RawExif(isBigEndian: isBigEndian, isLong: isLong)
    let entries = make(&exif)
    exif.main = [exif.directory(0x8769, entries)]
    return settings(exif)
  }

  @Test("Fractions are in the entry where it has room, and elsewhere otherwise")
  func fractions() {
    for isLong in [false, true] {
      for isBigEndian in [false, true] {
        let read = details(isLong: isLong, isBigEndian: isBigEndian) { exif in
          [
            exif.fractions(0x829A, [(1, 250)]), exif.fractions(0x829D, [(28, 10)]), exif.fractions(0x920A, [(35, 1)]),
          ]
        }
        #expect(read?.exposureTime == 0.004 && read?.aperture == 2.8 && read?.focalLength == 35)
      }
    }
    #expect(details { [$0.fractions(0x829A, [(1, 250)], type: 10)] } == CaptureSettings())
    #expect(details { [$0.fractions(0x829A, [(1, 250)], count: 2)] } == CaptureSettings())
    #expect(details { [$0.fractions(0x829A, [(1, 250)], offset: 60_000)] } == CaptureSettings())
    #expect(details { _ in [.init(0x829A, 5, 1, [0xFF, 0xFF, 0xFF, 0xFF])] } == CaptureSettings())
  }

  @Test("The first of several sensitivities counts, and of many none")
  func sensitivities() {
    #expect(details { _ in [.short(0x8827, 400)] }?.sensitivity == 400)
    #expect(details { _ in [.init(0x8827, 3, 2, [0x90, 1, 0x20, 3])] }?.sensitivity == 400)
    #expect(details { _ in [.init(0x8827, 3, 3, [0x90, 1, 0x20, 3])] }?.sensitivity == nil)
    #expect(details { _ in [.short(0x8827, 0)] }?.sensitivity == nil)
    #expect(details { _ in [.init(0x8827, 5, 1, [0, 0, 0, 0])] }?.sensitivity == nil)
    #expect(details { _ in [.short(0xA405, 26)] }?.focalLengthIn35mmFilm == 26)
    #expect(details { _ in [.short(0xA405, 0)] }?.focalLengthIn35mmFilm == nil)
    #expect(details { [$0.text(0xA434, Array("EF 50mm".utf8))] }?.lens == "EF 50mm")
  }

  @Test("A file that needs more reads than the maximum has no settings")
  func manyReads() throws {
    var exif = RawExif()
    let padding = (0..<495).map { RawExif.Entry.short($0 + 1, 1) }
    exif.addBytes(5_000)
    var entries = padding
    for tag in [0x829A, 0x829D, 0x920A] {
      entries.append(exif.fractions(tag, [(1, 2)]))
      exif.addBytes(5_000)
    }
    entries.append(exif.text(0xA434, Array("EF 24-70mm".utf8)))
    exif.addBytes(5_000)
    exif.main = padding + [exif.directory(0x8769, entries)]
    exif.addBytes(5_000)
    let file = exif.jpeg
    let header = try #require(ImageHeader.read(file))
    var reads = 0
    let settings = CaptureSettings.read(of: header, fileBytes: file.count) { offset, count in
      reads += 1
      return Array(file[offset..<offset + count])
    }
    #expect(settings == nil && reads == 8)
  }

  @Test("A preview, or the settings of a fraction, at the end of the data is cut off")
  func ends() {
    for end in 1...8 {
      var exif = RawExif()
      exif.main = [exif.directory(0x8769, [exif.fractions(0x829A, [(1, 2)])])]
      exif.main = [exif.directory(0x8769, [exif.fractions(0x829A, [(1, 2)], offset: exif.bytes.count + 26 - end)])]
      #expect(settings(exif)?.exposureTime == nil)
    }
  }
}
