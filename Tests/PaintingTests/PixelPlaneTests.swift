import Testing
import VitrineGeometry
import VitrinePainting
import VitrineRendering
import VitrineTestSupport

@Suite("Pixels in memory are drawn like those of the reference painter, byte for byte")
struct PixelPlaneTests {
  @Test(
    "Any fill, opaque or not, is exact and changes nothing around it", arguments: [ChannelOrder.redFirst, .blueFirst],
    1...100 as ClosedRange<UInt64>)
  func fills(order: ChannelOrder, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var plane = TestPlane(size: .random(upTo: 23, using: &random), order: order, using: &random)
    for _ in 0..<8 {
      let rect = PixelRect.random(within: plane.size.rect, using: &random)
      var command = DrawCommand.fill(
        rect, .random(alpha: .randomChannel(using: &random), using: &random))
      command.isBlended = Bool.random(using: &random)
      plane.paint([command], bitmap: nil) { pixels in
        if command.isBlended { pixels.blend(rect, command.color) } else { pixels.fill(rect, command.color) }
      }
      #expect(plane.matchesReference, "\(command)")
    }
  }

  @Test(
    "Any copy pixel for pixel is exact and changes nothing around it", arguments: [ChannelOrder.redFirst, .blueFirst],
    TestScale.seeds(UInt64(1)...300))
  func copies(order: ChannelOrder, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var plane = TestPlane(size: .random(upTo: 23, using: &random), order: order, using: &random)
    let picture = try Bitmap.random(.random(upTo: 19, using: &random), using: &random)
    TestPlane.withTexels(of: picture, order: order) { texels in
      for _ in 0..<8 {
        let command = DrawCommand.randomCopy(of: picture.size, on: plane.size, using: &random)
        let clip = PixelRect.random(within: plane.size.rect, using: &random)
        plane.paint([DrawCommand(kind: .clip, destination: clip), command], bitmap: picture) { pixels in
          guard let blit = Blit(command, texture: picture.size, visible: clip) else { return }
          pixels.draw(texels, blit, tint: command.color, isBlended: command.isBlended)
        }
        #expect(plane.matchesReference, "\(command) in \(clip), opaque \(picture.isOpaque), white \(texels.isWhite)")
      }
    }
  }

  @Test(
    "Every channel value with every alpha over any other value is exact, for white ink and for a color",
    arguments: [false, true])
  func everyProduct(isWhite: Bool) throws {
    var random = SeededGenerator(seed: 7)
    for channel in 0...255 as ClosedRange<UInt8> {
      let size = try #require(PixelSize(width: 256, height: 3))
      var plane = TestPlane(size: size, order: .blueFirst, using: &random)
      let color = Color(red: channel, green: 255 - channel, blue: channel, alpha: 255)
      let picture = try bitmap(256, 3, isOpaque: false) { x, _ in
        var pixel = isWhite ? Color.white : color
        pixel.alpha = UInt8(x)
        return pixel
      }
      let command = DrawCommand.copy(
        .none, from: size.rect, to: size.rect, tint: isWhite ? color : .white, isBlended: true)
      TestPlane.withTexels(of: picture, order: .blueFirst) { texels in
        #expect(texels.isWhite == isWhite)
        plane.paint([command], bitmap: picture) { pixels in
          guard let blit = Blit(command, texture: size, visible: size.rect) else { return }
          pixels.draw(texels, blit, tint: command.color, isBlended: true)
        }
      }
      #expect(plane.matchesReference, "channel \(channel)")
    }
  }

  @Test("A bitmap that is wrongly marked as opaque is drawn as if it were opaque")
  func wronglyOpaque() throws {
    var random = SeededGenerator(seed: 3)
    let size = try #require(PixelSize(width: 5, height: 2))
    let claimed = try bitmap(5, 2, isOpaque: true) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 9, alpha: 3) }
    let opaque = try bitmap(5, 2, isOpaque: true) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 9) }
    var plane = TestPlane(size: size, order: .blueFirst, using: &random)
    let command = DrawCommand.copy(
      .none, from: size.rect, to: size.rect, tint: Color(hex: 0xFFFFFF, alpha: 100), isBlended: true)
    try TestPlane.withTexels(of: claimed, order: .blueFirst) { texels in
      let blit = try #require(Blit(command, texture: size, visible: size.rect))
      plane.paint([command], bitmap: opaque) { $0.draw(texels, blit, tint: command.color, isBlended: true) }
    }
    #expect(plane.matchesReference)
  }
}

extension Bitmap {
  /// Returns a random opaque bitmap, bitmap with transparency, or white ink.
  ///
  /// Bitmaps with transparency have transparent runs.
  fileprivate static func random(_ size: PixelSize, using random: inout SeededGenerator) throws -> Bitmap {
    let isOpaque = random.chance(oneIn: 3)
    let isWhite = Bool.random(using: &random)
    var blank = 0
    return try bitmap(size.width, size.height, isOpaque: isOpaque) { _, _ in
      var color = Color.random(alpha: isOpaque ? 255 : .randomChannel(using: &random), using: &random)
      if isWhite { (color.red, color.green, color.blue) = (255, 255, 255) }
      if random.chance(oneIn: 12) { blank = .random(in: 0...11, using: &random) }
      if blank > 0, !isOpaque { color.alpha = 0 }
      blank -= 1
      return color
    }
  }
}

extension DrawCommand {
  /// Returns a random copy that is not scaled, often partly outside the window or the texture.
  fileprivate static func randomCopy(
    of texture: PixelSize, on window: PixelSize, using random: inout SeededGenerator
  ) -> DrawCommand {
    let (width, height) = (Int32.random(in: 0...24, using: &random), Int32.random(in: 0...24, using: &random))
    let source = PixelRect.at(
      .random(in: -4...Int32(texture.width), using: &random), .random(in: -4...Int32(texture.height), using: &random),
      width, height)
    let destination = PixelRect.at(
      .random(in: -20...Int32(window.width), using: &random), .random(in: -20...Int32(window.height), using: &random),
      width, height)
    var tint = Color.random(alpha: .randomChannel(using: &random), using: &random)
    if Bool.random(using: &random) { (tint.red, tint.green, tint.blue) = (255, 255, 255) }
    return .copy(
      .none, from: source, to: destination, tint: tint, isBlended: Bool.random(using: &random))
  }
}
