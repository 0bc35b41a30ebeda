import BenchmarkSupport
import VitrineDiffableData

/// Measures queries of a tree of items: n / 10 roots with nine children each, every other root expanded.
struct OutlineOperations<ID: BenchmarkIdentifier> {
  typealias Outline = DiffableDataSourceSectionSnapshot<ID>

  private let count: Int
  private let indices: RandomIndices
  private let identifiers: [ID]
  private let shared: Outline

  init(count: Int) {
    self.count = count
    let identifiers = (0..<(count / 10 * 10)).map(ID.identifier)
    self.identifiers = identifiers
    indices = RandomIndices(below: count / 10)
    shared = Self.makeOutline(of: identifiers)
  }

  private static func makeOutline(of identifiers: [ID]) -> Outline {
    let roots = stride(from: 0, to: identifiers.count, by: 10)
    var outline = Outline()
    outline.append(roots.map { identifiers[$0] })
    for root in roots { outline.append(Array(identifiers[(root + 1)..<(root + 10)]), to: identifiers[root]) }
    outline.expand(roots.filter { $0.isMultiple(of: 20) }.map { identifiers[$0] })
    return outline
  }

  /// Measures all operations.
  func run(_ recorder: OperationRecorder) {
    itemQueries(recorder)
    treeQueries(recorder)
    OutlineEdits(identifiers: identifiers, indices: indices, shared: shared) { Self.makeOutline(of: identifiers) }.run(
      recorder)
  }

  private func root(_ call: Int) -> ID { identifiers[indices[call] * 10] }

  private func child(_ call: Int) -> ID { identifiers[indices[call] * 10 + 5] }

  private func itemQueries(_ recorder: OperationRecorder) {
    recorder.measureQuery("init()", .flat("-")) { _ in Outline() }
    recorder.measureQuery("numberOfItems", .flat("1")) { _ in opaque(shared).numberOfItems }
    recorder.measureQuery("contains(_:)", .flat("1")) { shared.contains(child($0)) }
    recorder.measureQuery("index(of:)", .flat("d log w")) { shared.index(of: child($0)) }
    recorder.measureQuery("level(of:)", .flat("1")) { shared.level(of: child($0)) }
    recorder.measureQuery("parent(of:)", .flat("1")) { shared.parent(of: child($0)) }
    recorder.measureQuery("children(of:), nine", .flat("c")) { shared.children(of: root($0)) }
    recorder.measureQuery("isExpanded(_:)", .flat("1")) { shared.isExpanded(root($0)) }
    recorder.measureQuery("isVisible(_:)", .flat("d")) { shared.isVisible(child($0)) }
    recorder.measureQuery("visibleItems(below:), nine or none", .flat("v + d")) { shared.visibleItems(below: root($0)) }
    recorder.measureQuery("snapshot(of:includingParent:), ten", .flat("k")) {
      shared.snapshot(of: root($0), includingParent: true)
    }
  }

  private func treeQueries(_ recorder: OperationRecorder) {
    let apart = Self.makeOutline(of: identifiers)
    recorder.measureQuery("items", .linear("n")) { _ in opaque(shared).items }
    recorder.measureQuery("rootItems", .linear("r")) { _ in opaque(shared).rootItems }
    recorder.measureQuery("visibleItems", .linear("v")) { _ in opaque(shared).visibleItems }
    recorder.measureQuery("expandedItems", .linear("n")) { _ in opaque(shared).expandedItems }
    recorder.measureQuery("==, built apart", .linear("n")) { _ in opaque(apart) == shared }
    if count <= 100_000 {
      recorder.measureQuery("visualDescription()", .linear("n d")) { _ in opaque(shared).visualDescription() }
    }
    recorder.measureQuery("append(_:to:), n in one call", .linear("k + d log w")) { _ in
      var outline = Outline()
      outline.append(opaque(identifiers))
      return outline
    }
  }
}

// MARK: - Mutations

/// Measures mutations of a tree of items.
private struct OutlineEdits<ID: BenchmarkIdentifier> {
  typealias Outline = DiffableDataSourceSectionSnapshot<ID>
  typealias Call = OperationRecorder.Call

  /// The items.
  ///
  /// Every tenth is a root, followed by its children.
  let identifiers: [ID]
  /// Random indices of roots.
  let indices: RandomIndices
  let shared: Outline
  /// Creates the same tree in separate storage.
  let makeOutline: () -> Outline

  /// Measures all operations.
  func run(_ recorder: OperationRecorder) {
    var unshared = makeOutline()
    itemMutations(of: &unshared, recorder)
    subtreeMutations(of: &unshared, recorder)
    firstItemMutations(recorder)
    firstSubtreeMutations(recorder)
  }

  private func root(_ call: Call) -> ID { identifiers[indices[call.index] * 10] }

  private func child(_ call: Call) -> ID { identifiers[indices[call.index] * 10 + 5] }

  /// Returns one of ten identifiers that are unique to a call.
  private func newIdentifier(_ call: Call, _ offset: Int = 0) -> ID {
    ID.identifier(of: identifiers.count + call.number * 10 + offset)
  }

  /// Returns a tree that is unique to a call: a root and nine children.
  private func newSubtree(_ call: Call) -> Outline {
    var subtree = Outline()
    subtree.append([newIdentifier(call)])
    subtree.append((1..<10).map { newIdentifier(call, $0) }, to: newIdentifier(call))
    return subtree
  }

  private func remove(_ outline: inout Outline, _ call: Call) { outline.delete([newIdentifier(call)]) }

