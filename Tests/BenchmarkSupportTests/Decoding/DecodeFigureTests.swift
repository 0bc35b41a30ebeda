import BenchmarkSupport
import Testing

@Suite("What decoding takes")
struct DecodeFigureTests {
  @Test("the aims are those of the kind, the megapixels and the size")
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
    #expect(PictureKind.progressive.leastQuality == 43)
    #expect(PictureKind.avif.leastQuality == 45)
    #expect(PictureKind.other.leastQuality == nil)
  }

  @Test("a figure is the ratio of medians, held against its aim")
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

  @Test("a file with a small picture in it is held against the peer's time for the picture itself")
  func wholes() {
    var figure = DecodeFigure(name: "a.heic", kind: .heicWithPreview, megapixels: 12, size: 256)
    figure.ours = [5e6]
    figure.peer = [20e6]
    #expect(figure.ratio == 0.25)
    figure.peerOfWhole = [500e6]
    #expect(figure.ratio == 0.01)
    #expect(figure.row[4] == "20.0 ms / 500 ms")
    #expect(figure.row.last?.isEmpty == true)
  }

  @Test("the three ways of a JPEG are compared two by two")
  func routes() {
    var figure = RouteFigure(name: "a.jpg", size: 512)
    figure.bare = [20e6]
    figure.inProcess = [22e6]
    figure.pipeline = [23e6]
    #expect(
      figure.row == [
        "a.jpg", "512", "20.0 ms", "22.0 ms", "23.0 ms", "1.15x", "<= 1.15x reached", "1.05x", "<= 1.05x reached",
      ])
  }

  @Test("a JPEG's frame says in how many passes it comes")
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
