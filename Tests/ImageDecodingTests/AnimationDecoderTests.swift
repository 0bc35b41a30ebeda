import Glibc
import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecodingCore

@Suite("Animations are decoded frame by frame")
struct AnimationDecoderTests {
  private static let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [0, 0, 0]]
  private static let background = Color(hex: 0x204060)

  /// The frames of a file at its own size, and their durations; nil if it is no animation.
  private func frames(
    _ file: [UInt8], atMost count: Int = 100, width: Int = 4000, height: Int = 4000
  ) throws -> [(picture: TestPicture, milliseconds: Int)]? {
    let size = try #require(PixelSize(width: width, height: height))
    let target = DecodingTarget(size: size, fit: .fit, background: AnimationDecoderTests.background)
    return try file.withUnsafeBytes { bytes in
      let header = ImageHeader.read(bytes)
      guard let decoder = try AnimationDecoder(bytes, header: header, target: target, decoder: ImageDecoder()) else {
        return nil
      }
      let output = try ImageDecoder().placement(header, fileBytes: bytes.count, target: target).outputSize
      var frames: [(TestPicture, Int)] = []
      while frames.count < count {
        var milliseconds: Int?
        let bitmap = try Bitmap(size: output, isOpaque: true) { pixels in
          milliseconds = try decoder.nextFrame(into: pixels)?.milliseconds
        }
        guard let milliseconds else { break }
        frames.append((TestPicture(bitmap), milliseconds))
      }
      return frames
    }
  }

  private func uniform(_ number: UInt8, _ width: Int, _ height: Int) -> [[UInt8]] {
    [[UInt8]](repeating: [UInt8](repeating: number, count: width), count: height)
  }

  /// An image whose parts have the colors of the palette, or the background.
  private func picture(_ width: Int, _ height: Int, _ number: (_ x: Int, _ y: Int) -> Int?) -> TestPicture {
    TestPicture(width: width, height: height) { x, y in
      guard let number = number(x, y) else { return AnimationDecoderTests.background }
      let color = AnimationDecoderTests.colors[number]
      return Color(red: color[0], green: color[1], blue: color[2])
    }
  }

  @Test("The frames of a GIF stay, are cleared, or give way to what was there, and last as long as it says")
  func gif() throws {
    var writer = GIFWriter(canvas: (6, 4), palette: AnimationDecoderTests.colors, transparent: 3)
    for isInterlaced in [false, true] {
      writer.isInterlaced = isInterlaced
      // The second is restored, the third is cleared, and the last lies partly outside.
      let file = writer.file([
        .init(rows: uniform(0, 6, 4), delay: 7),
        .init(left: 1, top: 1, rows: uniform(1, 2, 2), disposal: 3),
        .init(left: 3, top: 0, rows: [[2, 3], [2, 2]], disposal: 2, delay: 250),
        .init(left: 5, top: 3, rows: uniform(1, 4, 4), delay: 1),
      ])
      let frames = try #require(try frames(file))
      try #require(frames.count == 4)
      #expect(frames.map(\.milliseconds) == [70, 0, 2500, 10])
      #expect(frames[0].picture == picture(6, 4) { _, _ in 0 })
      #expect(frames[1].picture == picture(6, 4) { (1..<3).contains($0) && (1..<3).contains($1) ? 1 : 0 })
      #expect(frames[2].picture == picture(6, 4) { $0 >= 3 && $0 < 5 && $1 < 2 && !($0 == 4 && $1 == 0) ? 2 : 0 })
      #expect(
        frames[3].picture
          == picture(6, 4) { $0 == 5 && $1 == 3 ? 1 : (3..<5).contains($0) && $1 < 2 ? nil : 0 })
    }
  }

  @Test("Frames are scaled to the requested size")
  func scaled() throws {
    let writer = GIFWriter(canvas: (40, 20), palette: AnimationDecoderTests.colors)
    let file = writer.file([.init(rows: uniform(0, 40, 20)), .init(rows: uniform(2, 40, 20))])
    let frames = try #require(try frames(file, width: 10, height: 10))
    #expect(frames.map(\.picture) == [picture(10, 5) { _, _ in 0 }, picture(10, 5) { _, _ in 2 }])
  }

  @Test("The frames of a WebP replace or cover what is below, and are cleared")
  func webP() throws {
    let colors = [Color(hex: 0xFF0000), Color(hex: 0x00FF00)]
    let alpha = WebPFixture.alphaCorners
    // The second replaces the first by transparency, the third is drawn over it and cleared.
    let file = WebPFixture.animation(
      canvas: (24, 16),
      frames: [
        (0, 0, 24, 16, WebPFixture.uniformChunk(width: 24, height: 16, colors[0])),
        (0, 0, 24, 16, alpha),
        (2, 4, 8, 8, WebPFixture.uniformChunk(width: 8, height: 8, colors[1])),
        (0, 0, 2, 2, WebPFixture.uniformChunk(width: 2, height: 2, colors[0])),
      ], flags: [0, 2, 1, 0])
    let frames = try #require(try frames(file))
    try #require(frames.count == 4)
    #expect(frames.map(\.milliseconds) == [100, 100, 100, 100])
    #expect(frames[0].picture == TestPicture(width: 24, height: 16) { _, _ in colors[0] })
    // As the same image alone.
    let still = try Decoding.decode(WebPFixture.still(alpha), background: AnimationDecoderTests.background).picture
    #expect(frames[1].picture == still)
    func isInThird(_ x: Int, _ y: Int) -> Bool { (2..<10).contains(x) && (4..<12).contains(y) }
    #expect(frames[2].picture == TestPicture(width: 24, height: 16) { isInThird($0, $1) ? colors[1] : still[$0, $1] })
    #expect(
      frames[3].picture
        == TestPicture(width: 24, height: 16) {
          $0 < 2 && $1 < 2 ? colors[0] : isInThird($0, $1) ? AnimationDecoderTests.background : still[$0, $1]
        })
  }

  /// The chunks that make a PNG of a uniform color an animation.
  private func png(_ frames: [(left: Int, top: Int, size: Int, color: Color, dispose: UInt8, blend: UInt8)]) -> [UInt8]
  {
    func pixels(_ size: Int, _ color: Color) -> [UInt8] {
      PNGWriter.stored(
        (0..<size).flatMap { _ -> [UInt8] in
          [0] + (0..<size).flatMap { _ in [color.red, color.green, color.blue, color.alpha] }
        })
    }
    var sequence = 0
    func next() -> [UInt8] {
      defer { sequence += 1 }
      return PNGWriter.big(sequence)
    }
    var file = PNGWriter.signature
    file += PNGWriter.chunk("IHDR", PNGWriter.big(8) + PNGWriter.big(8) + [8, 6, 0, 0, 0])
    file += PNGWriter.chunk("acTL", PNGWriter.big(frames.count) + PNGWriter.big(0))
    for (index, frame) in frames.enumerated() {
      file += PNGWriter.chunk(
        "fcTL",
        next() + PNGWriter.big(frame.size) + PNGWriter.big(frame.size) + PNGWriter.big(frame.left)
          + PNGWriter.big(frame.top) + [0, 1, 0, 4, frame.dispose, frame.blend])
      let data = pixels(frame.size, frame.color)
      file += index == 0 ? PNGWriter.chunk("IDAT", data) : PNGWriter.chunk("fdAT", next() + data)
    }
    return file + PNGWriter.chunk("IEND", [])
  }

  @Test("The frames of a PNG replace or cover what is below, are cleared, or give way to what was there")
  func png() throws {
    let (red, half, clear) = (Color(hex: 0xFF0000), Color(hex: 0x0000FF).opacity(0.5), Color(hex: 0).opacity(0))
    let file = png([
      (0, 0, 8, red, 0, 0), (0, 0, 4, half, 2, 1), (4, 4, 4, clear, 1, 0), (0, 4, 4, half, 0, 0), (4, 0, 2, red, 0, 1),
    ])
    let frames = try #require(try frames(file))
    try #require(frames.count == 5)
    #expect(frames.map(\.milliseconds) == [250, 250, 250, 250, 250])
    let background = AnimationDecoderTests.background
    #expect(frames[0].picture == TestPicture(width: 8, height: 8) { _, _ in red })
    #expect(Decoding.isNear(frames[1].picture[1, 1], Color(hex: 0x7F0080), within: 2))
    #expect(frames[1].picture[5, 1] == red)
    // The second gave way.
    #expect(frames[2].picture == TestPicture(width: 8, height: 8) { $0 >= 4 && $1 >= 4 ? background : red })
    // It replaces what was below, and shows the background.
    #expect(Decoding.isNear(frames[3].picture[1, 5], Color(hex: 0x1020B0), within: 2))
    #expect(frames[4].picture[4, 0] == red)
    #expect(frames[4].picture[5, 5] == background)
  }

  @Test("Files with one frame are no animations, and neither are those of other formats")
  func stills() throws {
    let gif = GIFWriter(canvas: (4, 4), palette: AnimationDecoderTests.colors)
    let webP = WebPFixture.animation(
      canvas: (4, 4), frames: [(0, 0, 4, 4, WebPFixture.uniformChunk(width: 4, height: 4, .black))])
    let stills: [[UInt8]] = [
      gif.file(rows: uniform(0, 4, 4)), PNGWriter.file(.corners(width: 8, height: 8)),
      png([(0, 0, 8, .black, 0, 0)]), webP, WebPFixture.still(WebPFixture.losslessCorners),
      try JPEGFixture.file(.corners(width: 8, height: 8)),
    ]
    for file in stills { #expect(try frames(file) == nil) }
  }

  @Test("The first bytes tell most stills from animations, and no animation is taken for a still")
  func heads() throws {
    func mayBe(_ file: [UInt8]) throws -> Bool {
      try file.withUnsafeBytes { bytes in
        let format = try #require(ImageHeader.read(bytes)?.format)
        let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(AnimationDecoder.headBytes))
        return AnimationDecoder.mayBeAnimation(head: head, of: format)
      }
    }
    let animated = WebPFixture.animation(
      canvas: (4, 4), frames: [(0, 0, 4, 4, WebPFixture.uniformChunk(width: 4, height: 4, .black))])
    #expect(try mayBe(animated) && mayBe(png([(0, 0, 8, .black, 0, 0)])))
    var long = PNGWriter(width: 8, height: 8)
    long.chunks = [PNGWriter.chunk("tEXt", [UInt8](repeating: 65, count: 100_000))]
    #expect(try mayBe(long.file(.corners(width: 8, height: 8))), "what follows is not known")
    for still in [
      PNGWriter.file(.corners(width: 8, height: 8)), PNGWriter.file(.landscape(width: 300, height: 200)),
      WebPFixture.still(WebPFixture.losslessCorners), try JPEGFixture.file(.corners(width: 8, height: 8)),
    ] {
      #expect(try !mayBe(still))
    }
  }

  @Test("An animation that is cut off ends before the frame that is broken")
  func truncated() throws {
    let gif = GIFWriter(canvas: (40, 40), palette: AnimationDecoderTests.colors)
    let whole = gif.file((0..<3).map { .init(rows: uniform(UInt8($0), 40, 40)) })
    var counts: Set<Int> = []
    for file in [whole, png((0..<3).map { (0, 0, 8, AnimationDecoderTests.background, UInt8($0), 0) })] {
      for count in stride(from: file.count, to: file.count / 2, by: -7) {
        // A broken second frame makes the first one all there is.
        guard let frames = try frames(Array(file.prefix(count))) else { continue }
        #expect((1...3).contains(frames.count))
        counts.insert(frames.count)
      }
    }
    #expect(counts.isSuperset(of: [2, 3]))
    // Also within the header of the last frame's pixels.
    let pixels = WebPFixture.uniformChunk(width: 8, height: 8, .black)
    let webP = WebPFixture.animation(canvas: (8, 8), frames: (0..<3).map { _ in (0, 0, 8, 8, pixels) })
    for count in 1..<pixels.count { #expect(try frames(Array(webP.dropLast(count)))?.count == 2) }
  }

  @Test("The seeds of the fuzzer are animations")
  func seeds() throws {
    let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Fuzzing/Seeds/Animations"
    for (name, count) in [("gif", 3), ("gif-interlaced", 3), ("png", 3), ("png-palette", 2), ("webp", 3)] {
      #expect(try frames(Corpus.contents("/\(folder)/\(name)"))?.count == count, "\(name)")
    }
  }

  @Test("Changed files are decoded or refused", arguments: 0..<4)
  func mutations(seed: Int) throws {
    let gif = GIFWriter(canvas: (9, 9), palette: AnimationDecoderTests.colors, transparent: 3)
    let files: [[UInt8]] = [
      gif.file((0..<4).map { .init(left: $0, rows: uniform(UInt8($0), 6, 6), disposal: UInt8($0)) }),
      png([(0, 0, 8, .black, 0, 0), (1, 1, 4, .white, 2, 1), (2, 2, 3, .black, 1, 0)]),
      WebPFixture.animation(
        canvas: (24, 16), frames: [(0, 0, 24, 16, WebPFixture.alphaCorners), (2, 4, 22, 12, WebPFixture.lossyCorners)]),
    ]
    var random = SeededGenerator(seed: UInt64(seed))
    var decoded = 0
    for file in files {
      for _ in 0..<100 {
        var changed = file
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        do {
          decoded += try frames(changed, atMost: 8, width: 30, height: 30)?.count ?? 0
        } catch is DecodingError {
          continue
        }
      }
    }
    #expect(decoded > 100)
  }

  @Test(
    "The frames of public test suites are those of another decoder",
    .enabled(if: Corpus.isAvailable, "SKIPPED: there is no ../shared/images beside the package")
  )
  func references() throws {
    let tests = Corpus.folder + "/image-rs+image/tests/"
    let cases = [
      ("apng/wpt/dispose-background-blend-source.png", 3), ("apng/wpt/fcTL-blend-source-transparent.png", 2),
      ("apng/wpt/fcTL-dispose-in-region-background.png", 2),
    ]
    for (name, count) in cases {
      let frames = try #require(try frames(Corpus.contents(tests + "images/png/" + name)), "\(name)")
      #expect(frames.count >= count, "\(name)")
      for number in 1...count {
        let padded = number < 10 ? "0\(number)" : "\(number)"
        let path = tests + "reference/png/" + name + ".anim_\(padded).png"
        guard access(path, R_OK) == 0 else { continue }
        let expected = try Decoding.decode(
          Corpus.contents(path), background: AnimationDecoderTests.background
        ).picture
        let difference = zip(frames[number - 1].picture.bytes, expected.bytes).map { abs(Int($0) - Int($1)) }.max()
        #expect(difference.map { $0 <= 2 } == true, "\(name), frame \(number): \(difference ?? -1)")
      }
    }
    let sequence = Corpus.folder + "/AOMediaCodec+libavif/tests/data/colors-animated-8bpc.avif"
    let bytes = try Corpus.contents(sequence)
    #expect(bytes.withUnsafeBytes { AnimationDecoder.mayBeAnimation(head: $0, of: .avif) })
    let frames = try #require(try frames(bytes))
    #expect(frames.count == 5)
    #expect(Set(frames.map(\.picture)).count == 5)
    #expect(frames.allSatisfy { $0.milliseconds > 0 })
  }
}