  private func itemMutations(of unshared: inout Outline, _ recorder: OperationRecorder) {
    let stated = StatedComplexity.flat("k + d log w")
    recorder.measureMutation(
      "append(_:), a root", stated, of: &unshared, { $0.append([newIdentifier($1)]) }, undoing: remove)
    recorder.measureMutation(
      "append(_:to:)", stated, of: &unshared, { $0.append([newIdentifier($1)], to: root($1)) }, undoing: remove)
    recorder.measureMutation(
      "insert(_:before:), a root", stated, of: &unshared, { $0.insert([newIdentifier($1)], before: root($1)) },
      undoing: remove)
    recorder.measureMutation(
      "insert(_:after:), a root", stated, of: &unshared, { $0.insert([newIdentifier($1)], after: root($1)) },
      undoing: remove)
    recorder.measureMutation(
      "delete(_:)", .flat("k + r d log w"), of: &unshared,
      preparing: { $0.insert([newIdentifier($1)], after: child($1)) }, remove)
    recorder.measureMutation("expand(_:)", .flat("k"), of: &unshared) { $0.expand([root($1)]) }
    recorder.measureMutation("collapse(_:)", .flat("k"), of: &unshared) { $0.collapse([root($1)]) }
    recorder.measureMutation("deleteAll(), unshared", .linear("n"), making: makeOutline) { $0.deleteAll() }
  }

  private func subtreeMutations(of unshared: inout Outline, _ recorder: OperationRecorder) {
    let stated = StatedComplexity.flat("k + d log w")
    var subtrees: [Outline] = []
    func prepare(_ outline: inout Outline, _ call: Call) {
      if call.index == 0 { subtrees.removeAll(keepingCapacity: true) }
      subtrees.append(newSubtree(call))
    }
    recorder.measureMutation(
      "insert(snapshot, before:), ten", stated, of: &unshared, preparing: prepare,
      { $0.insert(subtrees[$1.index], before: root($1)) }, undoing: remove)
    recorder.measureMutation(
      "insert(snapshot, after:), ten", stated, of: &unshared, preparing: prepare,
      { $0.insert(subtrees[$1.index], after: root($1)) }, undoing: remove)
    recorder.measureMutation(
      "append(snapshot, to:), ten", stated, of: &unshared, preparing: prepare,
      { $0.append(subtrees[$1.index], to: root($1)) }, undoing: remove)
    recorder.measureMutation(
      "replace(childrenOf:using:), one by ten", stated, of: &unshared,
      preparing: { outline, call in
        prepare(&outline, call)
        // Each call has its own root, so that no call replaces the children of another.
        outline.insert([ID.identifier(of: -1 - 2 * call.number)], after: root(call))
        outline.append([ID.identifier(of: -2 - 2 * call.number)], to: ID.identifier(of: -1 - 2 * call.number))
      }, { $0.replace(childrenOf: ID.identifier(of: -1 - 2 * $1.number), using: subtrees[$1.index]) },
      undoing: { $0.delete([ID.identifier(of: -1 - 2 * $1.number)]) })
  }

  private func firstItemMutations(_ recorder: OperationRecorder) {
    let stated = StatedComplexity.linear("k + d log w + n/256")
    recorder.measureQuery("copy", .flat("1")) { _ in opaque(shared) }
    recorder.measureFirstMutation("append(_:), a root", stated, ofCopyOf: shared) { $0.append([newIdentifier($1)]) }
    recorder.measureFirstMutation("append(_:to:)", stated, ofCopyOf: shared) {
      $0.append([newIdentifier($1)], to: root($1))
    }
    recorder.measureFirstMutation("insert(_:before:), a root", stated, ofCopyOf: shared) {
      $0.insert([newIdentifier($1)], before: root($1))
    }
    recorder.measureFirstMutation("insert(_:after:), a root", stated, ofCopyOf: shared) {
      $0.insert([newIdentifier($1)], after: root($1))
    }
    recorder.measureFirstMutation("delete(_:)", .linear("k + r d log w + n/256"), ofCopyOf: shared) {
      $0.delete([child($1)])
    }
    recorder.measureFirstMutation("expand(_:)", .linear("k + n/256"), ofCopyOf: shared) { $0.expand([root($1)]) }
    recorder.measureFirstMutation("collapse(_:)", .linear("k + n/256"), ofCopyOf: shared) { $0.collapse([root($1)]) }
    recorder.measureFirstMutation("deleteAll()", .flat("1"), ofCopyOf: shared) { outline, _ in outline.deleteAll() }
  }

  private func firstSubtreeMutations(_ recorder: OperationRecorder) {
    let stated = StatedComplexity.linear("k + d log w + n/256")
    let subtree = newSubtree(Call(number: 0, index: 0))
    recorder.measureFirstMutation("insert(snapshot, before:), ten", stated, ofCopyOf: shared) {
      $0.insert(subtree, before: root($1))
    }
    recorder.measureFirstMutation("insert(snapshot, after:), ten", stated, ofCopyOf: shared) {
      $0.insert(subtree, after: root($1))
    }
    recorder.measureFirstMutation("append(snapshot, to:), ten", stated, ofCopyOf: shared) {
      $0.append(subtree, to: root($1))
    }
    recorder.measureFirstMutation("replace(childrenOf:using:), nine by ten", stated, ofCopyOf: shared) {
      $0.replace(childrenOf: root($1), using: subtree)
    }
  }
}
