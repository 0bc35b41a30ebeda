import BenchmarkSupport
import DiffableData

/// What is changed about a tree of items.
struct OutlineEdits<ID: BenchmarkIdentifier> {
  typealias Outline = DiffableDataSourceSectionSnapshot<ID>
  typealias Turn = OperationRecorder.Turn

  /// Every tenth is a root, and those between are its children.
  let identifiers: [ID]
  /// Of roots.
  let places: SpreadPlaces
  let shared: Outline
  /// Makes the same tree again, in storage of its own.
  let make: () -> Outline

  /// Measures everything.
  func run(_ recorder: OperationRecorder) {
    var own = make()
    items(of: &own, recorder)
    subtrees(of: &own, recorder)
    firstChanges(recorder)
    firstSubtrees(recorder)
  }

  private func root(_ turn: Turn) -> ID { identifiers[places[turn.place] * 10] }

  private func child(_ turn: Turn) -> ID { identifiers[places[turn.place] * 10 + 5] }

  /// An identifier of a turn's own, of ten.
  private func fresh(_ turn: Turn, _ offset: Int = 0) -> ID {
    ID.identifier(of: identifiers.count + turn.number * 10 + offset)
  }

  /// A tree of a turn's own: a root and nine children.
  private func part(_ turn: Turn) -> Outline {
    var part = Outline()
    part.append([fresh(turn)])
    part.append((1..<10).map { fresh(turn, $0) }, to: fresh(turn))
    return part
  }

  private func remove(_ outline: inout Outline, _ turn: Turn) { outline.delete([fresh(turn)]) }

  private func items(of own: inout Outline, _ recorder: OperationRecorder) {
    let stated = StatedCost.flat("k + d log w")
    recorder.change("append(_:), a root", stated, of: &own, { $0.append([fresh($1)]) }, undoing: remove)
    recorder.change("append(_:to:)", stated, of: &own, { $0.append([fresh($1)], to: root($1)) }, undoing: remove)
    recorder.change(
      "insert(_:before:), a root", stated, of: &own, { $0.insert([fresh($1)], before: root($1)) }, undoing: remove)
    recorder.change(
      "insert(_:after:), a root", stated, of: &own, { $0.insert([fresh($1)], after: root($1)) }, undoing: remove)
    recorder.change(
      "delete(_:)", .flat("k + r d log w"), of: &own, preparing: { $0.insert([fresh($1)], after: child($1)) }, remove)
    recorder.change("expand(_:)", .flat("k"), of: &own) { $0.expand([root($1)]) }
    recorder.change("collapse(_:)", .flat("k"), of: &own) { $0.collapse([root($1)]) }
    recorder.change("deleteAll(), unshared", .linear("n"), making: make) { $0.deleteAll() }
  }

  private func subtrees(of own: inout Outline, _ recorder: OperationRecorder) {
    let stated = StatedCost.flat("k + d log w")
    var parts: [Outline] = []
    func prepare(_ outline: inout Outline, _ turn: Turn) {
      if turn.place == 0 { parts.removeAll(keepingCapacity: true) }
      parts.append(part(turn))
    }
    recorder.change(
      "insert(snapshot, before:), ten", stated, of: &own, preparing: prepare,
      { $0.insert(parts[$1.place], before: root($1)) }, undoing: remove)
    recorder.change(
      "insert(snapshot, after:), ten", stated, of: &own, preparing: prepare,
      { $0.insert(parts[$1.place], after: root($1)) }, undoing: remove)
    recorder.change(
      "append(snapshot, to:), ten", stated, of: &own, preparing: prepare,
      { $0.append(parts[$1.place], to: root($1)) }, undoing: remove)
    recorder.change(
      "replace(childrenOf:using:), one by ten", stated, of: &own,
      preparing: { outline, turn in
        prepare(&outline, turn)
        // Under a root of its own, so that no turn takes another's.
        outline.insert([ID.identifier(of: -1 - 2 * turn.number)], after: root(turn))
        outline.append([ID.identifier(of: -2 - 2 * turn.number)], to: ID.identifier(of: -1 - 2 * turn.number))
      }, { $0.replace(childrenOf: ID.identifier(of: -1 - 2 * $1.number), using: parts[$1.place]) },
      undoing: { $0.delete([ID.identifier(of: -1 - 2 * $1.number)]) })
  }

  private func firstChanges(_ recorder: OperationRecorder) {
    let stated = StatedCost.linear("k + d log w + n/256")
    recorder.query("copy", .flat("1")) { _ in opaque(shared) }
    recorder.firstChange("append(_:), a root", stated, ofCopyOf: shared) { $0.append([fresh($1)]) }
    recorder.firstChange("append(_:to:)", stated, ofCopyOf: shared) { $0.append([fresh($1)], to: root($1)) }
    recorder.firstChange("insert(_:before:), a root", stated, ofCopyOf: shared) {
      $0.insert([fresh($1)], before: root($1))
    }
    recorder.firstChange("insert(_:after:), a root", stated, ofCopyOf: shared) {
      $0.insert([fresh($1)], after: root($1))
    }
    recorder.firstChange("delete(_:)", .linear("k + r d log w + n/256"), ofCopyOf: shared) { $0.delete([child($1)]) }
    recorder.firstChange("expand(_:)", .linear("k + n/256"), ofCopyOf: shared) { $0.expand([root($1)]) }
    recorder.firstChange("collapse(_:)", .linear("k + n/256"), ofCopyOf: shared) { $0.collapse([root($1)]) }
    recorder.firstChange("deleteAll()", .flat("1"), ofCopyOf: shared) { outline, _ in outline.deleteAll() }
  }

  private func firstSubtrees(_ recorder: OperationRecorder) {
    let stated = StatedCost.linear("k + d log w + n/256")
    let part = part(Turn(number: 0, place: 0))
    recorder.firstChange("insert(snapshot, before:), ten", stated, ofCopyOf: shared) {
      $0.insert(part, before: root($1))
    }
    recorder.firstChange("insert(snapshot, after:), ten", stated, ofCopyOf: shared) { $0.insert(part, after: root($1)) }
    recorder.firstChange("append(snapshot, to:), ten", stated, ofCopyOf: shared) { $0.append(part, to: root($1)) }
    recorder.firstChange("replace(childrenOf:using:), nine by ten", stated, ofCopyOf: shared) {
      $0.replace(childrenOf: root($1), using: part)
    }
  }
}
