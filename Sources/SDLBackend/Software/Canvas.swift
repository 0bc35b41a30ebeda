import CVitrinePlatform
import Glibc
import VitrineDataStructures
package import VitrineGeometry
package import VitrinePainting
package import VitrineRendering

/// The pixels of a window in a ring of rows with spare ones, so that scrolling only changes the first row.
///
/// Pixels that do not scroll are copied to their new rows, which are few in a window that mostly scrolls.
package nonisolated final class Canvas {
  /// The channel order of nearly all screens.
  package static let order = ChannelOrder.blueFirst

  /// The size in pixels, with the origin 0, 0.
  package let extent: PixelRect
  /// The number of bytes from one row to the next.
  package let bytesPerRow: Int
  /// The rows of the ring that the window uses.
  package private(set) var ring: RowRing
  private let memory: MirroredMemory

  /// Creates a black canvas.
  /// - Throws: ``DisplayError`` if the system has no memory.
  package init(extent: PixelRect) throws(DisplayError) {
    let (width, height) = (Int(extent.width), Int(extent.height))
    guard width > 0, height > 0, width <= 32_767, height <= 32_767 else {
      throw DisplayError(action: "draw a window", reason: "it is \(width) x \(height) pixels")
    }
    self.extent = extent
    // Rows are aligned to cache lines.
    bytesPerRow = (width * 4 + 63) & ~63
    // The rows fill whole pages.
    let granularity = max(1, MirroredMemory.granularity / 64)
    let rowCount = (height + height / 4 + granularity) / granularity * granularity
    ring = RowRing(height: height, rowCount: rowCount)
    memory = try MirroredMemory(byteCount: rowCount * bytesPerRow)
  }

  /// The pixels of the window, valid until they are moved.
  package var plane: PixelPlane {
    PixelPlane(
      start: memory.start + ring.top * bytesPerRow, bytesPerRow: bytesPerRow, extent: extent, order: Canvas.order)
  }

  /// The file descriptor of the memory, for sharing it.
  package var descriptor: Int32 { memory.descriptor }

  /// Returns the address of a row of the ring.
  package func address(ofRingRow ringRow: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(memory.start + ringRow * bytesPerRow)
  }

  /// Moves pixels within the region of a move.
  ///
  /// Pixels outside the region stay. Pixels of the region outside the target are undefined afterwards. The C functions
  /// are `memmove` and `memcpy`.
  /// - Complexity: O(pixels that stay), or O(pixels that move) if these are fewer or cannot be moved by rows.
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
    // The order ensures that a row is read before it is overwritten by the row above or below.
    let rows = 0..<Int(extent.height)
    if move.y < 0 {
      for row in rows.reversed() { copyRow(row, outside: region, from: former) }
    } else {
      for row in rows { copyRow(row, outside: region, from: former) }
    }
  }

  /// Copies the pixels of a row outside a rectangle from their former row.
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

// MARK: - Rows

/// The rows of an image within a ring of rows.
///
/// The image may start at any row, and the last row is followed by the first.
///
/// Scrolling keeps the rows in place and changes the first row.
package nonisolated struct RowRing: Hashable {
  /// The number of rows of the image.
  package let height: Int
  /// The number of rows of the ring.
  package let rowCount: Int
  /// The row of the ring that is the first of the image.
  package private(set) var top = 0

  /// Creates a ring whose first row is the first of the image.
  /// - Precondition: The ring has at least the rows of the image.
  package init(height: Int, rowCount: Int) {
    checkPrecondition(
      height > 0 && rowCount >= height, "A ring of \(rowCount) rows cannot hold an image of \(height).")
    self.height = height
    self.rowCount = rowCount
  }

  /// The number of rows by which the image can move without overwriting one of its rows.
  package var spareRows: Int { rowCount - height }

  /// Returns the row of the ring for a row of the image, which may be before the first or after the last.
  @inline(__always)
  package func ringRow(of row: Int) -> Int {
    let remainder = (top + row) % rowCount
    return remainder < 0 ? remainder + rowCount : remainder
  }

  /// Moves the image down by a number of rows, or up if it is negative, by changing the first row.
  package mutating func move(down rows: Int) { top = ringRow(of: -rows) }

  /// Calls a closure with the one or two runs of the ring that contain a range of rows.
  package func forEachRun(
    of rows: Range<Int>, _ body: (_ first: Int, _ ringRow: Int, _ count: Int) -> Void
  ) {
    guard !rows.isEmpty else { return }
    let start = ringRow(of: rows.lowerBound)
    let count = min(rows.count, rowCount - start)
    body(rows.lowerBound, start, count)
    if count < rows.count { body(rows.lowerBound + count, 0, rows.count - count) }
  }
}

// MARK: - Memory

/// Memory that is mapped twice in a row, so that accesses beyond its end continue at its beginning.
///
/// The memory is an anonymous file, so that its descriptor can be shared.
package nonisolated struct MirroredMemory: ~Copyable {
  /// The number of bytes of one mapping.
  package let byteCount: Int
  /// The first of twice ``byteCount`` bytes.
  package let start: UnsafeMutableRawPointer
  /// The file descriptor of the memory.
  package let descriptor: Int32

  /// The page size, from `sysconf`.
  ///
  /// The number of bytes must be a multiple of it.
  package static var granularity: Int { max(1, sysconf(Int32(_SC_PAGESIZE))) }

  /// Allocates zeroed memory.
  ///
  /// The C functions are `mmap` and `platform_memfd`, whose memory cannot shrink while another process reads it.
  /// - Precondition: The number of bytes is a positive multiple of ``granularity``.
  /// - Throws: ``DisplayError`` if the system has no memory.
  package init(byteCount: Int) throws(DisplayError) {
    checkPrecondition(
      byteCount > 0 && byteCount % MirroredMemory.granularity == 0,
      "Memory is mirrored by pages, not by \(byteCount) bytes.")
    descriptor = platform_memfd("vitrine-window", byteCount)
    guard descriptor >= 0 else { throw MirroredMemory.allocationError(byteCount) }
    guard let start = MirroredMemory.mapTwice(descriptor, byteCount) else {
      let error = MirroredMemory.allocationError(byteCount)
      Glibc.close(descriptor)
      throw error
    }
    self.byteCount = byteCount
    self.start = start
  }

  deinit {
    munmap(start, byteCount * 2)
    Glibc.close(descriptor)
  }

  /// Maps a file twice, at adjacent addresses that are reserved first.
  ///
  /// The pages are populated (`MAP_POPULATE`). Otherwise the first frame drawn across the end of the ring would take a
  /// thousand page faults, two milliseconds.
  private static func mapTwice(_ descriptor: Int32, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard let start = mmap(nil, byteCount * 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), start != MAP_FAILED
    else {
      return nil
    }
    for half in [start, start + byteCount] {
      let address = mmap(half, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, descriptor, 0)
      guard address == half else {
        munmap(start, byteCount * 2)
        return nil
      }
    }
    return start
  }

  private static func allocationError(_ byteCount: Int) -> DisplayError {
    DisplayError(
      action: "take \(byteCount) bytes of memory for a window", reason: String(cString: strerror(errno)))
  }
}
