/// Where items come into an outline.
enum OutlinePlace {
  /// Behind all children of a node, or behind all roots for none.
  case last(in: OutlineNode.Handle)
  /// Just before a node, as its siblings.
  case before(OutlineNode.Handle)
  /// Just after a node and its whole subtree, as its siblings.
  case after(OutlineNode.Handle)
}
