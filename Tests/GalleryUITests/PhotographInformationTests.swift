import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineRendering

@testable import VitrineGalleryUI

@Suite("The texts and the histogram of the information about a photograph")
struct PhotographInformationTests {
  @Test(
    "Exposure times are shown as cameras show them",
    arguments: [
      (0.004, "1/250 s"), (1.0 / 8_000, "1/8000 s"), (0.016_666, "1/60 s"), (0.25, "1/4 s"), (0.5, "1/2 s"),
      (0.3, "0.3 s"), (0.4, "0.4 s"), (0.769_23, "0.8 s"), (1, "1 s"), (1.3, "1.3 s"), (30, "30 s"), (240, "240 s"),
    ] as [(Double, String)])
  func exposureTimes(seconds: Double, text: String) {
    #expect(InformationFormat.exposureTime(seconds) == text)
  }

  @Test("Apertures, focal lengths, sizes and places have the precision that photographers use")
  func numbers() throws {
    #expect([2.8, 8, 1.78, 11.04].map(InformationFormat.aperture) == ["f/2.8", "f/8", "f/1.8", "f/11"])
    #expect(InformationFormat.focalLength(50, in35mmFilm: nil) == "50 mm")
    #expect(InformationFormat.focalLength(50.4, in35mmFilm: 50) == "50 mm")
    #expect(InformationFormat.focalLength(4.25, in35mmFilm: 26) == "4.3 mm (26 mm equiv.)")
    #expect(InformationFormat.focalLength(nil, in35mmFilm: 26) == "26 mm equiv.")
    #expect(InformationFormat.focalLength(nil, in35mmFilm: nil) == nil)
    let sizes = [(4_032, 3_024), (640, 480), (16, 16)].compactMap { PixelSize(width: $0, height: $1) }
    #expect(sizes.map(InformationFormat.extent) == ["4032 × 3024, 12.2 MP", "640 × 480, 0.3 MP", "16 × 16"])
    let sydney = try #require(GeographicLocation(latitude: -33.856_76, longitude: 151.215_22))
    #expect(InformationFormat.place(sydney) == "33.8568° S, 151.2152° E")
    #expect(
      InformationFormat.mapAddress(of: sydney)
        == "https://www.openstreetmap.org/?mlat=-33.856760&mlon=151.215220#map=15/-33.856760/151.215220")
  }

  @Test("Lines of unknown values are absent, and those of known ones are in a fixed order")
  func rows() throws {
    #expect(PhotographInformation(name: "a.jpg").rows == [])
    var information = PhotographInformation(
      name: "a.jpg", time: 0, size: PixelSize(width: 800, height: 600), byteCount: 3_400_000, camera: "Leica Q",
      folder: "/a")
    #expect(
      information.rows.map { "\($0.title): \($0.value)" } == [
        "Taken: 1 Jan 1970, 00:00", "Size: 800 × 600, 0.5 MP", "File: 3.4 MB", "Camera: Leica Q", "Folder: /a",
      ])
    var header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 800, height: 600))
    information.file = PhotographFile(byteCount: 3_400_000, header: header)
    #expect(information.rows.first?.title == "Changed", "the file states no capture time")
    header.captureTime = 86_400
    header.location = GeographicLocation(latitude: 1, longitude: 2)
    var settings = CaptureSettings()
    (settings.exposureTime, settings.aperture, settings.sensitivity) = (0.004, 2.8, 400)
    (settings.focalLength, settings.lens) = (28, "SUMMILUX 1:1.7/28")
    information.file = PhotographFile(byteCount: 3_400_000, header: header, settings: settings)
    #expect(
      information.rows.map { "\($0.title): \($0.value)" } == [
        "Taken: 2 Jan 1970, 00:00", "Size: 800 × 600, 0.5 MP", "File: JPEG, 3.4 MB", "Camera: Leica Q",
        "Lens: SUMMILUX 1:1.7/28", "Exposure: 1/250 s", "Aperture: f/2.8", "ISO: 400", "Focal length: 28 mm",
        "Folder: /a", "Place: 1.0000° N, 2.0000° E",
      ])
    #expect(information.rows.compactMap(\.address) == [information.placeAddress])
  }

  @Test("A histogram counts each pixel by its luminance, and a black or white rest does not flatten it")
  func histogram() throws {
    let size = try #require(PixelSize(width: 40, height: 10))
    for order in [ChannelOrder.redFirst, .blueFirst] {
      let bitmap = try Bitmap(size: size, isOpaque: false, order: order) { pixels in
        for index in 0..<400 {
          // White, gray, pure green, pure red and transparent columns.
          let color: [UInt8] =
            switch index % 40 {
            case 0..<20: [255, 255, 255, 255]
            case 20..<30: [128, 128, 128, 255]
            case 30..<34: [0, 255, 0, 255]
            case 34..<36: order == .redFirst ? [255, 0, 0, 255] : [0, 0, 255, 255]
            default: [0, 0, 0, 0]
            }
          for (channel, value) in color.enumerated() { pixels[4 * index + channel] = value }
        }
      }
      let histogram = LuminanceHistogram(of: bitmap)
      let green = (183 * 255) >> 9
      let red = (54 * 255) >> 9
      #expect(histogram.counts.reduce(0, +) == 360 && histogram.counts[127] == 200 && histogram.counts[64] == 100)
      #expect(histogram.counts[green] == 40 && histogram.counts[red] == 20 && histogram.counts[0] == 0)
      #expect(histogram.heights[127] == 1 && histogram.heights[64] == 1 && histogram.heights[green] == 0.4.squareRoot())
    }
    let large = try #require(PixelSize(width: 3_000, height: 2_000))
    let counted = LuminanceHistogram(
      of: try Bitmap(size: large, isOpaque: true) { $0.initializeMemory(as: UInt8.self, repeating: 255) })
    #expect(counted.counts.reduce(0, +) <= LuminanceHistogram.maximumSamples && counted.heights[127] == 1)
  }

  @Test("A path is broken behind slashes and a text between words, and the rest is in the last line")
  func wrapping() {
    func lines(_ text: String, _ width: Int, _ count: Int = 4) -> [String] {
      TextWrapping.lines(of: text, width: width, maximumCount: count) { $0.count }
    }
    #expect(lines("/usr/share/backgrounds", 12) == ["/usr/share/", "backgrounds"])
    #expect(lines("EF24-70mm f/2.8L II USM", 14) == ["EF24-70mm", "f/2.8L II USM"])
    #expect(lines("one two three", 7) == ["one two", "three"])
    #expect(lines("/a/b/c/d", 3, 2) == ["/a/", "b/c/d"])
    #expect(lines("unbreakable", 3) == ["unbreakable"] && lines("", 3) == [])
  }
}
