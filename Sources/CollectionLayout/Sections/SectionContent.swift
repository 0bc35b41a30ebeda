/// By what rules the items of a section are placed.
protocol SectionContent: Sendable {
  /// Places a number of items in a room.
  ///
  /// - Complexity: O(1) or O(items / 256): what must look at each item does so when it is asked to settle.
  func body(of itemCount: Int, in room: SectionRoom) -> any SectionBody
}
