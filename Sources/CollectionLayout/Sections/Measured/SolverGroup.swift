internal import Geometry

/// A client's group, some of whose cells are asked for their sizes.
///
/// How many items it has is found by the rules' estimates, and stays: a list of subitems that is repeated as long as it
/// fits is not broken elsewhere when cells are narrower than was estimated.
struct SolverGroup: MeasurableGroup {
  private let rules: CollectionLayoutGroup
  private let flow: Axis
  private let solver: GroupSolver
  /// The group by its estimates.
  private let template: GroupTemplate
  let isRow: Bool

  /// - Complexity: O(b) for b boxes of the group.
  init(_ rules: CollectionLayoutGroup, in room: SectionRoom) {
    self.init(rules, GroupSolver(rules, in: room), flow: room.flow)
  }

  private init(_ rules: CollectionLayoutGroup, _ solver: GroupSolver, flow: Axis) {
    self.rules = rules
    self.solver = solver
    self.flow = flow
    template = solver.template()
    isRow = SolverGroup.isRow(solver, flow: flow)
  }

  /// Whether one item fills the group whatever length it asks for.
  private static func isRow(_ solver: GroupSolver, flow: Axis) -> Bool {
    guard solver.slotCount == 1 else { return false }
    let lengths = [17, 1_003]
    return lengths.allSatisfy { length in
      let template = solver.template(measured: { _ in (length, length) })
      let frame = template.slots[0].frame
      let asked = flow == .vertical ? template.slots[0].asksForHeight : template.slots[0].asksForWidth
      let across = flow == .vertical ? template.slots[0].asksForWidth : template.slots[0].asksForHeight
      return asked && !across && frame.start(flow) == 0 && frame.end(flow) == length && template.length(flow) == length
    }
  }

  var slotCount: Int { solver.slotCount }

  var sharesLength: Bool { rules.layoutSize[flow].rule == .uniformAcrossSiblings }

  func asks(ofSlot slot: Int) -> MeasuredSides {
    let slot = template.slots[slot]
    return slot.asksForWidth
      ? slot.asksForHeight ? [.width, .height] : .width : slot.asksForHeight ? .height : []
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
  func measurableGroup(in room: SectionRoom) -> any MeasurableGroup { SolverGroup(group, in: room) }
}
