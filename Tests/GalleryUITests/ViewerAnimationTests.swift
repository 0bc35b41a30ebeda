import CollectionUI
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The viewer shows animations")
struct ViewerAnimationTests {
  private let gallery: GalleryFixture
  /// The color of each frame.
  private nonisolated static let colors = [Color(hex: 0xFF0000), Color(hex: 0x00FF00), Color(hex: 0x0000FF)]

  /// A gallery of an animation of 300 x 200 pixels with frames of 80, 160 and 240 ms, a still and a photograph.
  init() throws {
    let feed = FakeFeed()
    let names = ["a.gif", "b.gif", "c.jpg"]
    let header = ImageHeader(format: .gif, storedSize: PixelSize(width: 300, height: 200))
    feed.appendBatch(
      feed.photos(3) { names[Int($0)] }, FakeFeed.headers(0, [ImageHeader](repeating: header, count: 3)), FakeFeed.end)
    gallery = try GalleryFixture(
      feed,
      makeFrames: { request in
        guard case .file(let path) = request.source, path.suffix(5).elementsEqual("a.gif".utf8) else { return [] }
        return ViewerAnimationTests.colors.enumerated().compactMap { index, color in
          guard let size = PixelSize(width: 300, height: 200),
            let bitmap = try? Bitmap(
              size: size, isOpaque: true,
              { pixels in
                for offset in stride(from: 0, to: pixels.count, by: 4) {
                  pixels.storeBytes(of: color.packed, toByteOffset: offset, as: UInt32.self)
                }
              })
          else { return nil }
          return AnimationFrame(bitmap: bitmap, duration: .milliseconds(Double(80 * (index + 1))))
        }
      })
    gallery.harness.run(milliseconds: 2000)
    press(.right)
    press(.enter)
    gallery.harness.run(milliseconds: 1000)
  }

  private func press(_ key: Key) {
    gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
    gallery.harness.run(milliseconds: 1000)
  }

  /// The index of the frame that the viewer shows, or nil if it shows none.
  private var shown: Int? {
    gallery.screen.viewer.animation.frame.flatMap { frame in
      let color = frame.withPixels { $0.loadUnaligned(fromByteOffset: 0, as: UInt32.self) }
      return ViewerAnimationTests.colors.firstIndex { $0.packed == color }
    }
  }

  @Test("Another profile of the display starts the animation again in its colors, also while it is paused")
  func displayColors() throws {
    func color() -> Color? {
      gallery.screen.viewer.animation.frame?.withPixels { pixels in
        Color(red: pixels[0] / 254 * 255, green: pixels[1] / 254 * 255, blue: pixels[2] / 254 * 255)
      }
    }
    while shown != 2 { gallery.harness.run(frames: 1) }
    let writer = ICCProfileWriter(primaries: ICCProfileWriter.exchanged)
    let profile = try #require(ColorProfile(bytes: writer.bytes))
    gallery.screen.windowActions.colorProfile = { profile }
    var colors: [Color?] = []
    for _ in 0..<400 where colors.count < 5 {
      gallery.harness.run(frames: 1)
      if color() != colors.last ?? nil { colors.append(color()) }
    }
    let (red, green, blue) = (Color(hex: 0xFF0000), Color(hex: 0x00FF00), Color(hex: 0x0000FF))
    #expect(colors == [green, red, blue, green, red])
    gallery.screen.viewer.toggleAnimation()
    gallery.screen.windowActions.colorProfile = { nil }
    gallery.harness.run(milliseconds: 1000)
    #expect(gallery.screen.viewer.animation.frame == nil, "the picture is shown")
    gallery.screen.viewer.toggleAnimation()
    gallery.harness.run(milliseconds: 100)
    #expect(shown == 0 || shown == 1)
  }

  @Test("Frames follow each other in their time, and the window is drawn for them alone")
  func plays() throws {
    // Until the second frame begins.
    while shown != 0 { gallery.harness.run(frames: 1) }
    while shown == 0 { gallery.harness.run(frames: 1) }
    var durations: [(frame: Int?, milliseconds: Double)] = []
    var start = gallery.harness.clock.now()
    for _ in 0..<6 {
      let frame = shown
      while shown == frame { gallery.harness.run(frames: 1) }
      let now = gallery.harness.clock.now()
      durations.append((frame, (now - start).seconds * 1000))
      start = now
    }
    #expect(durations.map(\.frame) == [1, 2, 0, 1, 2, 0])
    for (frame, milliseconds) in durations {
      let expected = Double(80 * ((frame ?? 0) + 1))
      #expect((milliseconds - expected).magnitude <= 16)
    }
    let before = gallery.harness.display.presentedFrames
    gallery.harness.run(milliseconds: 4800)
    // Ten rounds of three frames, each with one more for the upload; the time ends within one.
    let drawn = gallery.harness.display.presentedFrames - before
    #expect((29...75).contains(drawn))
  }

