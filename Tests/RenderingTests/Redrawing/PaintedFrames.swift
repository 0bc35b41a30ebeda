import Geometry
import Rendering
import TestSupport
import Testing

/// Frames painted twice, from nothing and from the frame before, by the reference painter.
final class PaintedFrames {
  /// What was done to the last frame.
  private(set) var change = FrameChange.whole
  /// What was drawn anew in the last frame.
  private(set) var damage: [PixelRect] = []

  private let output: PixelRect
  private let size: PixelSize
  private let comparison = FrameComparison()
  private let bitmaps: [TextureID: Bitmap]
  private var kept: [UInt32]

  /// Makes frames of an extent.
  init(output: PixelRect, bitmaps: [TextureID: Bitmap] = [:]) throws {
    self.output = output
    self.bitmaps = bitmaps
    size = try #require(PixelSize(width: Int(output.width), height: Int(output.height)))
    kept = Array(repeating: 0, count: size.area)
  }

  /// The pixels that were drawn anew, those of overlapping rectangles counted twice.
  var damagedArea: Int { damage.reduce(0) { $0 + Int($1.width) * Int($1.height) } }

  /// Paints the next frame in both ways and says whether they are the same, byte for byte.
  func next(_ commands: [DrawCommand], background: Color = .black) -> Bool {
    let list = DisplayList()
    commands.forEach(list.append)
    change = comparison.compare(list, background: background, output: output)
    damage = Array(comparison.damage)
    var whole = kept
    whole.withUnsafeMutableBytes { pixels in
      ReferencePainter(size: size, pixels: pixels, background: background).paint(commands) { bitmaps[$0] }
    }
    switch change {
    case .whole: kept = whole
    case .parts(let move):
      kept.withUnsafeMutableBytes { pixels in
        if let start = pixels.baseAddress { move?.movePixels(in: start, bytesPerRow: size.width * 4) }
        let painter = ReferencePainter(size: size, pixels: pixels)
        for part in damage { painter.repaint(part, background: background, commands) { bitmaps[$0] } }
      }
    }
    return kept == whole
  }

  /// The pixels of the last frame are lost.
  func forget() { comparison.invalidate() }
}
