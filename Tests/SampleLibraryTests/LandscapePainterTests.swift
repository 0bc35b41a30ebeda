import Geometry
import Rendering
import Testing

@testable import SampleLibrary

@Suite("The landscape painter")
struct LandscapePainterTests {
  private let painter = LandscapePainter()

  /// A small size of a scene's proportions.
  private func small(_ scene: LandscapeScene, longSide: Int) throws -> PixelSize {
    let most = max(scene.size.width, scene.size.height)
    return try pixels(
      max(1, scene.size.width * longSide / most), max(1, scene.size.height * longSide / most))
  }

  @Test("The same scene and size give the same pixels, whichever painter paints")
  func isDeterministic() throws {
    let other = LandscapePainter()
    for index in 0..<27 {
      let scene = SceneAlbum(seed: 9).scene(at: index)
      let size = try small(scene, longSide: 72)
      let first = try painter.paint(scene, size: size)
      #expect(try painter.paint(scene, size: size).contentDigest == first.contentDigest, "\(scene.title)")
      #expect(try other.paint(scene, size: size).contentDigest == first.contentDigest, "\(scene.title)")
    }
  }

  /// The pictures are the same on every machine and in every build.
  ///
  /// Where they are meant to change, raise `LandscapePainter.version`, so that files of the old ones are not taken for
  /// the new ones', and note the new digest.
  @Test("Version 1 of the painter paints these very pixels")
  func isVersionOne() throws {
    var digest = ContentDigest()
    for index in 0..<54 {
      let scene = SceneAlbum(seed: 1).scene(at: index)
      digest.combine(try painter.paint(scene, size: try small(scene, longSide: 96)).contentDigest)
    }
    #expect(LandscapePainter.version == 1)
    #expect(digest.value == 6_813_916_208_205_214_373)
  }

  @Test("Other indices and other seeds give other pictures")
  func differs() throws {
    var digests: Set<UInt64> = []
    for seed in 1...4 {
      for index in 0..<27 {
        let scene = SceneAlbum(seed: UInt64(seed)).scene(at: index)
        digests.insert(try painter.paint(scene, size: try pixels(40, 30)).contentDigest)
      }
    }
    #expect(digests.count == 4 * 27)
  }

  @Test("Any scene can be painted at any size", arguments: 0..<10)
  func paintsEverything(part: Int) throws {
    var random = PaintRandom(seed: UInt64(part), 99)
    for _ in 0..<60 {
      let scene = SceneAlbum(seed: random.next()).scene(at: random.below(10_000))
      let size = try pixels(1 + random.below(40), 1 + random.below(40))
      let bitmap = try painter.paint(scene, size: size)
      #expect(bitmap.size == size)
      let isOpaque = bitmap.withPixels { bytes in
        stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
      }
      #expect(isOpaque)
    }
  }

  @Test("A picture has lights and darks, and more than one colour")
  func hasContrast() throws {
    for index in 0..<54 {
      let scene = SceneAlbum(seed: 1).scene(at: index)
      let bitmap = try painter.paint(scene, size: try small(scene, longSide: 96))
      let (least, most) = bitmap.withPixels { bytes in
        stride(from: 0, to: bytes.count, by: 4).reduce(into: (255, 0)) { range, offset in
          let value = (Int(bytes[offset]) + Int(bytes[offset + 1]) + Int(bytes[offset + 2])) / 3
          range = (min(range.0, value), max(range.1, value))
        }
      }
      #expect(most - least > 40, "\(scene.title): \(least) to \(most)")
    }
  }

  @Test("A small copy shows the same picture as a larger one")
  func scales() throws {
    for index in 0..<27 {
      let scene = SceneAlbum(seed: 2).scene(at: index)
      let large = try painter.paint(scene, size: try small(scene, longSide: 320))
      let small = try painter.paint(scene, size: try small(scene, longSide: 160))
      let (first, second) = (
        try StoredBitmap.preview(of: large, longSide: 8), try StoredBitmap.preview(of: small, longSide: 8)
      )
      guard first.size == second.size else { continue }
      let difference = first.withPixels { left in
        second.withPixels { right in
          left.indices.reduce(0) { $0 + abs(Int(left[$1]) - Int(right[$1])) } / left.count
        }
      }
      #expect(difference < 16, "\(scene.title): \(difference)")
    }
  }

  @Test("A painting that is called off ends with an error")
  func cancels() throws {
    let scene = SceneAlbum(seed: 1).scene(at: 0)
    let size = try pixels(64, 64)
    #expect(throws: CancellationError.self) {
      try painter.paint(scene, size: size) { true }
    }
  }
}
