internal import Geometry

/// A solved group drawn in characters: a box for each place, with its number.
///
/// A character is two to three times as high as wide; a row stands for twice as many pixels as a column.
struct GroupPicture {
  private let pixelsPerColumn: Double
  private var cells: [[Character]]

  /// - Parameters:
  ///   - template: the group.
  ///   - longest: how many boxes of one character it may be broad or high.
  init(_ template: GroupTemplate, longest: Int) {
    let longest = max(1, longest)
    pixelsPerColumn = max(Double(template.width), Double(template.height) / 2) / Double(longest)
    let columns = max(1, PixelEdge.nearest(Double(template.width) / pixelsPerColumn))
    let rows = max(1, PixelEdge.nearest(Double(template.height) / (2 * pixelsPerColumn)))
    cells = Array(repeating: Array(repeating: " ", count: columns + 1), count: rows + 1)
    // Boxes that lie over others are drawn over them.
    let order = template.slots.indices.sorted {
      (template.slots[$0].zIndex, $0) < (template.slots[$1].zIndex, $1)
    }
    for slot in order { draw(template.slots[slot].frame, named: String(slot)) }
  }

  /// The rows, the upper first, without blanks at their ends.
  var lines: [String] {
    cells.map { row in
      let end = (row.lastIndex { $0 != " " } ?? -1) + 1
      return String(row[..<end])
    }
  }

  private mutating func draw(_ frame: PixelFrame, named name: String) {
    func column(_ x: Int) -> Int { min(max(0, PixelEdge.nearest(Double(x) / pixelsPerColumn)), cells[0].count - 1) }
    func row(_ y: Int) -> Int { min(max(0, PixelEdge.nearest(Double(y) / (2 * pixelsPerColumn))), cells.count - 1) }
    let (left, right) = (column(frame.minX), column(frame.maxX))
    let (top, bottom) = (row(frame.minY), row(frame.maxY))
    for x in left...right {
      for y in top...bottom {
        let isAcross = y == top || y == bottom
        let isDown = x == left || x == right
        if isAcross, isDown || cells[y][x] == "+" {
          cells[y][x] = "+"
        } else if isDown, cells[y][x] == "+" {
          continue
        } else {
          cells[y][x] = isAcross ? "-" : isDown ? "|" : " "
        }
      }
    }
    let start = (left + right - name.count + 1) / 2
    for (offset, character) in name.enumerated() where start + offset > left && start + offset < right {
      cells[(top + bottom) / 2][start + offset] = character
    }
  }
}
