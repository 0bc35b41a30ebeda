internal import VitrineGeometry

/// The rules that lay out the items of a section.
protocol SectionContent: Sendable {
  /// Returns the body for a number of items in a container.
  ///
  /// - Complexity: O(1) or O(items / 256). Work for each item is deferred to ``SectionBody/finalizeFrames(in:)``.
  func body(of itemCount: Int, in container: SectionContainer) -> any SectionBody

  /// Returns whether frames depend on the visible length along the flow axis.
  ///
  /// If not, the container has a length of 0 along the flow axis, and the section stays valid when the window is
  /// resized along it.
  func dependsOnVisibleLength(along flow: Axis) -> Bool
}

extension SectionContent {
  /// Returns true, because dimensions may be fractions of the container's length.
  func dependsOnVisibleLength(along flow: Axis) -> Bool { true }
}

/// The container in which a section's items are laid out.
struct SectionContainer: Hashable, Sendable {
  /// The size inside the section's insets, in points.
  ///
  /// Along the flow axis it is the visible length.
  var size: Size
  /// The axis along which groups follow each other: the scroll axis, or the cross axis in an orthogonal section.
  var flow: Axis
  /// The number of pixels per point.
  var scale: DisplayScale
  /// The space between groups, in points.
  var interGroupSpacing: Double
  /// Whether groups may be broader than the container along the cross axis, as in sections that scroll orthogonally.
  var isCrossAxisUnbounded = false

  /// The maximum length of an item or a gap in pixels, to which data is limited.
  static let maximumLength = 1_000_000

  /// Returns the nearest number of pixels to a length in points, in 0...``maximumLength``; 0 for NaN.
  func pixels(_ points: Double) -> Int {
    let pixels = (points * scale.pixelsPerPoint).rounded(.toNearestOrAwayFromZero)
    return pixels > 0 ? Int(min(pixels, Double(SectionContainer.maximumLength))) : 0
  }

  /// Returns the number of whole pixels along an axis; a partially visible pixel does not count.
  func pixelLength(_ axis: Axis) -> Int {
    let pixels = (size[axis] * scale.pixelsPerPoint).rounded(.down)
    return pixels > 0 ? Int(min(pixels, Double(SectionContainer.maximumLength))) : 0
  }
}

/// Rules that lay out items by repeating a group.
protocol TemplateContent: SectionContent {
  /// Returns whether other rules are known to lay out items in the same way.
  func hasSameRules(as other: any SectionContent) -> Bool
}

/// Rules that lay out items by repeating a group of the client.
struct GroupContent: TemplateContent {
  let group: CollectionLayoutGroup

  /// Nested subitems refer to the dimensions of the group, not to the visible length.
  func dependsOnVisibleLength(along flow: Axis) -> Bool {
    group.layoutSize.width.isShare(of: flow) || group.layoutSize.height.isShare(of: flow)
  }

  /// - Complexity: O(b) for b boxes of the group.
  func body(of itemCount: Int, in container: SectionContainer) -> any SectionBody {
    let template = GroupSolver.solve(group, in: container)
    guard template.hasEstimatedItems else { return TemplateBody(self, template, itemCount: itemCount, in: container) }
    return measurableGroup(in: container).body(of: itemCount, in: container)
  }

  func hasSameRules(as other: any SectionContent) -> Bool {
    guard let other = other as? GroupContent else { return false }
    return group.hasSameRules(as: other.group)
  }
}

/// Rules of a section with self-sizing cells.
protocol MeasurableContent: SectionContent {
  /// Returns the rules of one group in a container.
  func measurableGroup(in container: SectionContainer) -> any MeasurableGroup
}
