import CVitrineResampling
import Glibc
import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecodingCore

@Suite("The resampler matches a reference in double precision")
struct ResamplerQualityTests {
  private static let source = TestPicture.landscape(width: 640, height: 480)

  @Test(
    "JPEG at cell sizes", arguments: [(100, 100, FitMode.fill), (160, 160, .fit), (60, 110, .fill), (250, 250, .fit)])
  func jpeg(width: Int, height: Int, fit: FitMode) throws {
    try check(try JPEGFixture.file(ResamplerQualityTests.source), width, height, fit)
  }

  @Test("PNG at cell sizes", arguments: [(100, 100, FitMode.fill), (41, 73, .fill), (160, 160, .fit)])
  func png(width: Int, height: Int, fit: FitMode) throws {
    try check(PNGWriter.file(ResamplerQualityTests.source), width, height, fit)
  }

  @Test(
    "Planes of AVIF and HEIC at cell sizes", arguments: [(100, 100, FitMode.fill), (41, 73, .fill), (160, 160, .fit)])
  func planes(width: Int, height: Int, fit: FitMode) throws {
    let planes = try PlanarFixture(ResamplerQualityTests.source)
    for withAlpha in [false, true] {
      check(
        try planes.draw(width: 640, height: 480),
        try planes.draw(width: width, height: height, fit: fit, withAlpha: withAlpha), fit)
    }
  }

  @Test("TIFF, BMP and QOI at cell sizes", arguments: [(100, 100, FitMode.fill), (41, 73, .fill), (160, 160, .fit)])
  func rows(width: Int, height: Int, fit: FitMode) throws {
    let source = ResamplerQualityTests.source
    let rows = (0..<source.height).map { y in
      (0..<source.width).flatMap { x in [source[x, y].red, source[x, y].green, source[x, y].blue] }
    }
    try check(TIFFWriter(width: 640, height: 480, rowsPerStrip: 16).file(rows: rows), width, height, fit)
    try check(BMPWriter(width: 640, height: 480).file(rows: rows), width, height, fit)
    try check(QOIWriter.file(source), width, height, fit)
  }

  @Test("Enlarged PNG")
  func enlarged() throws {
    try check(PNGWriter.file(TestPicture.landscape(width: 30, height: 20)), 90, 90, .fill)
  }

