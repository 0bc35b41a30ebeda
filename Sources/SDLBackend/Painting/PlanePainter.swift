import Geometry
import Rendering

/// Draws lists into a window's memory: fills and copies pixel for pixel itself, and what is stretched by the renderer.
///
/// The renderer draws into the same memory, and at once, so that the order is kept.
nonisolated struct PlanePainter {
  private let plane: PixelPlane
  private let textures: TextureSlots

  /// Makes a painter; the textures' pixels are in memory, in the plane's order.
  init(_ plane: PixelPlane, textures: TextureSlots) {
    self.plane = plane
    self.textures = textures
  }

  /// Clears to a colour and draws a list in its order; the number of commands whose texture is gone comes back.
  func paint(
    _ commands: UnsafeBufferPointer<DrawCommand>, background: Color, renderer: borrowing RendererHandle
  ) -> Int {
    repaint(plane.extent, commands, background: background, renderer: renderer)
  }

  /// Clears a rectangle to a colour and draws a list in its order, cut to the rectangle.
  ///
  /// A copy that is stretched is cut as in the whole frame, as its look depends on that: the rectangle is to have all that
  /// shows of it.
  /// - Returns: the number of commands whose texture is gone.
  @discardableResult
  func repaint(
    _ part: PixelRect, _ commands: UnsafeBufferPointer<DrawCommand>, background: Color,
    renderer: borrowing RendererHandle
  ) -> Int {
    plane.fill(part, background)
    // The list's clip, and as much of it as is drawn.
    var clip = plane.extent
    var visible = part
    var stale = 0
    for command in commands {
      switch command.kind {
      case .fill:
        let place = visible.intersection(command.destination)
        if command.isBlended { plane.blend(place, command.color) } else { plane.fill(place, command.color) }
      case .texture:
        guard textures.isLive(command.texture), let texels = textures.texels(of: command.texture) else {
          stale += 1
          continue
        }
        let (source, destination) = (command.source, command.destination)
        if source.width == destination.width, source.height == destination.height {
          guard let blit = Blit(source: source, destination: destination, texture: texels.size, visible: visible)
          else { continue }
          plane.draw(texels, blit, tint: command.color, isBlended: command.isBlended)
        } else if !visible.intersection(destination).isEmpty,
          let copy = ScaledCopy(source: source, destination: destination, bitmap: texels.size, visible: clip)
        {
          renderer.copy(copy, command, textures: textures, within: visible)
        }
      case .clip:
        clip = plane.extent.intersection(command.destination)
        visible = part.intersection(clip)
      case .endClip:
        clip = plane.extent
        visible = part
      }
    }
    return stale
  }
}