  @Test("An animation goes on when it is enlarged, or the window is resized")
  func enlarged() throws {
    func runUntilSecondFrameEnds(after change: () -> Void) {
      while shown != 0 { gallery.harness.run(frames: 1) }
      while shown == 0 { gallery.harness.run(frames: 1) }
      change()
      gallery.harness.run(frames: 2)
      while shown == 1 { gallery.harness.run(frames: 1) }
      #expect(shown == 2)
    }
    runUntilSecondFrameEnds { gallery.harness.resize(to: Size(width: 700, height: 500)) }
    gallery.screen.viewer.state?.view.reducesMotion = true
    runUntilSecondFrameEnds { gallery.screen.viewer.zoom(bySteps: 3) }
    #expect(gallery.screen.viewer.state?.view.zoom.isZoomed == true)
  }

  @Test("A picture with one frame, a photograph and a closed viewer show no frames")
  func others() throws {
    #expect(shown != nil)
    press(.right)
    #expect(shown == nil)
    #expect(gallery.screen.viewer.nextFrame == nil && !gallery.screen.viewer.hasPendingResult)
    press(.right)
    #expect(shown == nil)
    press(.home)
    #expect(shown != nil)
    press(.escape)
    #expect(!gallery.screen.viewer.isShown && shown == nil)
    #expect(gallery.harness.runUntilIdle() < 10, "nothing is animated any more")
  }

  @Test("P pauses it, and lets it continue with the next frame")
  func paused() throws {
    gallery.type("p", milliseconds: 0)
    gallery.harness.run(milliseconds: 50)
    let frame = try #require(shown)
    #expect(gallery.harness.runUntilIdle() < 10)
    #expect(shown == frame)
    gallery.type("p", milliseconds: 0)
    gallery.harness.run(milliseconds: 40)
    #expect(shown == (frame + 1) % 3)
  }

  @Test("An animation ends when the next picture is not decoded, or is broken", arguments: [false, true])
  func nextPictureIsNotDecoded(isBroken: Bool) throws {
    let feed = FakeFeed()
    let names = ["a.gif", "b.jpg", "c.jpg"]
    let header = ImageHeader(format: .gif, storedSize: PixelSize(width: 300, height: 200))
    feed.appendBatch(
      feed.photos(3) { names[Int($0)] }, FakeFeed.headers(0, [ImageHeader](repeating: header, count: 3)), FakeFeed.end)
    let gallery = try GalleryFixture(
      feed, decodeDelay: isBroken ? .milliseconds(10) : .seconds(3),
      makeOutcome: { request in
        guard isBroken, case .file(let path) = request.source, path.suffix(5).elementsEqual("b.jpg".utf8) else {
          return GatedDecoder.generatedImage(for: request.key)
        }
        return .failure(.refused(.damaged))
      },
      makeFrames: { request in
        (0..<2).compactMap { _ in
          guard let bitmap = try? Bitmap(size: request.key.size, isOpaque: true, { _ in }) else { return nil }
          return AnimationFrame(bitmap: bitmap, duration: .milliseconds(50))
        }
      })
    gallery.harness.run(milliseconds: 8000)
    for key in [Key.right, .enter] {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.harness.run(milliseconds: 500)
    }
    gallery.harness.run(milliseconds: isBroken ? 500 : 3000)
    try #require(gallery.screen.viewer.animation.frame != nil)
    gallery.harness.sendEvent(.keyDown(isBroken ? .right : .end, modifiers: [], isRepeat: false))
    gallery.harness.run(milliseconds: 200)
    #expect(gallery.screen.viewer.animation.frame == nil)
    #expect(gallery.screen.viewer.animation.nextFrame == nil && !gallery.screen.viewer.hasPendingResult)
  }

  @Test("If decoding is lost, it starts again once")
  func lostDecoding() throws {
    press(.escape)
    for (count, plays) in [(1, true), (2, false)] {
      gallery.decoder.loseNextAnimations(count)
      press(.enter)
      gallery.harness.run(milliseconds: 3000)
      #expect(gallery.screen.viewer.animation.isPlaying == plays)
      press(.escape)
      gallery.decoder.loseNextAnimations(0)
    }
  }

  @Test("Pictures that fly past while a key is held are not animated, and the one where it stops is")
  func heldKey() throws {
    press(.end)
    for key in [Key.left, .left] {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: true))
      gallery.harness.run(milliseconds: 30)
    }
    gallery.harness.run(milliseconds: 120)
    #expect(gallery.screen.viewer.state?.index == 0 && !gallery.screen.viewer.animation.isPlaying)
    gallery.harness.run(milliseconds: 500)
    #expect(gallery.screen.viewer.animation.isPlaying)
  }
}
