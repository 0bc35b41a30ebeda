import VitrineGeometry
import VitrinePathRasterization
import VitrineRendering

/// Drawing that no command can draw, because it is rotated, mirrored or sheared: it is painted into an image first.
extension DrawContext {
  /// Draws what a closure draws, transformed.
  ///
  /// The image is kept as long as it is drawn with the same content, and its transformed copy as long as the transform
  /// is the same too.
  func drawTransformedImage(_ transform: Transform, _ body: (DrawContext) -> Void) {
    let first = list.count
    body(self)
    let extent = list.extent(from: first)
    let commands = list.commands[first...].map { command in
      var moved = command
      moved.destination = command.destination.offsetBy(x: 0 &- extent.x, y: 0 &- extent.y)
      return moved
    }
    list.truncate(to: first)
    guard !extent.isEmpty, extent.area <= PathRasterizer.maximumArea else { return }
    let corner = Point(
      x: Double(extent.x) - Double(scale.pixel(origin.x)), y: Double(extent.y) - Double(scale.pixel(origin.y)))
    let content = DrawnTextureCache.Content(
      digest: commands.hashValue, count: commands.count, width: extent.width, height: extent.height)
    let key = DrawnTextureCache.Key.transformed(content, transform, corner: corner)
    let texture = drawnTextures.texture(for: key) {
      let image = drawnTextures.texture(for: .image(content)) { makeImage(of: commands, content) }
      guard let bitmap = image?.bitmap else { return nil }
      let factor = scale.pixelsPerPoint
      var pixelTransform = transform
      (pixelTransform.tx, pixelTransform.ty) = (transform.tx * factor, transform.ty * factor)
      let shape = PathRasterizer.rasterize(
        bitmap, transform: Transform(translationX: corner.x, y: corner.y).concatenating(pixelTransform))
      return DrawnTexture(shape?.bitmap, frame: shape?.frame ?? .zero, layers: .colors)
    }
    if let texture { draw(texture, at: .zero, .white) }
  }

  /// Paints commands over black and over white, whose difference shows how transparent each pixel is.
  private func makeImage(of commands: [DrawCommand], _ content: DrawnTextureCache.Content) -> DrawnTexture? {
    guard let size = PixelSize(width: Int(content.width), height: Int(content.height)) else { return nil }
    let textures = resources.textures
    func painted(over background: Color) -> [UInt32] {
      var pixels = [UInt32](repeating: 0, count: size.area)
      pixels.withUnsafeMutableBytes { memory in
        ReferencePainter(size: size, pixels: memory, background: background).paint(commands) {
          textures.bitmap(of: $0)
        }
      }
      return pixels
    }
    let (dark, light) = (painted(over: .black), painted(over: .white))
    let bitmap = try? Bitmap(size: size, isOpaque: false) { memory in
      let words = memory.bindMemory(to: UInt32.self)
      for index in words.indices {
        let (below, above) = (Color(packed: dark[index]), Color(packed: light[index]))
        let alpha = 255 - (Int(above.green) - Int(below.green))
        func straight(_ channel: UInt8) -> UInt8 {
          alpha > 0 ? UInt8(min(255, (Int(channel) * 255 + alpha / 2) / alpha)) : 255
        }
        words[index] =
          Color(
            red: straight(below.red), green: straight(below.green), blue: straight(below.blue),
            alpha: UInt8(max(0, min(255, alpha)))
          ).packed
      }
    }
    return bitmap.map { DrawnTexture($0, frame: .zero, layers: .colors) }
  }
}
