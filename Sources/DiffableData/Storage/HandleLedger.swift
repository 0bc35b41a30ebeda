/// Where each item of a snapshot is: in which leaf, the leaf in which block, the block in which section.
struct HandleLedger: Sendable {
  var places = PlaceMap()
  /// From leaves to their blocks.
  var leaves = KeyLedger()
  /// From blocks to their sections.
  var blocks = KeyLedger()

  /// The key of the section that a leaf belongs to.
  func section(ofLeaf leaf: Int32) -> Int32 { blocks[leaves[leaf]] }
}
