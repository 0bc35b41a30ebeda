public import Geometry
import Glibc

/// Pixels of a picture that keep their looks and take another place in it.
public struct PixelMove: Hashable, Sendable {
  /// The part of the picture whose content moves; what of it no pixel goes to is to be drawn anew.
  public let region: PixelRect
  /// Where the pixels go; where they come from is the same rectangle moved back.
  public let target: PixelRect
  /// By how many pixels they move to the right.
  public let x: Int32
  /// By how many pixels they move down.
  public let y: Int32

  /// A move of what a region keeps of itself when its content is moved; nothing where it keeps nothing.
  public init?(within region: PixelRect, byX x: Int32, y: Int32) {
    guard abs(Int(x)) < Int(region.width), abs(Int(y)) < Int(region.height) else { return nil }
    self.region = region
    target = region.intersection(region.offsetBy(x: x, y: y))
    self.x = x
    self.y = y
  }

  /// Moves the pixels, of four bytes each; overlapping is as if they were all read before any is written.
  ///
  /// The C function is `memmove`.
  ///
  /// - Parameters:
  ///   - pixels: a picture that has the whole region.
  ///   - bytesPerRow: the bytes from one of its rows to the next.
  /// - Complexity: O(pixels that move).
  public func movePixels(in pixels: UnsafeMutableRawPointer, bytesPerRow: Int) {
    let length = Int(target.width) * 4
    let rows = Int(target.height)
    let start = pixels + Int(target.y) * bytesPerRow + Int(target.x) * 4
    let way = Int(y) * bytesPerRow + Int(x) * 4
    // A row is read before the one that overwrites it is written.
    let first = y > 0 ? start + (rows - 1) * bytesPerRow : start
    let step = y > 0 ? -bytesPerRow : bytesPerRow
    for place in 0..<rows {
      let row = first + place * step
      if place + PixelMove.prefetchDistance < rows {
        MemoryPrefetch.prefetch(row - way + PixelMove.prefetchDistance * step, byteCount: length)
      }
      memmove(row, row - way, length)
    }
  }

  /// How many rows before they are moved memory is asked for them.
  private static let prefetchDistance = 2
}
