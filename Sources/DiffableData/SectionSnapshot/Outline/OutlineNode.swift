/// The links of one item of an outline, as handles.
///
/// The children of a node are a balanced tree of their own, a treap in their order, linked by `left`, `right` and `up`:
/// so an item among a million siblings is found, put in and taken out in a logarithmic number of steps.
struct OutlineNode: Sendable {
  /// A number that stands for an item of one outline while the item is there.
  typealias Handle = Int32

  /// Stands for no node.
  static var none: Handle { -1 }

  /// The item this one is a child of; none at the root.
  var parent: Handle
  /// How many items are above this one.
  var level: Int32
  /// The top of the tree of its children.
  var children: Handle = none
  /// The top of the siblings before it, of those below it in the tree of siblings.
  var left: Handle = none
  /// The top of the siblings after it, of those below it in the tree of siblings.
  var right: Handle = none
  /// What is above it in the tree of siblings; of a freed node, the next that is free.
  var up: Handle = none
  /// How many items it, the siblings below it in the tree of siblings, and all their descendants are.
  var total: Int32 = 1
  /// Whether its children are shown where it is.
  var isExpanded = false

  /// The order of heights in a tree of siblings: a mixture of the bits of a handle, different for each.
  static func priority(of handle: Handle) -> UInt32 {
    var bits = UInt32(bitPattern: handle)
    bits = (bits ^ (bits >> 16)) &* 0x85eb_ca6b
    bits = (bits ^ (bits >> 13)) &* 0xc2b2_ae35
    return bits ^ (bits >> 16)
  }
}
