import Testing
import VitrineDiffableData
import VitrineTestSupport

@Suite("A section snapshot behaves like a tree of lists")
struct SectionSnapshotModelTests {
  typealias Snapshot = DiffableDataSourceSectionSnapshot<Int>

  /// Returns the first property in which a snapshot differs from a model, or nil.
  private func difference(_ snapshot: Snapshot, _ model: SectionSnapshotModel) -> String? {
    let lines = model.lines
    if snapshot.items != lines.map(\.id) { return "items" }
    if snapshot.numberOfItems != lines.count { return "count" }
    if snapshot.rootItems != model.roots.map(\.id) { return "roots" }
    if snapshot.visibleItems != lines.filter(\.isVisible).map(\.id) { return "visible" }
    if snapshot.expandedItems != lines.filter(\.isExpanded).map(\.id) { return "expanded" }
    for (index, line) in lines.enumerated() {
      let isSame =
        snapshot.contains(line.id) && snapshot.index(of: line.id) == index && snapshot.level(of: line.id) == line.level
        && snapshot.parent(of: line.id) == line.parent && snapshot.isExpanded(line.id) == line.isExpanded
        && snapshot.isVisible(line.id) == line.isVisible
      if !isSame { return "item \(line)" }
    }
    return nil
  }

  /// Returns the first difference in the parts below an item, or nil.
  private func differenceOfParts(_ snapshot: Snapshot, _ model: SectionSnapshotModel, of item: Int) -> String? {
    guard let node = model.node(item) else { return "no item \(item)" }
    if snapshot.children(of: item) != node.children.map(\.id) { return "children of \(item)" }
    let below = SectionSnapshotModel(roots: node.children)
    let isShown = snapshot.isVisible(item) && node.isExpanded
    if snapshot.visibleItems(below: item) != (isShown ? below.lines.filter(\.isVisible).map(\.id) : []) {
      return "visible below \(item)"
    }
    return difference(snapshot.snapshot(of: item), below)
      ?? difference(snapshot.snapshot(of: item, includingParent: true), SectionSnapshotModel(roots: [node]))
  }

  @Test("Thousands of random edit scripts give the same result as the model", arguments: 0..<8)
  func randomScripts(batch: UInt64) {
    for script in 0..<300 {
      var edits = SectionSnapshotEdits(seed: batch &* 1_000 &+ UInt64(script))
      for _ in 0..<14 { edits.edit(upTo: 3) }
      let difference =
        difference(edits.snapshot, edits.model)
        ?? edits.model.items.lazy.compactMap { differenceOfParts(edits.snapshot, edits.model, of: $0) }.first
      if let difference { Issue.record("batch \(batch), script \(script): \(difference)") }
    }
  }

  @Test(
    "Every step of long scripts gives the same result as the model, and copies are unchanged",
    arguments: TestScale.seeds(1...6))
  func longScripts(seed: UInt64) {
    var edits = SectionSnapshotEdits(seed: seed &+ 77_000)
    var copies: [(Snapshot, SectionSnapshotModel)] = []
    for step in 0..<120 {
      edits.edit(upTo: seed % 3 == 0 ? 300 : 12)
      if step % 10 == 0 {
        #expect(difference(edits.snapshot, edits.model) == nil)
        copies.append((edits.snapshot, edits.model))
      }
    }
    #expect(difference(edits.snapshot, edits.model) == nil)
    for (snapshot, model) in copies { #expect(difference(snapshot, model) == nil) }
    for (left, right) in zip(copies, copies.dropFirst()) { #expect((left.0 == right.0) == (left.1 == right.1)) }
  }

  /// Performs a numbered edit of the exhaustive scripts.
  private func apply(_ step: Int, _ item: Int, to snapshot: inout Snapshot, _ model: inout SectionSnapshotModel) {
    let node = SectionSnapshotModel.Node(id: item)
    let items = model.items
    if step == 0 || items.isEmpty {
      snapshot.append([item])
      return model.append([node], to: nil)
    }
    let target = items[(step - 1) / 5 % items.count]
    switch (step - 1) % 5 {
    case 0:
      snapshot.append([item], to: target)
      model.append([node], to: target)
    case 1:
      snapshot.insert([item], before: target)
      model.insert([node], at: target, after: false)
    case 2:
      snapshot.insert([item], after: target)
      model.insert([node], at: target, after: true)
    case 3:
      snapshot.delete([target])
      model.delete(target)
    default:
      let expands = !snapshot.isExpanded(target)
      if expands { snapshot.expand([target]) } else { snapshot.collapse([target]) }
      model.setExpanded(expands, target)
    }
  }

  @Test("All scripts of four edits at all possible items give the same result as the model")
  func everyShortScript() {
    // A step appends at the root, or performs one of five edits at one of up to three items.
    let choices = 16
    for script in 0..<(choices * choices * choices * choices) {
      var snapshot = Snapshot()
      var model = SectionSnapshotModel()
      var rest = script
      for item in 0..<4 {
        apply(rest % choices, item, to: &snapshot, &model)
        rest /= choices
      }
      if let difference = difference(snapshot, model) { Issue.record("script \(script): \(difference)") }
    }
  }
}
