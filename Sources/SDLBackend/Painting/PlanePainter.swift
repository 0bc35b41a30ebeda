import Geometry
import Rendering

/// Draws lists into a window's memory.
nonisolated struct PlanePainter {
  /// The fewest pixels of which it is worth asking what others cover.
  private static let minimumArea = 65_536

  private let plane: PixelPlane
  private let textures: TextureSlots
  private let occluders: OccluderList
  private let stretchPainter: StretchPainter

  /// Makes a painter; the textures' pixels are in memory, in the plane's order.
  ///
  /// - Parameters:
  ///   - covers: a list to be used for the while, so that nothing is allocated here.
  ///   - stretching: draws what is stretched, in memory of its own.
  init(_ plane: PixelPlane, textures: TextureSlots, occluders: OccluderList, stretchPainter: StretchPainter) {
    self.plane = plane
    self.textures = textures
    self.occluders = occluders
    self.stretchPainter = stretchPainter
  }

  /// Clears to a colour and draws a list in its order; the number of commands whose texture is gone comes back.
  func paint(_ commands: UnsafeBufferPointer<DrawCommand>, background: Color) -> Int {
    repaint(plane.extent, commands, background: background)
  }

  /// Clears a rectangle to a colour and draws a list in its order, cut to the rectangle.
  ///
  /// - Returns: the number of commands whose texture is gone.
  @discardableResult
  func repaint(_ part: PixelRect, _ commands: UnsafeBufferPointer<DrawCommand>, background: Color) -> Int {
    recordOccluders(part, commands)
    fillVisibleParts(part, background, by: -1)
    var visible = part
    var stale = 0
    for (place, command) in commands.enumerated() {
      switch command.kind {
      case .fill:
        let rect = visible.intersection(command.destination)
        if command.isBlended {
          plane.blend(rect, command.color)
        } else {
          fillVisibleParts(rect, command.color, by: place)
        }
      case .texture:
        guard textures.isLive(command.texture), let texels = textures.texels(of: command.texture) else {
          stale += 1
          continue
        }
        if !command.isStretched {
          guard let blit = Blit(command, texture: texels.size, visible: visible) else { continue }
          plane.draw(texels, blit, tint: command.color, isBlended: command.isBlended)
        } else if !visible.intersection(command.destination).isEmpty,
          // Cut to what the texture has.
          let copy = ScaledCopy(
            source: command.source, destination: command.destination, bitmap: texels.size,
            visible: command.destination)
        {
          stretchPainter.drawStretched(
            texels, from: copy.source, to: copy.destination, within: visible, on: plane, tint: command.color,
            isBlended: command.isBlended)
        }
      case .clip: visible = part.intersection(plane.extent.intersection(command.destination))
      case .endClip: visible = part
      }
    }
    return stale
  }

  /// Fills what later commands do not cover.
  private func fillVisibleParts(_ rect: PixelRect, _ color: Color, by command: Int) {
    if rect.area < PlanePainter.minimumArea {
      plane.fill(rect, color)
    } else {
      occluders.forEachVisiblePart(of: rect, behind: command) { plane.fill($0, color) }
    }
  }

  /// Notes what commands paint all over.
  private func recordOccluders(_ part: PixelRect, _ commands: UnsafeBufferPointer<DrawCommand>) {
    occluders.removeAll()
    guard part.area >= PlanePainter.minimumArea else { return }
    var visible = part
    for (place, command) in commands.enumerated() {
      switch command.kind {
      case .fill:
        if !command.isBlended { occluders.add(visible.intersection(command.destination), by: place) }
      case .texture:
        guard textures.isLive(command.texture), let texels = textures.texels(of: command.texture),
          !command.isBlended || (texels.isOpaque && command.color.alpha == 255)
        else { continue }
        if command.isStretched {
          // What is not cut to the texture covers all of its destination.
          if !command.source.isEmpty, texels.size.extent.contains(command.source) {
            occluders.add(visible.intersection(command.destination), by: place)
          }
        } else if let blit = Blit(command, texture: texels.size, visible: visible) {
          occluders.add(blit.rect, by: place)
        }
      case .clip: visible = part.intersection(plane.extent.intersection(command.destination))
      case .endClip: visible = part
      }
    }
  }
}

nonisolated extension DrawCommand {
  /// Whether a texture is drawn at another size than its own.
  var isStretched: Bool { source.width != destination.width || source.height != destination.height }
}

nonisolated extension PixelSize {
  /// The rectangle of this size with its corner at 0, 0.
  fileprivate var extent: PixelRect { PixelRect(x: 0, y: 0, width: Int32(width), height: Int32(height)) }
}
