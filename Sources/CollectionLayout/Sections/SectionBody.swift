internal import VitrineGeometry

/// The frames of the items of one section, in whole pixels relative to the corner inside the section's insets.
///
/// Items are identified by their index in the section. All coordinates are left to right; the composition mirrors them.
/// Items follow each other along the flow axis: an item never ends before all items of an earlier group have started,
/// so that the items in a range of the flow axis are those between a first and a last one.
protocol SectionBody: Sendable {
  /// The number of items.
  var itemCount: Int { get }

  /// The total length along the flow axis, in pixels; 0 without items.
  var length: Int { get }

  /// The extent along the cross axis, in pixels, which is usually that of the container.
  var breadth: Int { get }

  /// Returns the frame of an item.
  ///
  /// - Precondition: The item exists.
  func frame(ofItem item: Int) -> PixelFrame

  /// Returns the stacking order of an item, which is 0 except in custom groups.
  ///
  /// - Precondition: The item exists.
  func zIndex(ofItem item: Int) -> Int

  /// Returns the smallest index of an item that shares a pixel with a rectangle, or nil if there is none.
  ///
  /// - Precondition: The edges of the rectangle are within ±2^60.
  func firstItem(in rect: PixelFrame) -> Int?

  /// Returns the largest index of an item that shares a pixel with a rectangle, or nil if there is none.
  func lastItem(in rect: PixelFrame) -> Int?

  /// Whether the items in a rectangle may be several runs, because items are not in the order of the flow axis.
  var hasScatteredItems: Bool { get }

  /// Calls a closure with the runs of items that share a pixel with a rectangle, as ascending disjoint ranges.
  func visitRuns(in rect: PixelFrame, _ visit: (Range<Int>) -> Void)

  /// Returns the item to which a key moves the focus within the section, or nil if the rules do not determine it.
  func item(from item: Int, _ heading: FocusHeading) -> Int?

  /// Returns the start of the last group at or before a line along the flow axis, and that of the next group.
  ///
  /// They determine the resting offsets of orthogonal scrolling. The result is nil without items; `after` is nil for
  /// the last group.
  func groupStarts(around line: Int) -> (atOrBefore: Int, after: Int?)?

  /// Whether an item or group may have supplementary views.
  ///
  /// It is checked first, because most sections have none and finding the visible items takes longer.
  var hasSupplementaries: Bool { get }

  /// Appends the supplementary views, such as badges, of a range of items and their groups.
  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary])

  /// The largest distance by which a supplementary view may extend beyond its item or group, in pixels.
  var supplementaryReach: Int { get }

  // MARK: - Estimated frames and preferred sizes

  /// Whether all frames are final with the sizes that are known.
  var areFramesFinal: Bool { get }

  /// Finalizes the frames of all items that start or end within a range of the flow axis.
  ///
  /// The range refers to the positions before the call.
  ///
  /// - Returns: Whether any item moved or the length changed.
  mutating func finalizeFrames(in span: Range<Int>) -> Bool

  /// Finalizes more frames, starting with the first that are estimated.
  ///
  /// - Parameter items: The budget, as a number of items.
  /// - Returns: Whether any item moved or the length changed.
  mutating func finalizeFrames(itemBudget items: Int) -> Bool

  /// Returns whether the preferred size of an item's cell affects the layout.
  func usesPreferredSize(ofItem item: Int) -> Bool

  /// Records the size that a cell prefers, in pixels.
  ///
  /// - Parameter burst: The number of the burst of size changes; see ``SizeStability``.
  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int, burst: UInt32) -> PreferredSizeResult

  /// Permits the size of an item that was fixed to change again.
  mutating func unfreezeSize(ofItem item: Int)

  /// Applies edits of the items.
  ///
  /// The new rules may refer to new data.
  ///
  /// - Parameters:
  ///   - edits: The edits of the section.
  ///   - content: The new rules of the section.
  ///   - container: The container, which must not have changed.
  /// - Returns: Whether the update was applied. If not, nothing changed and the section must be solved again.
  mutating func update(_ edits: SectionEdits, content: any SectionContent, container: SectionContainer) -> Bool

  /// Adapts the body to another container.
  ///
  /// - Returns: Whether the body was adapted. If not, nothing changed and the section must be solved again.
  mutating func resize(to container: SectionContainer, content: any SectionContent) -> Bool

  /// Returns the number of items, rows or groups that an update would process.
  func cost(of edits: SectionEdits) -> Int

  /// The items that have a background of the items behind them.
  var backgroundItems: Range<Int> { get }

  /// Returns the offset at which scrolling ends, in points; see ``SectionLayout``.
  func targetContentOffset(_ proposed: Double, velocity: Double) -> Double

  /// Returns the attributes from which an item appears or to which it disappears, in points in the coordinates of the
  /// items, or nil for the default.
  ///
  /// - Precondition: The item exists.
  func transitionAttributes(ofItem item: Int, isAppearing: Bool) -> TransitionAttributes?

  /// Moves the recorded violations of a client's layout into a log, and records later ones there.
  mutating func attach(_ log: ViolationLog)
}

