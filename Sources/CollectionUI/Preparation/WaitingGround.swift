import CollectionEngine
import CollectionLayout
import Geometry

/// Where items' cells may wait as of one moment: what is the same for all of them is read once.
struct WaitingArea {
  /// Along the layout's axis.
  let limits: KeepLimits
  /// Where items stand.
  let solution: any SolvedLayout
  /// The layout's axis.
  let axis: Axis
  /// How wide the view is across the axis, in points.
  let crossLength: Double

  /// Whether an item's cell may wait.
  ///
  /// - Returns: nothing for one that lies beside what is seen: in a section that scrolls across, that decides.
  func allows(_ index: Int) -> Bool? {
    let frame = solution.frame(ofItem: index)
    let start = frame.origin[axis]
    guard limits.contains(start: start, end: start + frame.size[axis]) else { return false }
    let edge = frame.origin[axis.cross]
    return edge >= crossLength || edge + frame.size[axis.cross] <= 0 ? nil : true
  }
}
