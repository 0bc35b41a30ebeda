internal import Geometry

/// Rules that place items by a group of a client's.
struct GroupContent: TemplateContent {
  let group: CollectionLayoutGroup

  /// What is within the group is placed by the group's own sides.
  func usesSeenLength(_ flow: Axis) -> Bool {
    group.layoutSize.width.isShare(of: flow) || group.layoutSize.height.isShare(of: flow)
  }

  /// - Complexity: O(b) for b boxes of the group.
  func body(of itemCount: Int, in room: SectionRoom) -> any SectionBody {
    let template = GroupSolver.solve(group, in: room)
    guard template.asksCells else { return TemplateBody(self, template, itemCount: itemCount, in: room) }
    return measurableGroup(in: room).body(of: itemCount, in: room)
  }

  func hasSameRules(as other: any SectionContent) -> Bool {
    guard let other = other as? GroupContent else { return false }
    return group.hasSameRules(as: other.group)
  }
}
