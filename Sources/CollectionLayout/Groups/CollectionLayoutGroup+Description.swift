public import VitrineGeometry

extension CollectionLayoutGroup {
  /// Returns a drawing of the group in ASCII characters, for debugging.
  ///
  /// Each slot is a box with its index. The drawing is 65 characters wide or high, regardless of the size of the group.
  /// It is followed by the frame of each slot and of each supplementary view in points.
  ///
  /// - Parameter container: The size of the section's container in points, to which fractional dimensions refer.
  /// - Complexity: O(k) for k slots.
  public func visualDescription(in container: Size = Size(width: 640, height: 640)) -> String {
    let sectionContainer = SectionContainer(
      size: LayoutEnvironment(containerSize: container).containerSize, flow: .vertical, scale: .one,
      interGroupSpacing: 0, isCrossAxisUnbounded: true)
    let template = GroupSolver.solve(self, in: sectionContainer)
    var lines = ["group \(template.width) x \(template.height), places: \(template.slots.count)"]
    lines += GroupDiagram(template, longest: 64).lines
    for (index, slot) in template.slots.enumerated() {
      let estimated = [slot.hasEstimatedWidth ? "width" : nil, slot.hasEstimatedHeight ? "height" : nil].compactMap {
        $0
      }
      let estimate = estimated.isEmpty ? "" : ", estimated \(estimated.joined(separator: " and "))"
      lines.append("\(index): \(slot.frame.text)\(slot.zIndex == 0 ? "" : ", z \(slot.zIndex)")\(estimate)")
    }
    for view in template.supplementaries {
      let owner =
        view.slots.count == 1 ? "\(view.slots.lowerBound)" : "\(view.slots.lowerBound)-\(view.slots.upperBound - 1)"
      lines.append("\(view.kind) of \(owner): \(view.frame.text), z \(view.zIndex)")
    }
    return lines.joined(separator: "\n")
  }
}

extension PixelFrame {
  fileprivate var text: String { "\(minX), \(minY), \(width) x \(height)" }
}

/// A drawing of a solved group in ASCII characters, with a box and an index for each slot.
///
/// A character is two to three times as high as wide. Therefore a row represents twice as many pixels as a column.
private struct GroupDiagram {
  private let pixelsPerColumn: Double
  private var cells: [[Character]]

  /// Draws a group.
  ///
  /// - Parameters:
  ///   - template: The solved group.
  ///   - longest: The maximum number of columns, or of rows if the group is higher than wide.
  init(_ template: GroupTemplate, longest: Int) {
    let longest = max(1, longest)
    pixelsPerColumn = max(Double(template.width), Double(template.height) / 2) / Double(longest)
    let columns = max(1, PixelEdge.nearest(Double(template.width) / pixelsPerColumn))
    let rows = max(1, PixelEdge.nearest(Double(template.height) / (2 * pixelsPerColumn)))
    cells = Array(repeating: Array(repeating: " ", count: columns + 1), count: rows + 1)
    // Draws boxes in stacking order.
    let order = template.slots.indices.sorted {
      (template.slots[$0].zIndex, $0) < (template.slots[$1].zIndex, $1)
    }
    for slot in order { draw(template.slots[slot].frame, named: String(slot)) }
  }

  /// The lines from top to bottom, without trailing spaces.
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
