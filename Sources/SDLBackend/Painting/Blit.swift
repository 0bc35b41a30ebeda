package import Geometry
package import Rendering

/// A copy pixel for pixel, cut to what can be seen of it and to what the texture has.
package nonisolated struct Blit: Hashable {
  /// The first column of the texture.
  package let column: Int
  /// The first row of the texture.
  package let row: Int
  /// The left edge on the window.
  package let x: Int
  /// The top edge on the window.
  package let y: Int
  /// Pixels across.
  package let width: Int
  /// Pixels down.
  package let height: Int

  /// Cuts a copy, or gives nothing where nothing of it can be seen.
  ///
  /// In 64 bits: no sum of two coordinates overflows, so that what comes back lies in the texture and in what is visible.
  ///
  /// - Parameters:
  ///   - command: draws a texture whose source has the extent of its destination.
  ///   - texture: the extent of the texture.
  ///   - visible: within the window.
  /// - Complexity: O(1).
  @inline(__always)
  package init?(_ command: DrawCommand, texture: PixelSize, visible: PixelRect) {
    let (source, destination) = (command.source, command.destination)
    let (sourceX, sourceY) = (Int(source.x), Int(source.y))
    let (toX, toY) = (Int(destination.x), Int(destination.y))
    let left = max(toX, Int(visible.x), toX - sourceX)
    let top = max(toY, Int(visible.y), toY - sourceY)
    let right = min(
      toX + Int(source.width), Int(visible.x) + Int(visible.width), toX - sourceX + texture.width)
    let bottom = min(
      toY + Int(source.height), Int(visible.y) + Int(visible.height), toY - sourceY + texture.height)
    guard right > left, bottom > top else { return nil }
    column = left - toX + sourceX
    row = top - toY + sourceY
    (x, y) = (left, top)
    (width, height) = (right - left, bottom - top)
  }

  /// What it paints of the window.
  package var rect: PixelRect { PixelRect(x: Int32(x), y: Int32(y), width: Int32(width), height: Int32(height)) }
}
