internal import Geometry

/// The rules of a grid's section: lanes of one breadth across the flow, and rows of one length along it.
struct GridRules: SectionContent, Hashable {
  var columns: GridLayout.Columns
  var columnSpacing: Double
  var rowSpacing: Double
  var heightRatio: Double
  var captionHeight: Double
  var remainder: GridLayout.Remainder

  func usesSeenLength(_ flow: Axis) -> Bool { false }

  /// - Complexity: O(1).
  func body(of itemCount: Int, in room: SectionRoom) -> any SectionBody {
    GridBody(self, itemCount: itemCount, in: room)
  }

  /// An item's height without caption as a multiple of its width, within what a screen can show.
  var boundedRatio: Double { heightRatio > 0 ? min(heightRatio, 1_000) : heightRatio.isNaN ? 1 : 0 }
}
