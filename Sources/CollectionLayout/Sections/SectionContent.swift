internal import Geometry

/// By what rules the items of a section are placed.
protocol SectionContent: Sendable {
  /// Places a number of items in a room.
  ///
  /// - Complexity: O(1) or O(items / 256): what must look at each item does so when it is asked to settle.
  func body(of itemCount: Int, in room: SectionRoom) -> any SectionBody

  /// Whether places depend on how much is seen at once along the flow of the section.
  ///
  /// Where they do not, the room is no longer than nothing along the flow, and a window that is resized along it keeps the
  /// section as it is.
  func usesSeenLength(_ flow: Axis) -> Bool
}

extension SectionContent {
  /// Shares of the room's length may be meant.
  func usesSeenLength(_ flow: Axis) -> Bool { true }
}
