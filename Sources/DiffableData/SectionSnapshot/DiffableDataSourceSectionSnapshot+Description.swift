extension DiffableDataSourceSectionSnapshot {
  /// The tree as text, a line for each item: `*` for a visible one, `+` for an expanded or `-` for a collapsed one.
  ///
  /// The marks and the item's description are indented by two spaces for each level; there is no newline at the end.
  /// - Complexity: O(n d) in characters.
  public func visualDescription() -> String {
    var lines: [String] = []
    lines.reserveCapacity(numberOfItems)
    // The level of the topmost collapsed item that is being walked through: what is deeper is hidden.
    var collapsed = Int32.max
    for handle in OutlineWalk(through: outline) {
      let node = outline[handle]
      if node.level <= collapsed { collapsed = .max }
      let indent = String(repeating: "  ", count: Int(node.level))
      lines.append(
        indent + (collapsed == .max ? "*" : " ") + (node.isExpanded ? "+" : "-") + " \(outline.item(handle))")
      if collapsed == .max, !node.isExpanded { collapsed = node.level }
    }
    return lines.joined(separator: "\n")
  }
}
