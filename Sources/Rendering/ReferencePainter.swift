public import VitrineGeometry

/// The simplest painter of display lists, as a reference to check other painters against.
///
/// Scaled copies use the nearest pixel of the source. Other painters may smooth them.
public struct ReferencePainter {
  private let size: PixelSize
  private let pixels: UnsafeMutableBufferPointer<UInt32>

  /// Creates a painter of memory with four bytes a pixel, and clears it to an opaque colour.
  /// - Precondition: The memory has the size and outlives the painter.
  public init(size: PixelSize, pixels: UnsafeMutableRawBufferPointer, background: Color) {
    self.init(size: size, pixels: pixels)
    var opaque = background
    opaque.alpha = 255
    self.pixels.update(repeating: opaque.packed)
  }

  /// Creates a painter that paints over the existing contents of memory.
  /// - Precondition: The memory has the size and outlives the painter.
  public init(size: PixelSize, pixels: UnsafeMutableRawBufferPointer) {
    self.size = size
    self.pixels = pixels.bindMemory(to: UInt32.self)
  }

  /// Paints commands in order.
  ///
  /// A command whose texture has no bitmap paints nothing.
  /// - Complexity: O(pixels painted).
  public func paint(_ commands: some Sequence<DrawCommand>, bitmap: (TextureID) -> Bitmap?) {
    paint(commands, within: bounds, bitmap: bitmap)
  }

  /// Clears a rectangle to an opaque colour and paints commands in order, clipped to the rectangle.
  /// - Complexity: O(pixels painted).
  public func repaint(
    _ part: PixelRect, background: Color, _ commands: some Sequence<DrawCommand>, bitmap: (TextureID) -> Bitmap?
  ) {
    var clearing = DrawCommand.fill(part, background)
    clearing.isBlended = false
    fill(clearing, clip: bounds)
    paint(commands, within: part.intersection(bounds), bitmap: bitmap)
  }

  private var bounds: PixelRect { PixelRect(x: 0, y: 0, width: Int32(size.width), height: Int32(size.height)) }

  private func paint(_ commands: some Sequence<DrawCommand>, within whole: PixelRect, bitmap: (TextureID) -> Bitmap?) {
    var clips = [whole]
    var clip: PixelRect { clips[clips.count - 1] }
    var layers: [(mask: LayerMask, visible: PixelRect, kept: [UInt32])] = []
    for command in commands {
      switch command.kind {
      case .clip: clips.append(clip.intersection(command.destination))
      case .endClip: if clips.count > 1 { clips.removeLast() }
      case .fill: fill(command, clip: clip)
      case .texture:
        if let source = bitmap(command.texture) { copy(source, command, clip: clip) }
      case .beginLayer:
        let visible = layers.count < LayerMask.maximumDepth ? clip.intersection(command.destination) : .zero
        layers.append((LayerMask(command), visible, pixels(in: visible)))
        clips.append(clip.intersection(command.destination))
      case .endLayer:
        guard let layer = layers.popLast() else { continue }
        if clips.count > 1 { clips.removeLast() }
        mix(layer.mask, in: layer.visible, with: layer.kept)
      }
    }
  }

  private func pixels(in rect: PixelRect) -> [UInt32] {
    guard !rect.isEmpty else { return [] }
    return (Int(rect.y)..<Int(rect.maxY)).flatMap { y in
      pixels[y * size.width + Int(rect.x)..<y * size.width + Int(rect.maxX)]
    }
  }

  /// Mixes pixels with those that were there before a layer.
  private func mix(_ mask: LayerMask, in visible: PixelRect, with kept: [UInt32]) {
    for (index, below) in kept.enumerated() {
      let (x, y) = (visible.x + Int32(index) % visible.width, visible.y + Int32(index) / visible.width)
      let position = Int(y) * size.width + Int(x)
      var above = Color(packed: pixels[position])
      above.alpha = UInt8(mask.weight(x: x, y: y))
      pixels[position] = above.over(Color(packed: below)).packed
    }
  }

  private func fill(_ command: DrawCommand, clip: PixelRect) {
    let visible = clip.intersection(command.destination)
    guard !visible.isEmpty else { return }
    for y in Int(visible.y)..<Int(visible.maxY) {
      for x in Int(visible.x)..<Int(visible.maxX) {
        writePixel(command.color, atX: x, y: y, isBlended: command.isBlended)
      }
    }
  }

  private func copy(_ bitmap: Bitmap, _ command: DrawCommand, clip: PixelRect) {
    let destination = command.destination
    let source = command.source
    let visible = clip.intersection(destination)
    guard !visible.isEmpty, !source.isEmpty else { return }
    let tint = command.color
    bitmap.withPixels { memory in
      let texels = memory.bindMemory(to: UInt32.self)
      for y in Int(visible.y)..<Int(visible.maxY) {
        let row = Int(source.y) + (y - Int(destination.y)) * Int(source.height) / Int(destination.height)
        guard row >= 0, row < bitmap.size.height else { continue }
        for x in Int(visible.x)..<Int(visible.maxX) {
          let column = Int(source.x) + (x - Int(destination.x)) * Int(source.width) / Int(destination.width)
          guard column >= 0, column < bitmap.size.width else { continue }
          let word = texels[row * bitmap.size.width + column]
          let texel = Color(packed: bitmap.order == .redFirst ? word : ChannelOrder.swappingRedAndBlue(word))
          writePixel(texel.tinted(by: tint), atX: x, y: y, isBlended: command.isBlended)
        }
      }
    }
  }

  private func writePixel(_ color: Color, atX x: Int, y: Int, isBlended: Bool) {
    let index = y * size.width + x
    var result = isBlended ? color.over(Color(packed: pixels[index])) : color
    result.alpha = 255
    pixels[index] = result.packed
  }
}

extension Color {
  /// Returns the colour multiplied by another, channel by channel.
  fileprivate func tinted(by tint: Color) -> Color {
    guard tint != .white else { return self }
    return Color(
      red: red.scaled(by: tint.red), green: green.scaled(by: tint.green), blue: blue.scaled(by: tint.blue),
      alpha: alpha.scaled(by: tint.alpha))
  }

  /// Returns the colour blended over an opaque one.
  fileprivate func over(_ below: Color) -> Color {
    Color(
      red: red.mixed(with: below.red, alpha), green: green.mixed(with: below.green, alpha),
      blue: blue.mixed(with: below.blue, alpha), alpha: 255)
  }
}

extension UInt8 {
  fileprivate func scaled(by factor: UInt8) -> UInt8 { UInt8((Int(self) * Int(factor) + 127) / 255) }

  fileprivate func mixed(with below: UInt8, _ alpha: UInt8) -> UInt8 {
    let upper = Int(self) * Int(alpha)
    let lower = Int(below) * (255 - Int(alpha))
    return UInt8((upper + lower + 127) / 255)
  }
}
