import VitrineDataStructures
package import VitrineGeometry
import VitrinePainting
import VitrineRendering

/// A painter of display lists into the memory of a window.
nonisolated struct PlanePainter {
  /// The minimum area of a fill for which occluders are considered.
  private static let minimumArea = 65_536

  private let plane: PixelPlane
  private let textures: TextureSlots
  private let occluders: OccluderList
  private let stretchPainter: StretchPainter
  private let layers: LayerStack

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - plane: The pixels to paint into.
  ///   - textures: The textures, in memory and in the plane's channel order.
  ///   - occluders: A list to reuse, so that painting allocates nothing.
  ///   - stretchPainter: The painter of stretched textures, with memory to reuse.
  ///   - layers: A stack of layers, with memory to reuse.
  init(
    _ plane: PixelPlane, textures: TextureSlots, occluders: OccluderList, stretchPainter: StretchPainter,
    layers: LayerStack
  ) {
    self.plane = plane
    self.textures = textures
    self.occluders = occluders
    self.stretchPainter = stretchPainter
    self.layers = layers
  }

  /// Clears to a background colour and draws commands in order.
  ///
  /// Returns the number of commands whose texture was released.
  func paint(_ commands: UnsafeBufferPointer<DrawCommand>, background: Color) -> Int {
    repaint(plane.extent, commands, background: background)
  }

  /// Clears a rectangle to a background colour and draws commands in order, clipped to the rectangle.
  ///
  /// - Returns: The number of commands whose texture was released.
  @discardableResult
  func repaint(_ part: PixelRect, _ commands: UnsafeBufferPointer<DrawCommand>, background: Color) -> Int {
    recordOccluders(part, commands)
    fillVisibleParts(part, background, by: -1)
    var clip = ClipStack(within: part, reusing: occluders.clips)
    layers.removeAll()
    var stale = 0
    for (index, command) in commands.enumerated() {
      let visible = clip.current
      switch command.kind {
      case .fill:
        let rect = visible.intersection(command.destination)
        if command.isBlended {
          plane.blend(rect, command.color)
        } else {
          fillVisibleParts(rect, command.color, by: index)
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
          // Clipped to the texture.
          let copy = ScaledCopy(
            source: command.source, destination: command.destination, bitmap: texels.size,
            visible: command.destination)
        {
          stretchPainter.drawStretched(
            texels, from: copy.source, to: copy.destination, within: visible, on: plane, tint: command.color,
            isBlended: command.isBlended, showsPixels: command.showsPixels)
        }
      case .clip: clip.push(command.destination)
      case .endClip: clip.pop()
      case .beginLayer:
        layers.begin(command, within: visible, on: plane)
        clip.push(command.destination)
      case .endLayer:
        guard !layers.isEmpty else { continue }
        clip.pop()
        layers.end(on: plane)
      }
    }
    return stale
  }

  /// Fills the parts of a rectangle that later commands do not cover.
  private func fillVisibleParts(_ rect: PixelRect, _ color: Color, by command: Int) {
    if rect.area < PlanePainter.minimumArea {
      plane.fill(rect, color)
    } else {
      occluders.forEachVisiblePart(of: rect, behind: command) { plane.fill($0, color) }
    }
  }

  /// Records the rectangles that commands cover completely.
  private func recordOccluders(_ part: PixelRect, _ commands: UnsafeBufferPointer<DrawCommand>) {
    occluders.removeAll()
    guard part.area >= PlanePainter.minimumArea else { return }
    var clip = ClipStack(within: part, reusing: occluders.clips)
    // What a layer covers may show through it.
    var depth = 0
    for (index, command) in commands.enumerated() {
      let visible = clip.current
      switch command.kind {
      case .fill:
        if !command.isBlended, depth == 0 { occluders.add(visible.intersection(command.destination), by: index) }
      case .texture:
        guard depth == 0, textures.isLive(command.texture), let texels = textures.texels(of: command.texture),
          !command.isBlended || (texels.isOpaque && command.color.alpha == 255)
        else { continue }
        if command.isStretched {
          // A copy within the texture covers its destination completely.
          if !command.source.isEmpty, texels.size.extent.contains(command.source) {
            occluders.add(visible.intersection(command.destination), by: index)
          }
        } else if let blit = Blit(command, texture: texels.size, visible: visible) {
          occluders.add(blit.rect, by: index)
        }
      case .clip: clip.push(command.destination)
      case .endClip: clip.pop()
      case .beginLayer:
        depth += 1
        clip.push(command.destination)
      case .endLayer:
        guard depth > 0 else { continue }
        depth -= 1
        clip.pop()
      }
    }
  }
}

nonisolated extension DrawCommand {
  /// Whether a texture is drawn at another size than its own.
  var isStretched: Bool { source.width != destination.width || source.height != destination.height }
}

nonisolated extension PixelSize {
  /// The rectangle of this size with the origin 0, 0.
  fileprivate var extent: PixelRect { PixelRect(x: 0, y: 0, width: Int32(width), height: Int32(height)) }
}

// MARK: - Occluders

/// A list of rectangles that commands cover completely, so that earlier commands are invisible there.
///
/// Images cover most of a gallery, so that only the background between them is cleared.
package nonisolated final class OccluderList {
  /// The maximum number of rectangles.
  ///
  /// What is behind further ones is painted unnecessarily.
  package static let maximumOccluders = 512
  /// The minimum area of a rectangle in pixels.
  package static let minimumArea = 4_096

  private struct Occluder: BitwiseCopyable {
    var rect: PixelRect
    var command: Int
  }

  private struct Span: BitwiseCopyable {
    var left: Int32
    var right: Int32
  }

  private let occluders = TrivialBuffer<Occluder>(capacity: maximumOccluders)
  /// The occluded columns of a band of rows, from left to right.
  private let spans = TrivialBuffer<Span>(capacity: maximumOccluders)
  /// A buffer for the clips that enclose others.
  fileprivate let clips = TrivialBuffer<PixelRect>(capacity: 8)

  /// Creates an empty list.
  package init() {}

  /// Removes all rectangles.
  package func removeAll() { occluders.removeAll() }

  /// Records that a command covers a rectangle completely.
  ///
  /// Small rectangles are ignored.
  package func add(_ rect: PixelRect, by command: Int) {
    guard occluders.count < OccluderList.maximumOccluders, !rect.isEmpty,
      Int(rect.width) * Int(rect.height) >= OccluderList.minimumArea
    else { return }
    occluders.append(Occluder(rect: rect, command: command))
  }

  /// Calls a closure with the parts of a rectangle that later commands do not cover.
  ///
  /// They do not overlap and are ordered from the top.
  /// - Complexity: O(occluders squared) at most, O(rows of images * occluders) for a grid.
  package func forEachVisiblePart(of rect: PixelRect, behind command: Int, _ body: (PixelRect) -> Void) {
    var top = rect.y
    while top < rect.maxY {
      let bottom = collectBand(of: rect, from: top, behind: command)
      var left = rect.x
      for span in spans.elements {
        if span.left > left { body(PixelRect(x: left, y: top, width: span.left - left, height: bottom - top)) }
        left = max(left, span.right)
      }
      if left < rect.maxX { body(PixelRect(x: left, y: top, width: rect.maxX - left, height: bottom - top)) }
      top = bottom
    }
  }

  /// Collects the occluded columns of a row.
  ///
  /// Returns the end of the band of rows that have the same ones.
  private func collectBand(of rect: PixelRect, from top: Int32, behind command: Int) -> Int32 {
    var bottom = rect.maxY
    spans.removeAll()
    for occluder in occluders.elements where occluder.command > command {
      let (from, to) = (occluder.rect.y, occluder.rect.maxY)
      if from > top {
        bottom = min(bottom, from)
      } else if to > top {
        bottom = min(bottom, to)
        insert(Span(left: max(rect.x, occluder.rect.x), right: min(rect.maxX, occluder.rect.maxX)))
      }
    }
    return bottom
  }

  private func insert(_ span: Span) {
    guard span.right > span.left else { return }
    spans.append(span)
    var index = spans.count - 1
    let sorted = spans.elements
    while index > 0, sorted[index - 1].left > span.left {
      sorted[index] = sorted[index - 1]
      index -= 1
    }
    sorted[index] = span
  }
}
