internal import VitrineGeometry

/// The rules of one group whose length depends on the preferred sizes of its cells.
///
/// All groups of a section have the same rules and the same number of items.
protocol MeasurableGroup: Sendable {
  /// Returns the measured size of the item in a slot, or nil if the estimate applies.
  typealias Measured = (_ slot: Int) -> MeasuredSize?

  /// The number of items of a group, at least 1.
  var slotCount: Int { get }

  /// Whether the group consists of one item with the same length, whose breadth is not measured.
  var isRow: Bool { get }

  /// Whether all groups of the section have the length of the longest one.
  var sharesLength: Bool { get }

  /// Returns the sides of an item that the preferred size of its cell determines.
  func measuredSides(ofSlot slot: Int) -> MeasuredSides

  /// Returns the stacking order of an item in the group.
  func zIndex(ofSlot slot: Int) -> Int

  /// Returns the frames of the items of one group.
  ///
  /// - Parameters:
  ///   - measured: The measured sizes in pixels. Sides that cells do not determine are ignored.
  ///   - minimum: The minimum length of the group, in pixels.
  func solved(measured: Measured, atLeast minimum: Int) -> MeasuredSlots

  /// Returns the supplementary views of the items and of the group.
  ///
  /// - Parameters:
  ///   - items: The items whose views are returned, relative to the first item of the group.
  ///   - measured: The measured sizes with which the group was laid out.
  ///   - minimum: The minimum length with which the group was laid out.
  /// - Returns: The views, with frames relative to the group's corner and items relative to its first one.
  func supplementaries(of items: Range<Int>, measured: Measured, atLeast minimum: Int) -> [BodySupplementary]

  /// Returns whether another group has the same rules, so that measured sizes of one are valid for the other.
  func hasSameRules(as other: any MeasurableGroup) -> Bool
}

/// Default implementations.
extension MeasurableGroup {
  var isRow: Bool { false }
  var sharesLength: Bool { false }
  func zIndex(ofSlot slot: Int) -> Int { 0 }
  func supplementaries(of items: Range<Int>, measured: Measured, atLeast minimum: Int) -> [BodySupplementary] { [] }

  /// Returns the body of a section with such groups.
  func body(of itemCount: Int, in container: SectionContainer) -> any SectionBody {
    let body = MeasuredBody(of: max(0, itemCount), group: self, in: container)
    return sharesLength ? SharedLengthBody(body) : body
  }
}

/// The layout of one group: the frames of its items relative to its corner, in whole pixels.
struct MeasuredSlots: Hashable, Sendable {
  /// The length along the flow axis, at least 1.
  ///
  /// No item extends beyond it.
  var length: Int
  /// The extent along the cross axis.
  var breadth: Int
  /// The frames of the items.
  var frames: [PixelFrame]
  /// The largest distance by which a supplementary view extends beyond its first item.
  var reach = 0
}

/// The sides of an item.
struct MeasuredSides: OptionSet, Hashable, Sendable {
  let rawValue: UInt8
  static let width = MeasuredSides(rawValue: 1)
  static let height = MeasuredSides(rawValue: 2)
}

/// A group of the client with self-sizing cells.
///
/// The number of its items is determined with the estimates and does not change: a list of subitems that is repeated as
/// often as it fits does not get other repetitions when cells are narrower than estimated.
private struct SolverGroup: MeasurableGroup {
  private let rules: CollectionLayoutGroup
  private let flow: Axis
  private let solver: GroupSolver
  /// The group laid out with its estimates.
  private let template: GroupTemplate
  let isRow: Bool

  /// - Complexity: O(b) for b boxes of the group.
  init(_ rules: CollectionLayoutGroup, in container: SectionContainer) {
    self.init(rules, GroupSolver(rules, in: container), flow: container.flow)
  }

  private init(_ rules: CollectionLayoutGroup, _ solver: GroupSolver, flow: Axis) {
    self.rules = rules
    self.solver = solver
    self.flow = flow
    template = solver.template()
    isRow = SolverGroup.isRow(solver, flow: flow)
  }

