import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@testable import VitrineImagePipeline

@MainActor @Suite("Animations are decoded ahead on a thread")
struct ImageAnimationTests {
  /// The bytes of a GIF of 2 x 1 pixels with one frame of each given color of its palette: red, green, blue, black.
  private static func gif(_ colors: [UInt8]) -> [UInt8] {
    var bytes = Array("GIF89a".utf8) + [2, 0, 1, 0, 0x81, 0, 0]
    bytes += [255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]
    for color in colors {
      bytes += [0x21, 0xF9, 4, 0, 5, 0, 0, 0, 0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0]
      // A clear code, the color twice and the end, of three bits each.
      let codes = 4 | Int(color) << 3 | Int(color) << 6 | 5 << 9
      bytes += [2, 2, UInt8(codes & 255), UInt8(codes >> 8), 0]
    }
    return bytes + [0x3B]
  }

  private func pipeline() throws -> ImagePipeline {
    var configuration = ImagePipelineConfiguration(workers: 1)
    configuration.slotBytes = 1 << 20
    return try ImagePipeline(configuration, waker: TestWaker())
  }

  private func request(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> ImageRequest {
    let path = try folder.write(bytes, to: "picture.gif")
    let size = try #require(PixelSize(width: 20, height: 20))
    return ImageRequest(
      key: ImageKey(source: 1, size: size, fit: .fit), source: .file(path: path), fileBytes: bytes.count)
  }

  /// Takes frames, waiting for each.
  private func take(_ count: Int, from animation: ImageAnimation) -> [Color] {
    var colors: [Color] = []
    while colors.count < count, [.opening, .playing].contains(animation.condition) {
      guard let frame = animation.takeFrame() else { continue }
      #expect(frame.bitmap.size == PixelSize(width: 2, height: 1))
      #expect(frame.duration == .milliseconds(50))
      let order = frame.bitmap.order
      frame.bitmap.withPixels { pixels in
        let (red, blue) = order == .redFirst ? (pixels[0], pixels[2]) : (pixels[2], pixels[0])
        colors.append(Color(red: red, green: pixels[1], blue: blue))
      }
    }
    return colors
  }

  @Test("The frames have the colors of the display")
  func displayColors() throws {
    let folder = try TemporaryFolder()
    let pipeline = try pipeline()
    defer { pipeline.shutdown() }
    let writer = ICCProfileWriter(primaries: ICCProfileWriter.exchanged)
    pipeline.setDisplayProfile(ColorProfile(bytes: writer.bytes))
    let animation = try #require(pipeline.animation(try request(ImageAnimationTests.gif([0, 1, 2]), in: folder)))
    let colors = take(3, from: animation).map { [$0.red, $0.green, $0.blue].map { $0 > 253 } }
    #expect(colors == [[false, true, false], [true, false, false], [false, false, true]])
  }

  @Test("The frames of a file are decoded by a process, from the first one again after the last")
  func frames() throws {
    let folder = try TemporaryFolder()
    let pipeline = try pipeline()
    defer { pipeline.shutdown() }
    let animation = try #require(pipeline.animation(try request(ImageAnimationTests.gif([0, 1, 2]), in: folder)))
    let (red, green, blue) = (Color(hex: 0xFF0000), Color(hex: 0x00FF00), Color(hex: 0x0000FF))
    #expect(take(7, from: animation) == [red, green, blue, red, green, blue, red])
    #expect(animation.condition == .playing)
    #expect(animation.condition == .playing)
    #expect(pipeline.decoderStatus.deaths == 0)
  }

  @Test("A file with one frame is still, and a broken one fails")
  func others() throws {
    let folder = try TemporaryFolder()
    let pipeline = try pipeline()
    defer { pipeline.shutdown() }
    for bytes in [ImageAnimationTests.gif([0]), Array(ImageAnimationTests.gif([0, 1]).prefix(30))] {
      let animation = try #require(pipeline.animation(try request(bytes, in: folder)))
      #expect(take(1, from: animation) == [])
      #expect(animation.condition == .still)
    }
    let text = try #require(pipeline.animation(try request(Array("no picture".utf8), in: folder)))
    #expect(take(1, from: text) == [])
    #expect(text.condition == .still || text.condition == .failed(.refused(.notAPicture)))
    let missing = ImageRequest(
      key: try request([1], in: folder).key, source: .file(path: Array("/nowhere/picture.gif".utf8)))
    let animation = try #require(pipeline.animation(missing))
    #expect(take(1, from: animation) == [])
    #expect(animation.condition == .failed(.refused(.unreadable)))
  }

  @Test("Decoding rests when enough frames wait, and ends with the animation")
  func rest() throws {
    let reader = CountingReader()
    var animation: ImageAnimation? = try ImageAnimation(reader, waits: true, waker: TestWaker())
    #expect(animation?.takeFrame() != nil)
    // Frames of a fifth of the limit: five wait, and the one that was taken is there until it is replaced.
    try reader.waitForRest(at: 6)
    for _ in 0..<3 { #expect(animation?.takeFrame() != nil) }
    try reader.waitForRest(at: 9)
    animation = nil
    try reader.waitForEnd()
  }
}

/// A reader of endless frames, each a fifth of the limit of an animation.
private final class CountingReader: AnimationReader {
  private struct State {
    var count = 0
    var isInterrupted = false
    var isClosed = false
  }

  private let state = Lock(State())

  func nextFrame() throws(ImageFailure) -> AnimationFrame? {
    let isInterrupted = state.withLock { state in
      state.count += 1
      return state.isInterrupted
    }
    state.wakeAll()
    guard !isInterrupted, let size = PixelSize(width: 1024, height: ImageAnimation.byteLimit / 5 / 4096),
      let bitmap = try? Bitmap(size: size, isOpaque: true, { _ in })
    else { throw .interrupted }
    return AnimationFrame(bitmap: bitmap, duration: .zero)
  }

  func interrupt() { state.withLock { $0.isInterrupted = true } }

  func close() {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
  }

  func waitForRest(at count: Int) throws {
    let reached = try state.wait(for: "\(count) frames") { $0.count >= count ? $0.count : nil }
    #expect(reached == count)
  }

  func waitForEnd() throws { try state.wait(for: "the end of decoding") { $0.isClosed ? () : nil } }
}
