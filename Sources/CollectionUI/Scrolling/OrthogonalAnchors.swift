import VitrineCollectionLayout
import VitrineGeometry

/// The items that keep their positions in sections that scroll across, while cells in these sections are measured.
///
/// In each section it is the first displayed item that keeps its size. A section at its start stays there.
nonisolated struct OrthogonalAnchors {
  private struct Anchor {
    var section: Int
    var item: Int
    /// The distance of the item's leading edge from that of the section, in points.
    var distance: Double
  }

  private var anchors: [Anchor] = []

  /// Determines the items that keep their positions.
  ///
  /// - Parameters:
  ///   - solution: The layout before the change.
  ///   - measured: The items whose sizes may change, with their sizes.
  ///   - displayed: The displayed items, ascending.
  init(
    in solution: any SolvedLayout, measured: [(item: Int, size: Size)], displayed: @autoclosure () -> [Int]
  ) {
    for (index, _) in measured {
      guard let section = solution.itemCounts.position(of: index)?.section,
        !anchors.contains(where: { $0.section == section }),
        let strip = solution.orthogonalSection(section), strip.offset != 0
      else { continue }
      let items = solution.itemCounts.items(inSection: section)
      let anchor = displayed().first { item in
        items.contains(item) && !measured.contains { $0.item == item }
          && solution.frame(ofItem: item).intersects(strip.frame)
      }
      guard let anchor else { continue }
      let distance = solution.distance(ofItem: anchor, in: strip)
      anchors.append(Anchor(section: section, item: anchor, distance: distance))
    }
  }

  /// Returns the distances by which the offsets of sections change so that the items keep their positions.
  ///
  /// - Parameter solution: The layout after the change.
  func shifts(in solution: any SolvedLayout) -> [(section: Int, points: Double)] {
    anchors.compactMap { anchor in
      guard let strip = solution.orthogonalSection(anchor.section) else { return nil }
      let points = solution.distance(ofItem: anchor.item, in: strip) - anchor.distance
      return points == 0 ? nil : (anchor.section, points)
    }
  }
}

extension SolvedLayout {
  /// Returns the distance of an item's leading edge from that of its section, which scrolls across, in points.
  fileprivate nonisolated func distance(ofItem item: Int, in strip: OrthogonalSection) -> Double {
    let (axis, frame) = (strip.axis, frame(ofItem: item))
    guard axis == .horizontal, environment.layoutDirection == .rightToLeft else {
      return frame.origin[axis] - strip.frame.origin[axis]
    }
    return strip.frame.origin[axis] + strip.frame.size[axis] - frame.origin[axis] - frame.size[axis]
  }
}
