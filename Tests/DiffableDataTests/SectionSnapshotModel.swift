/// What a section snapshot is, written as plainly as can be: a list of items, each with a list of items.
struct SectionSnapshotModel: Equatable {
  struct Node: Equatable {
    var id: Int
    var isExpanded = false
    var children: [Node] = []
  }

  struct Line: Equatable {
    var id: Int
    var level: Int
    var parent: Int?
    var isExpanded: Bool
    var isVisible: Bool
  }

  var roots: [Node] = []

  /// Every item in order, with what is to be known of it.
  var lines: [Line] {
    func lines(of nodes: [Node], level: Int, parent: Int?, isVisible: Bool) -> [Line] {
      nodes.flatMap { node in
        [Line(id: node.id, level: level, parent: parent, isExpanded: node.isExpanded, isVisible: isVisible)]
          + lines(of: node.children, level: level + 1, parent: node.id, isVisible: isVisible && node.isExpanded)
      }
    }
    return lines(of: roots, level: 0, parent: nil, isVisible: true)
  }

  var items: [Int] { lines.map(\.id) }

  /// Changes the siblings that an item is among, and says where it is.
  private mutating func edit(at id: Int, _ change: (inout [Node], Int) -> Void) {
    func edit(_ nodes: inout [Node]) -> Bool {
      if let index = nodes.firstIndex(where: { $0.id == id }) {
        change(&nodes, index)
        return true
      }
      for index in nodes.indices where edit(&nodes[index].children) { return true }
      return false
    }
    _ = edit(&roots)
  }

  func node(_ id: Int) -> Node? {
    func find(_ nodes: [Node]) -> Node? {
      for node in nodes {
        if node.id == id { return node }
        if let found = find(node.children) { return found }
      }
      return nil
    }
    return find(roots)
  }

  mutating func append(_ nodes: [Node], to parent: Int?) {
    guard let parent else { return roots += nodes }
    edit(at: parent) { $0[$1].children += nodes }
  }

  mutating func insert(_ nodes: [Node], at anchor: Int, after: Bool) {
    edit(at: anchor) { $0.insert(contentsOf: nodes, at: $1 + (after ? 1 : 0)) }
  }

  mutating func delete(_ id: Int) { edit(at: id) { $0.remove(at: $1) } }

  mutating func replaceChildren(of id: Int, with nodes: [Node]) { edit(at: id) { $0[$1].children = nodes } }

  mutating func setExpanded(_ isExpanded: Bool, _ id: Int) { edit(at: id) { $0[$1].isExpanded = isExpanded } }
}
