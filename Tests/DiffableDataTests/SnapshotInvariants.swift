import Testing

@testable import DiffableData

extension DiffableDataSourceSnapshot {
  /// What is wrong with how the snapshot keeps its items, or nothing.
  var brokenInvariant: String? {
    var total = 0
    var isPlaced = [Bool](repeating: false, count: interner.count)
    for record in table.records {
      var sectionCount = 0
      for block in record.items.blocks {
        if block.leaves.isEmpty { return "an empty block" }
        if block.leaves.count > HandleBlock.capacity { return "a block of \(block.leaves.count) leaves" }
        if ledger.blocks[block.key] != record.key { return "a block of another section" }
        for leaf in block.leaves {
          if leaf.handles.isEmpty || leaf.count > HandleLeaf.capacity { return "a leaf of \(leaf.count)" }
          if ledger.leaves[leaf.key] != block.key { return "a leaf of another block" }
          for handle in leaf.handles {
            if ledger.places[handle] != leaf.key { return "an item that is said to be elsewhere" }
            if isPlaced[Int(handle)] { return "an item that is there twice" }
            isPlaced[Int(handle)] = true
          }
        }
        if block.count != block.leaves.reduce(0, { $0 + $1.count }) { return "a wrong count of a block" }
        sectionCount += block.count
      }
      if record.items.count != sectionCount { return "a wrong count of a section" }
      total += sectionCount
    }
    for handle in isPlaced.indices where !isPlaced[handle] && ledger.places[Handle(handle)] != PlaceMap.none {
      return "an item that is said to be there and is not"
    }
    for handle in 0..<interner.count where interner.handle(of: interner[Handle(handle)]) != Handle(handle) {
      return "an identifier with two handles"
    }
    if interner.count > 2 * numberOfItems + 1_024 + 2 { return "more identifiers than items" }
    return total == numberOfItems ? nil : "a wrong count of items"
  }
}
