package import Geometry
package import Rendering

/// Draws textures that are stretched: each pixel is mixed of the four that are nearest to it.
///
/// A pixel depends on where it is in the destination and on nothing else, such as where a copy is cut. Samples are taken
/// at pixels' middles, and do not leave the source: OpenGL's `GL_LINEAR`, but for the source's edges within the texture.
package nonisolated final class StretchPainter {
  /// A source's row, mixed of two.
  private let mixed = PixelRow()
  /// A destination's row, mixed of that.
  private let stretched = PixelRow()

  /// Makes a painter with rows of its own, which are used again.
  package init() {}

  /// Draws what is visible of a copy.
  ///
  /// - Parameters:
  ///   - source: which part of the texture; within it.
  ///   - destination: where all of that goes.
  ///   - visible: what of the plane is drawn.
  /// - Complexity: O(pixels drawn), and for each of their rows O(columns of the source between the first and the last).
  package func draw(
    _ texels: Texels, from source: PixelRect, to destination: PixelRect, within visible: PixelRect,
    on plane: PixelPlane, tint: Color, isBlended: Bool
  ) {
    let rect = visible.intersection(destination).intersection(plane.extent)
    guard !rect.isEmpty, !source.isEmpty, let width = PixelSize(width: Int(rect.width), height: 1) else { return }
    let across = SampleAxis(source: (source.x, source.width), destination: (destination.x, destination.width))
    let down = SampleAxis(source: (source.y, source.height), destination: (destination.y, destination.height))
    let columns = across.first(for: rect.x)...across.second(for: rect.maxX - 1)
    let line = mixed.take(columns.count + 1)
    let target = stretched.take(width.width)
    let row = Texels(
      start: target, bytesPerRow: width.width * 4, size: width, isOpaque: texels.isOpaque, order: texels.order,
      isWhite: texels.isWhite)
    var latest: Int?
    for y in rect.y..<rect.maxY {
      let sample = down.sample(y)
      // Where one row of the source makes many, some are the same.
      if sample != latest {
        latest = sample
        PixelMix.mixRows(
          texels.place(columns.lowerBound, down.first(of: sample)),
          texels.place(columns.lowerBound, down.second(of: sample)), weight: SampleAxis.weight(of: sample), to: line,
          count: columns.count)
        // A neighbour for the last one.
        line[columns.count] = line[columns.count - 1]
        across.stretch(line, firstColumn: columns.lowerBound, to: target, from: rect.x, count: width.width)
      }
      let whole = PixelRect(x: rect.x, y: y, width: rect.width, height: 1)
      let command = DrawCommand(
        kind: .texture, destination: whole, source: PixelRect(x: 0, y: 0, width: rect.width, height: 1))
      guard let blit = Blit(command, texture: width, visible: whole) else { continue }
      plane.draw(row, blit, tint: tint, isBlended: isBlended)
    }
  }
}