  /// Returns whether one item fills the group, regardless of its measured length.
  private static func isRow(_ solver: GroupSolver, flow: Axis) -> Bool {
    guard solver.slotCount == 1 else { return false }
    let lengths = [17, 1_003]
    return lengths.allSatisfy { length in
      let template = solver.template(measured: { _ in (length, length) })
      let frame = template.slots[0].frame
      let asked = flow == .vertical ? template.slots[0].hasEstimatedHeight : template.slots[0].hasEstimatedWidth
      let across = flow == .vertical ? template.slots[0].hasEstimatedWidth : template.slots[0].hasEstimatedHeight
      return asked && !across && frame.start(flow) == 0 && frame.end(flow) == length && template.length(flow) == length
    }
  }

  var slotCount: Int { solver.slotCount }

  var sharesLength: Bool { rules.layoutSize[flow].rule == .uniformAcrossSiblings }

  func measuredSides(ofSlot slot: Int) -> MeasuredSides {
    let slot = template.slots[slot]
    return slot.hasEstimatedWidth
      ? slot.hasEstimatedHeight ? [.width, .height] : .width : slot.hasEstimatedHeight ? .height : []
  }

  func zIndex(ofSlot slot: Int) -> Int { template.slots[slot].zIndex }

  func solved(measured: Measured, atLeast minimum: Int) -> MeasuredSlots {
    let template = template(measured, minimum)
    return MeasuredSlots(
      length: max(1, template.length(flow)), breadth: template.length(flow.cross), frames: template.slots.map(\.frame),
      reach: template.supplementaryReach)
  }

  func supplementaries(of items: Range<Int>, measured: Measured, atLeast minimum: Int) -> [BodySupplementary] {
    guard !template.supplementaries.isEmpty else { return [] }
    return template(measured, minimum).supplementaries.filter { $0.slots.overlaps(items) }.map {
      BodySupplementary(
        kind: $0.kind, item: $0.slots.lowerBound, ordinal: $0.ordinal, frame: $0.frame, zIndex: $0.zIndex)
    }
  }

  private func template(_ measured: Measured, _ minimum: Int) -> GroupTemplate {
    solver.template(
      measured: { slot in measured(slot).map { ($0.width, $0.height) } ?? (nil, nil) },
      extent: flow == .vertical ? (nil, minimum) : (minimum, nil))
  }

  func hasSameRules(as other: any MeasurableGroup) -> Bool {
    guard let other = other as? SolverGroup else { return false }
    return flow == other.flow && rules.hasSameRules(as: other.rules)
  }
}

extension GroupContent: MeasurableContent {
  func measurableGroup(in container: SectionContainer) -> any MeasurableGroup { SolverGroup(group, in: container) }
}

/// A row of a list, as broad as the container and as long as its cell prefers.
struct RowGroup: MeasurableGroup, Hashable {
  /// The axis along which rows follow each other.
  let flow: Axis
  /// The breadth along the cross axis, in pixels.
  let breadth: Int
  /// The estimated length in pixels, which is used until the cell was measured.
  let estimate: Int
  /// Whether all rows have the length of the longest one.
  var sharesLength = false

  var slotCount: Int { 1 }
  var isRow: Bool { true }

  func measuredSides(ofSlot slot: Int) -> MeasuredSides { flow == .vertical ? .height : .width }

  func solved(measured: Measured, atLeast minimum: Int) -> MeasuredSlots {
    let length = max(1, minimum, measured(0)?.side(flow) ?? estimate)
    let frame =
      flow == .vertical
      ? PixelFrame(minX: 0, minY: 0, maxX: breadth, maxY: length)
      : PixelFrame(minX: 0, minY: 0, maxX: length, maxY: breadth)
    return MeasuredSlots(length: length, breadth: breadth, frames: [frame])
  }

  func hasSameRules(as other: any MeasurableGroup) -> Bool { other as? RowGroup == self }
}
