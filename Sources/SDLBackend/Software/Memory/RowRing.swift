import DataStructures

/// Which rows of a ring are those of a picture: its first one may be any of the ring's, and after the last comes the first.
///
/// A picture that has scrolled keeps its rows where they are, and begins at another one.
package nonisolated struct RowRing: Hashable {
  /// The rows of the picture.
  package let height: Int
  /// The rows of the ring.
  package let rowCount: Int
  /// The ring's row that is the picture's first.
  package private(set) var top = 0

  /// Makes a ring whose first row is the picture's.
  /// - Precondition: the ring has the picture's rows.
  package init(height: Int, rowCount: Int) {
    checkPrecondition(
      height > 0 && rowCount >= height, "A ring of \(rowCount) rows has no room for a picture of \(height).")
    self.height = height
    self.rowCount = rowCount
  }

  /// The rows by which the picture can be moved without one being written over.
  package var spareRows: Int { rowCount - height }

  /// The ring's row that is, or would be, the picture's: before the first and behind the last too.
  @inline(__always)
  package func ringRow(of row: Int) -> Int {
    let place = (top + row) % rowCount
    return place < 0 ? place + rowCount : place
  }

  /// Moves the picture down by rows, or up by as many less than 0: what was its first row is another one then.
  package mutating func move(down rows: Int) { top = ringRow(of: -rows) }

  /// Hands out where rows of the picture are in the ring, as one stretch or as two.
  package func forEachRun(
    of rows: Range<Int>, _ body: (_ first: Int, _ place: Int, _ count: Int) -> Void
  ) {
    guard !rows.isEmpty else { return }
    let place = ringRow(of: rows.lowerBound)
    let count = min(rows.count, rowCount - place)
    body(rows.lowerBound, place, count)
    if count < rows.count { body(rows.lowerBound + count, 0, rows.count - count) }
  }
}
