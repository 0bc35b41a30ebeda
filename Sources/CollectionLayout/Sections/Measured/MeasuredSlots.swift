/// One group that was placed: its items from its corner, in whole pixels.
struct MeasuredSlots: Hashable, Sendable {
  /// How long it is along the flow, at least 1; no item reaches beyond.
  var length: Int
  /// How far it reaches across.
  var breadth: Int
  /// The items.
  var frames: [PixelFrame]
  /// How far a view that belongs to an item or to the group reaches out of the first item that it belongs to.
  var reach = 0
}
