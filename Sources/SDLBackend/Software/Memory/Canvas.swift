package import Geometry
import Glibc
package import Rendering

/// A window's pixels in a ring of rows that has some to spare: what has scrolled is moved by another first row.
///
/// Other pixels, which stay where they are on the window, are copied to their new rows: little in a window that shows
/// hardly anything but what scrolls.
package nonisolated final class Canvas {
  /// How a pixel is made up: as nearly all screens have it.
  package static let order = ChannelOrder.blueFirst

  /// The extent in pixels, its corner at 0, 0.
  package let extent: PixelRect
  /// The bytes from one row to the next.
  package let bytesPerRow: Int
  /// Which rows are the window's.
  package private(set) var ring: RowRing
  private let memory: MirroredMemory

  /// Makes a canvas, all black.
  /// - Throws: ``DisplayError`` when there is no memory for it.
  package init(extent: PixelRect) throws(DisplayError) {
    let (width, height) = (Int(extent.width), Int(extent.height))
    guard width > 0, height > 0, width <= 32_767, height <= 32_767 else {
      throw DisplayError(action: "draw a window", reason: "it is \(width) x \(height) pixels")
    }
    self.extent = extent
    // Rows begin with a line of the cache.
    bytesPerRow = (width * 4 + 63) & ~63
    // As many rows as fill pages.
    let granularity = max(1, MirroredMemory.granularity / 64)
    let rowCount = (height + height / 4 + granularity) / granularity * granularity
    ring = RowRing(height: height, rowCount: rowCount)
    memory = try MirroredMemory(byteCount: rowCount * bytesPerRow)
  }

  /// The window's pixels, until they are next moved.
  package var plane: PixelPlane {
    PixelPlane(
      start: memory.start + ring.top * bytesPerRow, bytesPerRow: bytesPerRow, extent: extent, order: Canvas.order)
  }

  /// The file that the memory is, for those who read along.
  package var descriptor: Int32 { memory.descriptor }

  /// Where a row of the ring begins.
  package func address(ofRingRow place: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(memory.start + place * bytesPerRow)
  }

  /// Moves pixels; those outside the move's region stay as they are, and those of the region where none arrive are
  /// whatever they are.
  ///
  /// The C functions are `memmove` and `memcpy`.
  /// - Complexity: O(pixels that stay), or O(pixels that move) where those are fewer or cannot be moved by rows.
  package func movePixels(_ move: PixelMove) {
    let region = move.region
    let staying = extent.area - region.area
    guard move.x == 0, abs(Int(move.y)) <= ring.spareRows, staying <= move.target.area else {
      move.movePixels(in: plane.start, bytesPerRow: bytesPerRow)
      return
    }
    let former = ring
    ring.move(down: Int(move.y))
    guard staying > 0 else { return }
    // A row is read before it is written over: by the one that goes there from above, or from below.
    let rows = 0..<Int(extent.height)
    if move.y < 0 {
      for row in rows.reversed() { copyRow(row, outside: region, from: former) }
    } else {
      for row in rows { copyRow(row, outside: region, from: former) }
    }
  }

  /// Copies what a row has outside a rectangle from where it was.
  private func copyRow(_ row: Int, outside region: PixelRect, from former: RowRing) {
    let source = memory.start + former.ringRow(of: row) * bytesPerRow
    let target = memory.start + ring.ringRow(of: row) * bytesPerRow
    guard row >= Int(region.y), row < Int(region.maxY) else {
      memcpy(target, source, Int(extent.width) * 4)
      return
    }
    let (left, right) = (Int(region.x) * 4, Int(region.maxX) * 4)
    if left > 0 { memcpy(target, source, left) }
    let rest = Int(extent.width) * 4 - right
    if rest > 0 { memcpy(target + right, source + right, rest) }
  }
}
