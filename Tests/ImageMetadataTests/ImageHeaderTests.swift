import Testing
import VitrineGeometry

@testable import VitrineImageMetadata

@Suite("A header describes an image")
struct ImageHeaderTests {
  @Test("The size is read from every format that stores one in its header")
  func sizes() {
    let files: [[UInt8]] = [
      HeaderFixture.jpeg(width: 301, height: 7),
      HeaderFixture.png(width: 301, height: 7),
      HeaderFixture.webP(HeaderFixture.lossyWebP(width: 301, height: 7)),
      HeaderFixture.webP(HeaderFixture.losslessWebP(width: 301, height: 7)),
      HeaderFixture.extendedWebP(width: 301, height: 7),
      HeaderFixture.gif(width: 301, height: 7),
      HeaderFixture.bmp(width: 301, height: 7),
      HeaderFixture.bmp(width: 301, height: -7),
      HeaderFixture.oldBMP(width: 301, height: 7),
      HeaderFixture.qoi(width: 301, height: 7),
      HeaderFixture.tiff(width: 301, height: 7, isLong: false),
      HeaderFixture.tiff(width: 301, height: 7, isLong: true),
      HeaderFixture.gif(width: 301, height: 7, frame: (300, 6, 1, 1)),
      HeaderFixture.gif(width: 300, height: 0, frame: (1, 2, 300, 5)),
    ]
    for file in files { #expect(ImageHeader.read(file)?.storedSize == PixelSize(width: 301, height: 7)) }
  }

  @Test("A size of zero is no size, and one beyond all limits is oversized")
  func invalidSizes() {
    let empty = ImageHeader.read(HeaderFixture.png(width: 0, height: 8))
    #expect(empty?.storedSize == nil)
    #expect(empty?.isOversized == false)
    for oversized in [
      HeaderFixture.png(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF), HeaderFixture.qoi(width: 1, height: 0xFFFF_FFFF),
      HeaderFixture.bmp(width: 8, height: -0x8000_0000), HeaderFixture.extendedWebP(width: 1 << 24, height: 1),
    ] {
      #expect(ImageHeader.read(oversized)?.storedSize == nil)
      #expect(ImageHeader.read(oversized)?.isOversized == true)
    }
  }

  @Test("The orientation is read from EXIF data of either byte order", arguments: Orientation.allCases)
  func orientations(orientation: Orientation) {
    for isBigEndian in [false, true] {
      let exif = ExifBlock(isBigEndian: isBigEndian, orientation: Int(orientation.rawValue))
      let files = [
        HeaderFixture.jpeg(width: 30, height: 20, exif: exif),
        HeaderFixture.png(width: 30, height: 20, exif: exif),
        HeaderFixture.extendedWebP(width: 30, height: 20, exif: exif.bytes),
        HeaderFixture.extendedWebP(width: 30, height: 20, exif: Array("Exif".utf8) + [0, 0] + exif.bytes),
      ]
      for file in files {
        let header = ImageHeader.read(file)
        #expect(header?.orientation == orientation)
        #expect(header?.size == PixelSize(width: 30, height: 20).map { orientation.isTransposed ? $0.transposed : $0 })
      }
      #expect(ImageHeader.read(exif.bytes)?.orientation == orientation)
    }
  }

  @Test("An invalid orientation counts as upright", arguments: [0, 9, 99, 65_535])
  func invalidOrientation(value: Int) {
    let file = HeaderFixture.jpeg(width: 30, height: 20, exif: ExifBlock(orientation: value))
    #expect(ImageHeader.read(file)?.orientation == .up)
  }

  @Test("The original date takes precedence over the digitized date, and that over the date of the file")
  func dates() {
    let shot = "2001:01:01 00:00:00"
    let scan = "2002:01:01 00:00:00"
    let file = "2003:01:01 00:00:00"
    func time(_ exif: ExifBlock) -> Int64? {
      ImageHeader.read(HeaderFixture.jpeg(width: 8, height: 8, exif: exif))?.captureTime
    }
    func seconds(_ text: String) -> Int64? { ExifDate(Array(text.utf8))?.secondsSince1970 }
    for isBigEndian in [false, true] {
      var exif = ExifBlock(isBigEndian: isBigEndian, dateTime: file, dateTimeOriginal: shot, dateTimeDigitized: scan)
      #expect(time(exif) == seconds(shot))
      exif.dateTimeOriginal = "0000:00:00 00:00:00"
      #expect(time(exif) == seconds(scan))
      exif.dateTimeOriginal = nil
      exif.dateTimeDigitized = nil
      #expect(time(exif) == seconds(file))
      exif.dateTime = nil
      #expect(time(exif) == nil)
    }
  }

  @Test("The range of the embedded preview is reported, but not read")
  func preview() throws {
    let preview: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9, 0x11, 0x12]
    for isBigEndian in [false, true] {
      let exif = ExifBlock(
        isBigEndian: isBigEndian, orientation: 6, dateTimeOriginal: "2001:01:01 00:00:00", preview: preview, gap: 9000)
      for file in [
        HeaderFixture.jpeg(width: 30, height: 20, exif: exif), HeaderFixture.png(width: 30, height: 20, exif: exif),
      ] {
        let header = try #require(ImageHeader.read(file))
        let range = try #require(header.embeddedThumbnail)
        #expect(Array(file[range]) == preview)
        #expect(header.size == PixelSize(width: 20, height: 30))
        #expect(header.captureTime == 978_307_200)
      }
    }
  }

