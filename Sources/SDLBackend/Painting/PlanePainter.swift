import Geometry
import Rendering

/// Draws lists into a window's memory: fills and copies pixel for pixel itself, and what is stretched by the renderer.
///
/// The renderer draws into the same memory, and at once, so that the order is kept.
nonisolated struct PlanePainter {
  /// The fewest pixels of which it is worth asking what others cover.
  private static let leastArea = 65_536

  private let plane: PixelPlane
  private let textures: TextureSlots
  private let covers: CoverList

  /// Makes a painter; the textures' pixels are in memory, in the plane's order.
  ///
  /// - Parameter covers: a list to be used for the while, so that nothing is allocated here.
  init(_ plane: PixelPlane, textures: TextureSlots, covers: CoverList) {
    self.plane = plane
    self.textures = textures
    self.covers = covers
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
    noteCovers(part, commands)
    fill(part, background, by: -1)
    // The list's clip, and as much of it as is drawn.
    var clip = plane.extent
    var visible = part
    var stale = 0
    for (place, command) in commands.enumerated() {
      switch command.kind {
      case .fill:
        let rect = visible.intersection(command.destination)
        if command.isBlended { plane.blend(rect, command.color) } else { fill(rect, command.color, by: place) }
      case .texture:
        guard textures.isLive(command.texture), let texels = textures.texels(of: command.texture) else {
          stale += 1
          continue
        }
        if !command.isStretched {
          guard let blit = Blit(command, texture: texels.size, visible: visible) else { continue }
          plane.draw(texels, blit, tint: command.color, isBlended: command.isBlended)
        } else if !visible.intersection(command.destination).isEmpty,
          let copy = ScaledCopy(
            source: command.source, destination: command.destination, bitmap: texels.size, visible: clip)
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

  /// Fills what later commands do not cover.
  private func fill(_ rect: PixelRect, _ color: Color, by command: Int) {
    if rect.area < PlanePainter.leastArea {
      plane.fill(rect, color)
    } else {
      covers.forEachPart(of: rect, uncoveredBehind: command) { plane.fill($0, color) }
    }
  }

  /// Notes what commands paint all over.
  private func noteCovers(_ part: PixelRect, _ commands: UnsafeBufferPointer<DrawCommand>) {
    covers.removeAll()
    guard part.area >= PlanePainter.leastArea else { return }
    var visible = part
    for (place, command) in commands.enumerated() {
      switch command.kind {
      case .fill:
        if !command.isBlended { covers.add(visible.intersection(command.destination), by: place) }
      case .texture:
        guard !command.isStretched, textures.isLive(command.texture),
          let texels = textures.texels(of: command.texture),
          !command.isBlended || (texels.isOpaque && command.color.alpha == 255),
          let blit = Blit(command, texture: texels.size, visible: visible)
        else { continue }
        covers.add(blit.rect, by: place)
      case .clip: visible = part.intersection(plane.extent.intersection(command.destination))
      case .endClip: visible = part
      }
    }
  }
}

nonisolated extension DrawCommand {
  fileprivate var isStretched: Bool { source.width != destination.width || source.height != destination.height }
}

nonisolated extension PixelRect {
  fileprivate var area: Int { isEmpty ? 0 : Int(width) * Int(height) }
}
