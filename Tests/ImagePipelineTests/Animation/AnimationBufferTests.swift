import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImagePipeline

@Suite("The buffer of an animation's frames")
struct AnimationBufferTests {
  /// A frame of 4 x 4 pixels, which are 64 bytes.
  private func frame(_ number: Int) throws -> AnimationFrame {
    let size = try #require(PixelSize(width: 4, height: 4))
    let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
      for index in pixels.indices { pixels[index] = UInt8(number) }
    }
    return AnimationFrame(bitmap: bitmap, duration: .milliseconds(Double(number)))
  }

  private func number(_ frame: AnimationFrame?) -> Int? { frame.map { Int($0.duration.microseconds / 1000) } }

  @Test("A small animation is decoded once, and taken again and again")
  func small() throws {
    var buffer = AnimationBuffer(byteLimit: 64 * 4)
    var taken: [Int?] = []
    for index in 1...3 {
      #expect(buffer.wantsFrame)
      buffer.append(try frame(index))
      if index == 2 { taken.append(number(buffer.takeFrame())) }
    }
    let continues = buffer.endPass()
    #expect(!continues && !buffer.wantsFrame && buffer.isComplete && !buffer.isStill)
    for _ in 0..<6 { taken.append(number(buffer.takeFrame())) }
    #expect(taken == [1, 2, 3, 1, 2, 3, 1])
  }

  @Test("One frame, or none, is no animation")
  func still() throws {
    var empty = AnimationBuffer(byteLimit: 64)
    let emptyContinues = empty.endPass()
    #expect(!emptyContinues && empty.isStill)
    let nothing = empty.takeFrame()
    #expect(number(nothing) == nil)
    var single = AnimationBuffer(byteLimit: 64)
    single.append(try frame(1))
    let singleContinues = single.endPass()
    #expect(!singleContinues && single.isStill)
  }

  @Test("A large one is decoded ahead within the limit, and again after its last frame", arguments: 0..<20)
  func large(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let (count, limit) = (Int.random(in: 9...20, using: &random), Int.random(in: 2...8, using: &random))
    var buffer = AnimationBuffer(byteLimit: 64 * limit)
    var (next, expected) = (1, 1)
    for _ in 0..<400 {
      if buffer.wantsFrame, Bool.random(using: &random) {
        if next > count {
          let continues = buffer.endPass()
          #expect(continues)
          next = 1
        }
        buffer.append(try frame(next))
        next += 1
        #expect(buffer.waitingCount <= max(2, limit))
      } else if let frame = buffer.takeFrame() {
        #expect(number(frame) == expected)
        expected = expected == count ? 1 : expected + 1
      } else {
        #expect(buffer.waitingCount == 0 && buffer.wantsFrame)
      }
    }
    #expect(!buffer.isComplete)
  }

  @Test("Of a million tiny frames, a bounded number waits, and taken ones make room")
  func tinyFrames() throws {
    var buffer = AnimationBuffer(byteLimit: 64 << 20)
    let tiny = try frame(1)
    for _ in 0..<AnimationBuffer.maximumCount {
      #expect(buffer.wantsFrame)
      buffer.append(tiny)
    }
    #expect(!buffer.wantsFrame)
    for _ in 0..<3 * AnimationBuffer.maximumCount {
      #expect(buffer.takeFrame() != nil && buffer.wantsFrame)
      buffer.append(tiny)
      #expect(buffer.waitingCount == AnimationBuffer.maximumCount)
    }
    let continues = buffer.endPass()
    #expect(continues, "the first frames were removed")
  }
}