  @Test("A uniform color stays uniform")
  func uniformColor() throws {
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

// MARK: - Small images

@Suite("Images of a few pixels are drawn like all others")
struct SmallImageTests {
  private static let color = Color(hex: 0xC86432)
  private static let sizes = [(1, 1), (1, 3), (3, 1), (2, 1), (1, 2), (1, 40), (40, 1)]

  /// Checks that all pixels of a file have the same color, at several sizes.
  private func check(_ file: [UInt8], _ sides: (Int, Int), within tolerance: Int) throws {
    for (width, height) in [(256, 192), (7, 300), (300, 7), (1, 50), (50, 1), (1, 1), sides] {
      for fit in [FitMode.fill, .fit] {
        let (picture, image) = try Decoding.decode(file, width: width, height: height, fit: fit)
        #expect(image.sourceSize == PixelSize(width: sides.0, height: sides.1))
        #expect(!image.isDamaged)
        if fit == .fill { #expect(picture.width == width && picture.height == height) }
        let isPlain = (0..<picture.height).allSatisfy { y in
          (0..<picture.width).allSatisfy { x in
            Decoding.isNear(picture[x, y], SmallImageTests.color, within: tolerance)
          }
        }
        #expect(isPlain, "\(sides) in \(width) x \(height), \(fit)")
      }
    }
  }

  @Test("JPEG: every pixel has the color of the image, in every orientation", arguments: sizes)
  func jpeg(width: Int, height: Int) throws {
    let file = try JPEGFixture.file(TestPicture(width: width, height: height) { _, _ in SmallImageTests.color })
    try check(file, (width, height), within: 6)
    for orientation in Orientation.allCases {
      let sides = orientation.isTransposed ? (height, width) : (width, height)
      try check(JPEGFixture.oriented(file, orientation), sides, within: 6)
    }
  }

  @Test("PNG: every pixel has the color of the image", arguments: sizes)
  func png(width: Int, height: Int) throws {
    let picture = TestPicture(width: width, height: height) { _, _ in SmallImageTests.color }
    for (hasAlpha, isInterlaced) in [(false, false), (false, true), (true, false), (true, true)] {
      try check(
        PNGWriter.file(picture, withAlpha: hasAlpha, isInterlaced: isInterlaced), (width, height), within: 0)
    }
  }

  @Test("WebP: every pixel has the color of the image", arguments: sizes)
  func webP(width: Int, height: Int) throws {
    try check(WebPFixture.uniform(width: width, height: height, SmallImageTests.color), (width, height), within: 0)
  }

  @Test(
    "All small images, windows and results match the reference, and no byte next to the result is written",
    arguments: 1...4)
  func reference(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<400 {
      func side(_ maximum: Int) -> Int { Int.random(in: 1...maximum, using: &random) }
      let picture = TestPicture(width: side(4), height: side(4)) { _, _ in
        Color(hex: UInt32.random(in: 0...0xFFFFFF, using: &random))
      }
      let (left, width) = window(of: picture.width, &random)
      let (top, height) = window(of: picture.height, &random)
      let window = Rect(x: left, y: top, width: width, height: height)
      // Often the size of the window, which needs no filter.
      let isPlain = Bool.random(using: &random)
      let output = try #require(
        PixelSize(
          width: isPlain ? max(1, Int(width)) : side(9),
          height: Bool.random(using: &random) ? max(1, Int(height)) : side(9)))
      let orientation = try #require(Orientation.allCases.randomElement(using: &random))
      let drawn = try draw(picture, window, output, orientation)
      let expected = ReferenceResampler(window: window, width: output.width, height: output.height).draw(picture)
      for y in 0..<output.height {
        for x in 0..<output.width {
          let index = turned(x, y, in: output, orientation) * 4
          let reference = expected[(y * output.width + x) * 3..<(y * output.width + x) * 3 + 3]
          let isRight = zip(drawn[index..<index + 3], reference).allSatisfy { abs(Double($0) - $1) < 0.51 }
          #expect(isRight && drawn[index + 3] == 255, "\(picture) \(window) \(output) \(orientation)")
        }
      }
    }
  }

  /// Returns the start and the length of a window on an axis: the whole axis, whole pixels, or any part.
  private func window(of count: Int, _ random: inout SeededGenerator) -> (start: Double, length: Double) {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return (0, Double(count))
    case 1:
      let start = Int.random(in: 0..<count, using: &random)
      return (Double(start), Double(Int.random(in: 1...count - start, using: &random)))
    default:
      let start = Double.random(in: 0..<Double(count) - 0.1, using: &random)
      return (start, Double.random(in: 0.05...Double(count) - start, using: &random))
    }
  }

  /// Returns the result of the resampler, and checks the bytes next to it.
  private func draw(
    _ picture: TestPicture, _ window: Rect, _ output: PixelSize, _ orientation: Orientation
  ) throws -> [UInt8] {
    let source = try PixelMemory(size: try #require(PixelSize(width: picture.width, height: picture.height)))
    source.bytes.update(from: picture.bytes, count: picture.bytes.count)
    let resampler = try Resampler(source: source, window: window, output: output, orientation: orientation)
    let count = output.bytesAtFourPerPixel
    var bytes = [UInt8](repeating: 0x5A, count: count + 64)
    try bytes.withUnsafeMutableBufferPointer { buffer in
      if let start = buffer.baseAddress { try resampler.draw(into: start + 32) }
    }
    #expect(bytes.prefix(32).allSatisfy { $0 == 0x5A } && bytes.suffix(32).allSatisfy { $0 == 0x5A })
    return Array(bytes[32..<32 + count])
  }

  /// Returns the index of a pixel in the rotated image.
  private func turned(_ x: Int, _ y: Int, in size: PixelSize, _ orientation: Orientation) -> Int {
    let (right, bottom) = (size.width - 1, size.height - 1)
    return switch orientation {
    case .up: y * size.width + x
    case .upMirrored: y * size.width + right - x
    case .down: (bottom - y) * size.width + right - x
    case .downMirrored: (bottom - y) * size.width + x
    case .leftMirrored: x * size.height + y
    case .right: x * size.height + bottom - y
    case .rightMirrored: (right - x) * size.height + bottom - y
    case .left: (right - x) * size.height + y
    }
  }
}

// MARK: - Weights

@Suite("The weights of the resampler")
struct LanczosWeightsTests {
  @Test(
    "The weights add up to one and stay within the line",
    arguments: [(10, 3), (3, 10), (1000, 7), (7, 1000), (1, 1), (1, 50), (50, 1)])
  func sums(count: Int, output: Int) {
    for (start, length) in [(0.0, Double(count)), (0.25, Double(count) * 0.7), (Double(count) * 0.4, 0.1)] {
      let weights = LanczosWeights(count: count, start: start, length: length, output: output)
      #expect(weights.spans.count == output)
      for span in weights.spans {
        let sum = weights.weights[span.weights..<span.weights + span.count].reduce(0, +)
        #expect(abs(sum - 1) < 1e-5)
        #expect(span.first >= 0 && span.count > 0 && span.first + span.count <= count)
      }
    }
  }

  @Test("A line at its own size is copied")
  func copies() {
    #expect(LanczosWeights(count: 40, start: 0, length: 40, output: 40).isCopy)
    let window = LanczosWeights(count: 40, start: 11, length: 20, output: 20)
    #expect(window.isCopy)
    #expect(window.spans.first?.first == 11)
    #expect(!LanczosWeights(count: 40, start: 10.5, length: 20, output: 20).isCopy)
  }

  @Test("A line that is enlarged or reduced is not copied, not even a single pixel")
  func changedLengths() {
    for count in 1...9 {
      for output in 1...12 {
        let isCopy = LanczosWeights(count: count, start: 0, length: Double(count), output: output).isCopy
        #expect(isCopy == (count == output), "\(count) to \(output)")
      }
    }
    #expect(!LanczosWeights(count: 1, start: 0.25, length: 0.5, output: 256).isCopy)
    #expect(!LanczosWeights(count: 3, start: 1, length: 1, output: 2).isCopy)
  }

  @Test("Mirroring the window mirrors the weights")
  func symmetry() {
    let weights = LanczosWeights(count: 37, start: 0, length: 37, output: 8)
    for (left, right) in zip(weights.spans, weights.spans.reversed()) {
      #expect(left.first == 37 - right.first - right.count)
      let ascending = weights.weights[left.weights..<left.weights + left.count]
      let descending = weights.weights[right.weights..<right.weights + right.count].reversed()
      #expect(zip(ascending, descending).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }
}