  @Test("Directories that refer to each other are visited once")
  func cyclicDirectories() {
    var exif = ExifBlock(orientation: 3, dateTimeOriginal: "2001:01:01 00:00:00", preview: [1, 2, 3, 4]).bytes
    // The successor of the main directory is the main directory itself.
    let entries = Int(exif[8])
    exif.replaceSubrange(10 + entries * 12..<14 + entries * 12, with: [8, 0, 0, 0])
    let content = Array("Exif".utf8) + [0, 0] + exif
    let file =
      [0xFF, 0xD8] + HeaderFixture.segment(0xE1, content) + HeaderFixture.jpeg(width: 5, height: 6).dropFirst(2)
    let header = ImageHeader.read(file)
    #expect(header?.orientation == .down)
    #expect(header?.embeddedThumbnail == nil)
    #expect(header?.storedSize == PixelSize(width: 5, height: 6))
  }

  @Test("A preview that exceeds the EXIF data is ignored")
  func previewOutside() {
    var exif = ExifBlock(preview: [1, 2, 3, 4]).bytes
    exif.removeLast()
    #expect(
      ImageHeader.read(HeaderFixture.png(width: 5, height: 6, chunks: [HeaderFixture.chunk("eXIf", exif)]))?
        .embeddedThumbnail == nil)
  }
}

@Suite("An EXIF date is converted to seconds since 1970")
struct ExifDateTests {
  private func seconds(_ text: String) -> Int64? { ExifDate(Array(text.utf8))?.secondsSince1970 }

  @Test("Known dates")
  func knownInstants() {
    #expect(seconds("1970:01:01 00:00:00") == 0)
    #expect(seconds("1969:12:31 23:59:59") == -1)
    #expect(seconds("2000:02:29 12:34:56") == 951_827_696)
    #expect(seconds("2038:01:19 03:14:08") == 2_147_483_648)
    #expect(seconds("1826:06:01 12:00:00") == -4_531_118_400)
    #expect(seconds("2024-12-31T23:59:59") == 1_735_689_599)
  }

  @Test("Each day of six centuries is one day after the day before")
  func daysFollowEachOther() {
    var expected: Int64?
    for year in 1800..<2400 {
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (index, length) in lengths.enumerated() {
        for day in 1...length {
          let month = index + 1
          let text = "\(year):\(month < 10 ? "0" : "")\(month):\(day < 10 ? "0" : "")\(day) 00:00:00"
          let now = seconds(text)
          #expect(now != nil)
          if let expected, now != expected {
            Issue.record("\(text) is \(String(describing: now)), not \(expected)")
            return
          }
          expected = now.map { $0 + 86_400 }
        }
      }
    }
  }

  @Test(
    "Invalid dates are nil",
    arguments: [
      "0000:00:00 00:00:00", "    :  :     :  :  ", "2023:02:29 10:00:00", "2023:13:01 10:00:00",
      "2023:00:10 10:00:00", "2023:04:31 10:00:00", "2023:04:30 24:00:00", "2023:04:30 10:60:00",
      "2023:04:30 10:00:60", "1799:12:31 23:59:59", "2023:04:30 10:00:0", "2023:04:30 10:00:000",
      "2O23:04:30 10:00:00", "2023.04.30 10:00:00", "2023:04:30 10-00-00", "-123:04:30 10:00:00",
    ])
  func invalidDates(text: String) {
    #expect(seconds(text) == nil)
  }

  @Test(
    "The camera is the model, with the manufacturer's name unless the model contains it",
    arguments: [
      ("NIKON CORPORATION", "NIKON D750", "NIKON D750"), ("Apple", "iPhone 12", "Apple iPhone 12"),
      ("Canon", "Canon EOS  5D ", "Canon EOS 5D"), (nil, "DMC", "DMC"), ("LG", nil, "LG"), (nil, nil, nil),
      ("  ", "\u{1}Q\u{7F}10", "Q10"), ("x", String(repeating: "y", count: 80), "x"),
    ] as [(String?, String?, String?)])
  func camera(maker: String?, model: String?, expected: String?) {
    for isBigEndian in [false, true] {
      let exif = ExifBlock(isBigEndian: isBigEndian, maker: maker, model: model, orientation: 1)
      #expect(ImageHeader.read(HeaderFixture.jpeg(width: 8, height: 8, exif: exif))?.camera == expected)
      #expect(ImageHeader.read(HeaderFixture.png(width: 8, height: 8, exif: exif))?.camera == expected)
    }
  }

  @Test(
    "A rating is from 1 to 5",
    arguments: [(nil, nil), (0, nil), (1, 1), (5, 5), (6, nil), (65_535, nil)] as [(Int?, UInt8?)])
  func rating(value: Int?, expected: UInt8?) {
    let exif = ExifBlock(orientation: 1, rating: value)
    #expect(ImageHeader.read(HeaderFixture.jpeg(width: 8, height: 8, exif: exif))?.rating == expected)
  }
}
