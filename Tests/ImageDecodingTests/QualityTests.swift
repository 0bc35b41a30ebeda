import Geometry
import Glibc
import ImageDecoding
import Rendering
import Testing

@Suite("The resampler against a plain one in double precision")
struct QualityTests {
  private static let source = TestPicture.landscape(width: 640, height: 480)

  @Test(
    "JPEG at cell sizes", arguments: [(100, 100, FitMode.fill), (160, 160, .fit), (60, 110, .fill), (250, 250, .fit)])
  func jpeg(width: Int, height: Int, fit: FitMode) throws {
    try check(try JPEGFixture.file(QualityTests.source), width, height, fit)
  }

  @Test("PNG at cell sizes", arguments: [(100, 100, FitMode.fill), (41, 73, .fill), (160, 160, .fit)])
  func png(width: Int, height: Int, fit: FitMode) throws {
    try check(PNGWriter.file(QualityTests.source), width, height, fit)
  }

  @Test(
    "Planes of AVIF and HEIC at cell sizes", arguments: [(100, 100, FitMode.fill), (41, 73, .fill), (160, 160, .fit)])
  func planes(width: Int, height: Int, fit: FitMode) throws {
    let planes = try PlanarFixture(QualityTests.source)
    for withAlpha in [false, true] {
      check(
        try planes.draw(width: 640, height: 480),
        try planes.draw(width: width, height: height, fit: fit, withAlpha: withAlpha), fit)
    }
  }

  @Test("TIFF, BMP and QOI at cell sizes", arguments: [(100, 100, FitMode.fill), (41, 73, .fill), (160, 160, .fit)])
  func rows(width: Int, height: Int, fit: FitMode) throws {
    let source = QualityTests.source
    let rows = (0..<source.height).map { y in
      (0..<source.width).flatMap { x in [source[x, y].red, source[x, y].green, source[x, y].blue] }
    }
    try check(TIFFWriter(width: 640, height: 480, rowsPerStrip: 16).file(rows: rows), width, height, fit)
    try check(BMPWriter(width: 640, height: 480).file(rows: rows), width, height, fit)
    try check(QOIWriter.file(source), width, height, fit)
  }

  @Test("Enlarged")
  func enlarged() throws {
    try check(PNGWriter.file(TestPicture.landscape(width: 30, height: 20)), 90, 90, .fill)
  }

  @Test("One colour stays one colour")
  func constant() throws {
    let picture = TestPicture(width: 61, height: 47) { _, _ in .init(hex: 0x1280FE) }
    for (width, height) in [(13, 13), (200, 100), (61, 47), (1, 1), (30, 46)] {
      let result = try Decoding.decode(PNGWriter.file(picture), width: width, height: height).picture
      #expect(result == TestPicture(width: width, height: height) { _, _ in .init(hex: 0x1280FE) })
    }
  }

  private func check(_ file: [UInt8], _ width: Int, _ height: Int, _ fit: FitMode) throws {
    let full = try Decoding.decode(file).picture
    check(full, try Decoding.decode(file, width: width, height: height, fit: fit).picture, fit)
  }

  private func check(_ full: TestPicture, _ result: TestPicture, _ fit: FitMode) {
    let scale = max(Double(result.width) / Double(full.width), Double(result.height) / Double(full.height))
    var window = Rect(x: 0, y: 0, width: Double(full.width), height: Double(full.height))
    if fit == .fill {
      let size = Size(width: Double(result.width) / scale, height: Double(result.height) / scale)
      let corner = Point(x: (window.width - size.width) / 2, y: (window.height - size.height) / 2)
      window = Rect(origin: corner, size: size)
    }
    let reference = ReferenceResampler(window: window, width: result.width, height: result.height).draw(full)
    var squares = 0.0
    for y in 0..<result.height {
      for x in 0..<result.width {
        for channel in 0..<3 {
          let difference =
            Double(result.bytes[(y * result.width + x) * 4 + channel])
            - reference[(y * result.width + x) * 3 + channel]
          squares += difference * difference
        }
      }
    }
    let decibels = 10 * log10(255 * 255 / (squares / Double(result.width * result.height * 3)))
    #expect(decibels >= 43)
  }
}
