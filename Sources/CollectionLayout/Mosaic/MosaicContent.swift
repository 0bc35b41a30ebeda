internal import Geometry

/// Rules that place pictures in a mosaic: a pattern of nested groups that suits the room.
struct MosaicContent: TemplateContent, Hashable {
  /// The most units across.
  static let mostUnits = 48

  /// Between pictures, in points.
  let spacing: Double
  /// What a unit is wide at least, in points.
  let minimumUnit: Double
  /// A unit's height as a multiple of its width.
  let ratio: Double

  func usesSeenLength(_ flow: Axis) -> Bool { false }

  /// - Complexity: O(k) for k pictures of the pattern.
  func body(of itemCount: Int, in room: SectionRoom) -> any SectionBody {
    let grid = MosaicGrid(self, in: room)
    let template = GroupSolver.solve(grid.group, in: room)
    return TemplateBody(self, template, tail: grid.tail(of: template), itemCount: itemCount, in: room)
  }

  func hasSameRules(as other: any SectionContent) -> Bool { other as? MosaicContent == self }
}