/// Default implementations for sections whose frames are final.
extension SectionBody {
  func zIndex(ofItem item: Int) -> Int { 0 }
  var hasScatteredItems: Bool { false }
  func visitRuns(in rect: PixelFrame, _ visit: (Range<Int>) -> Void) {
    if let first = firstItem(in: rect), let last = lastItem(in: rect) { visit(first..<(last + 1)) }
  }
  func item(from item: Int, _ heading: FocusHeading) -> Int? { nil }
  mutating func resize(to container: SectionContainer, content: any SectionContent) -> Bool { false }
  mutating func attach(_ log: ViolationLog) {}
  var backgroundItems: Range<Int> { 0..<itemCount }
  func targetContentOffset(_ proposed: Double, velocity: Double) -> Double { proposed }
  func transitionAttributes(ofItem item: Int, isAppearing: Bool) -> TransitionAttributes? { nil }
  var areFramesFinal: Bool { true }
  mutating func finalizeFrames(in span: Range<Int>) -> Bool { false }
  mutating func finalizeFrames(itemBudget items: Int) -> Bool { false }
  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int, burst: UInt32) -> PreferredSizeResult {
    .unchanged
  }
  mutating func unfreezeSize(ofItem item: Int) {}
  func usesPreferredSize(ofItem item: Int) -> Bool { false }
  var hasSupplementaries: Bool { true }
  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary]) {}
  var supplementaryReach: Int { 0 }
}

// MARK: - Supplementary views

/// A supplementary or decoration view that belongs to an item or a group.
struct BodySupplementary: Hashable, Sendable {
  /// The name of the element kind.
  var kind: String
  /// The item that owns the view, or the first item of the group that owns it.
  var item: Int
  /// The number of the view among those of its kind at the item.
  var ordinal = 0
  /// The frame in the coordinates of the items.
  var frame: PixelFrame
  var zIndex: Int
  /// Whether the view is a decoration view, such as a separator.
  var isDecoration = false

  /// The element kind of the view in the layout.
  var elementKind: ElementKind { isDecoration ? .decoration(kind) : .supplementary(kind) }

  /// Returns a view of a group with its item and frame relative to the section instead of the group.
  func moved(to firstItem: Int, _ start: Int, _ flow: Axis) -> BodySupplementary {
    var view = self
    view.item += firstItem
    view.frame = frame.offset(start, along: flow)
    return view
  }
}

// MARK: - Grouped bodies

/// A section body whose items are in groups with equal numbers of items that do not overlap along the flow axis.
protocol GroupedBody: SectionBody {
  /// The number of items of a group.
  var slotCount: Int { get }
  /// The axis along which groups follow each other.
  var flow: Axis { get }
  /// The number of groups.
  var groupCount: Int { get }

  /// Returns the last group that starts at or before a line in the section.
  func group(atOffset line: Int) -> Int

  /// Returns the start of a group along the flow axis.
  func start(ofGroup group: Int) -> Int

  /// Returns the adjacent groups, including the group itself, whose items have the same frames within their group.
  func identicalGroups(around group: Int) -> Range<Int>
}

extension GroupedBody {
  /// - Complexity: That of finding a group if one of the first groups in the rectangle has an item there; otherwise
  ///   plus O(g) for g groups in it that are not identical.
  func firstItem(in rect: PixelFrame) -> Int? {
    guard let range = groups(in: rect) else { return nil }
    let last = range.upperBound - 1
    var group = range.lowerBound
    while group <= last {
      if let item = items(ofGroup: group).first(where: { frame(ofItem: $0).intersects(rect) }) { return item }
      // The rectangle may clip the first group. If another group has no item in the rectangle, identical groups have
      // none either, except for the last one.
      let identicalGroups = identicalGroups(around: group)
      let skips = group > max(range.lowerBound, identicalGroups.lowerBound)
      group = max(group + 1, skips ? min(last, identicalGroups.upperBound - 1) : 0)
    }
    return nil
  }

  /// - Complexity: That of ``firstItem(in:)``.
  func lastItem(in rect: PixelFrame) -> Int? {
    guard let range = groups(in: rect) else { return nil }
    let last = range.upperBound - 1
    var group = last
    while group >= range.lowerBound {
      if let item = items(ofGroup: group).last(where: { frame(ofItem: $0).intersects(rect) }) { return item }
      let identicalGroups = identicalGroups(around: group)
      let skips = group < min(last, identicalGroups.upperBound - 1)
      group = min(group - 1, skips ? max(range.lowerBound, identicalGroups.lowerBound) : group - 1)
    }
    return nil
  }

  /// Returns the groups that share a line along the flow axis with a rectangle, or nil if there are none.
  private func groups(in rect: PixelFrame) -> Range<Int>? {
    let start = max(0, rect.start(flow))
    let end = min(length, rect.end(flow))
    guard start < end, !rect.isEmpty else { return nil }
    return group(atOffset: start)..<(group(atOffset: end - 1) + 1)
  }

  /// Returns the existing items of a group.
  func items(ofGroup group: Int) -> Range<Int> {
    (group * slotCount)..<min(itemCount, (group + 1) * slotCount)
  }

  func groupStarts(around line: Int) -> (atOrBefore: Int, after: Int?)? {
    guard itemCount > 0 else { return nil }
    guard line >= 0 else { return (0, 0) }
    let group = group(atOffset: line)
    return (start(ofGroup: group), group + 1 < groupCount ? start(ofGroup: group + 1) : nil)
  }
}
