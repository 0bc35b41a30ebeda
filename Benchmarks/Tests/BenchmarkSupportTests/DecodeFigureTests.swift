import BenchmarkSupport
import Testing
import VitrineGeometry

@Suite("Decoding figures")
struct DecodeFigureTests {
  @Test("Goals depend on the kind, the megapixels and the size")
  func aims() {
    func aim(_ kind: PictureKind, _ megapixels: Double, _ size: Int) -> Double? {
      kind.aim(megapixels: megapixels, size: size)
    }
    #expect(aim(.baseline, 12, 256) == 0.85)
    #expect(aim(.baseline, 12, 512) == 0.7)
    #expect(aim(.baseline, 12, 300) == 0.95)
    #expect(aim(.baseline, 24, 256) == 0.95)
    #expect(aim(.progressive, 50, 256) == 0.25)
    #expect(aim(.progressive, 12, 512) == nil)
    #expect(aim(.heicWithPreview, 12, 256) == 0.05)
    #expect(aim(.other, 12, 256) == nil)
    #expect(PictureKind.progressive.minimumQuality == 43)
    #expect(PictureKind.avif.minimumQuality == 45)
    #expect(PictureKind.other.minimumQuality == nil)
  }

  @Test("A figure is the ratio of medians, compared with its goal")
  func ratios() {
    var figure = DecodeFigure(name: "a.png", kind: .png, megapixels: 12, size: 256)
    #expect(figure.ratio == nil)
    figure.ours = [90e6, 500e6, 80e6]
    figure.peer = [100e6, 100e6, 1e6]
    figure.quality = 44.96
    #expect(figure.ratio == 0.9)
    #expect(
      figure.row == [
        "a.png", "12.0", "256", "90.0 ms", "100 ms", "0.90x", "<= 0.90x reached", "45.0 dB", ">= 45 MISSED",
      ])
    #expect(DecodeFigure.verdict(0.91, atMost: 0.9) == "<= 0.90x MISSED")
    #expect(DecodeFigure.verdict(0.91, atMost: nil).isEmpty)
    #expect(DecodeFigure.median([]) == 0)
  }

  @Test("A file with an embedded thumbnail is compared with the peer's time for the whole image")
  func embeddedThumbnails() {
    var figure = DecodeFigure(name: "a.heic", kind: .heicWithPreview, megapixels: 12, size: 256)
    figure.ours = [5e6]
    figure.peer = [20e6]
    #expect(figure.ratio == 0.25)
    figure.peerOfWhole = [500e6]
    #expect(figure.ratio == 0.01)
    #expect(figure.row[4] == "20.0 ms / 500 ms")
    #expect(figure.row.last?.isEmpty == true)
  }

  @Test("The three paths of a JPEG are compared in pairs")
  func paths() {
    var figure = DecodePathFigure(name: "a.jpg", size: 512)
    figure.bare = [20e6]
    figure.inProcess = [22e6]
    figure.pipeline = [23e6]
    #expect(
      figure.row == [
        "a.jpg", "512", "20.0 ms", "22.0 ms", "23.0 ms", "1.15x", "<= 1.15x reached", "1.05x", "<= 1.05x reached",
      ])
  }

  @Test("The frame header of a JPEG specifies whether it is progressive")
  func frames() {
    func isProgressive(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { FrameMarker.isProgressive($0) } }
    let application: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC4, 0, 3, 9]
    #expect(isProgressive(application + [0xFF, 0xC2, 0, 8]))
    #expect(!isProgressive(application + [0xFF, 0xC0, 0, 8]))
    #expect(!isProgressive(application))
    #expect(!isProgressive([]))
    for count in 0..<application.count { #expect(!isProgressive(Array(application.prefix(count)))) }
  }
}

@Suite("Figures of cache hits and frame delays")
struct CacheHitFigureTests {
  @Test("The median latency of a hit and its processor time are compared with the goal")
  func hits() {
    var figure = CacheHitFigure(size: 256)
    figure.latencies = [100_000, 310_000, 320_000]
    figure.processorTime = 900_000
    #expect(figure.row == ["256", "3", "310 µs", "<= 300 µs MISSED", "300 µs", "<= 300 µs reached"])
    #expect(CacheHitFigure(size: 64).row.first == "64")
  }

  @Test("The increase of the 95th percentile over idle frames is compared with the goal")
  func lateness() {
    #expect(LatenessFigure.percentile95([]) == 0)
    #expect(LatenessFigure.percentile95([7]) == 7)
    #expect(LatenessFigure.percentile95((1...100).map(Double.init).reversed()) == 95)
    #expect(LatenessFigure.percentile95((1...10).map(Double.init)) == 10)
    var figure = LatenessFigure()
    figure.idle = [50_000, 60_000]
    figure.decoding = [60_000, 1_070_000]
    figure.decoded = 1_234
    #expect(
      figure.row == ["2", "1,234", "60.0 µs", "1.07 ms", "1.07 ms", "1.01 ms", "<= 1.00 ms MISSED"])
    figure.decoding = [60_000, 50_000]
    #expect(figure.row.last == "<= 1.00 ms reached")
  }
}

@Suite("Reference for thumbnails")
struct ReferencePixelsTests {
  private func reference(
    _ pixels: [UInt8], _ width: Int, _ height: Int, to newWidth: Int, _ newHeight: Int
  ) throws -> ReferencePixels {
    let source = try #require(PixelSize(width: width, height: height))
    let size = try #require(PixelSize(width: newWidth, height: newHeight))
    return pixels.withUnsafeBytes { ReferencePixels($0, source: source, size: size) }
  }

  @Test("Resampling an image to its own size does not change it")
  func identity() throws {
    let pixels: [UInt8] = (0..<60).map { UInt8($0 * 4) }
    let reference = try reference(pixels, 5, 3, to: 5, 3)
    for index in reference.values.indices {
      #expect(abs(reference.values[index] - Double(pixels[index / 3 * 4 + index % 3])) < 1e-9)
    }
    #expect(pixels.withUnsafeBytes { reference.quality(of: $0) } > 150)
  }

  @Test("A uniform image stays uniform, and a difference of one level is 48 decibels")
  func oneColor() throws {
    let reference = try reference(Array(repeating: 100, count: 40 * 30 * 4), 40, 30, to: 7, 5)
    #expect(reference.values.allSatisfy { abs($0 - 100) < 1e-9 })
    let others = [UInt8](repeating: 101, count: 7 * 5 * 4)
    let quality = others.withUnsafeBytes { reference.quality(of: $0) }
    #expect(abs(quality - 48.13) < 0.01)
  }

  @Test("Values beyond black and white are clamped")
  func clamps() throws {
    var pixels = [UInt8](repeating: 0, count: 16 * 4)
    for index in 8 * 4..<16 * 4 { pixels[index] = 255 }
    let reference = try reference(pixels, 16, 1, to: 8, 1)
    #expect(reference.values.allSatisfy { (0...255).contains($0) })
    #expect(reference.values.first == 0 && reference.values.last == 255)
  }
}
