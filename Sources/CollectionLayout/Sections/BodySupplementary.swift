internal import Geometry

/// A view that belongs to an item or a group of a section's body.
struct BodySupplementary: Hashable, Sendable {
  /// The name of its kind.
  var kind: String
  /// The item that it belongs to; the first of a group.
  var item: Int
  /// Which one of several of its kind at that item.
  var ordinal = 0
  /// Where it is, like the frames of items.
  var frame: PixelFrame
  var zIndex: Int
  /// Whether it belongs to the layout and not to content, as the lines between rows do.
  var isDecoration = false

  /// What it is to the layout's client.
  var elementKind: ElementKind { isDecoration ? .decoration(kind) : .supplementary(kind) }

  /// The view of the group that has it, which was said from its own corner and its own first item.
  func moved(to firstItem: Int, _ start: Int, _ flow: Axis) -> BodySupplementary {
    var view = self
    view.item += firstItem
    view.frame = frame.offset(start, along: flow)
    return view
  }
}
