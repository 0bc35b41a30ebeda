import BenchmarkSupport
import DiffableData

/// What is asked about a tree of items: n / 10 roots with nine children each, every other root expanded.
struct OutlineOperations<ID: BenchmarkIdentifier> {
  typealias Outline = DiffableDataSourceSectionSnapshot<ID>

  private let count: Int
  private let places: SpreadPlaces
  private let identifiers: [ID]
  private let shared: Outline

  init(count: Int) {
    self.count = count
    let identifiers = (0..<(count / 10 * 10)).map(ID.identifier)
    self.identifiers = identifiers
    places = SpreadPlaces(below: count / 10)
    shared = Self.made(of: identifiers)
  }

  private static func made(of identifiers: [ID]) -> Outline {
    let roots = stride(from: 0, to: identifiers.count, by: 10)
    var outline = Outline()
    outline.append(roots.map { identifiers[$0] })
    for root in roots { outline.append(Array(identifiers[(root + 1)..<(root + 10)]), to: identifiers[root]) }
    outline.expand(roots.filter { $0.isMultiple(of: 20) }.map { identifiers[$0] })
    return outline
  }

  /// Measures everything.
  func run(_ recorder: OperationRecorder) {
    single(recorder)
    whole(recorder)
    OutlineEdits(identifiers: identifiers, places: places, shared: shared) { Self.made(of: identifiers) }.run(recorder)
  }

  private func root(_ turn: Int) -> ID { identifiers[places[turn] * 10] }

  private func child(_ turn: Int) -> ID { identifiers[places[turn] * 10 + 5] }

  private func single(_ recorder: OperationRecorder) {
    recorder.query("init()", .flat("-")) { _ in Outline() }
    recorder.query("numberOfItems", .flat("1")) { _ in opaque(shared).numberOfItems }
    recorder.query("contains(_:)", .flat("1")) { shared.contains(child($0)) }
    recorder.query("index(of:)", .flat("d log w")) { shared.index(of: child($0)) }
    recorder.query("level(of:)", .flat("1")) { shared.level(of: child($0)) }
    recorder.query("parent(of:)", .flat("1")) { shared.parent(of: child($0)) }
    recorder.query("children(of:), nine", .flat("c")) { shared.children(of: root($0)) }
    recorder.query("isExpanded(_:)", .flat("1")) { shared.isExpanded(root($0)) }
    recorder.query("isVisible(_:)", .flat("d")) { shared.isVisible(child($0)) }
    recorder.query("visibleItems(below:), nine or none", .flat("v + d")) { shared.visibleItems(below: root($0)) }
    recorder.query("snapshot(of:includingParent:), ten", .flat("k")) {
      shared.snapshot(of: root($0), includingParent: true)
    }
  }

  private func whole(_ recorder: OperationRecorder) {
    let apart = Self.made(of: identifiers)
    recorder.query("items", .linear("n")) { _ in opaque(shared).items }
    recorder.query("rootItems", .linear("r")) { _ in opaque(shared).rootItems }
    recorder.query("visibleItems", .linear("v")) { _ in opaque(shared).visibleItems }
    recorder.query("expandedItems", .linear("n")) { _ in opaque(shared).expandedItems }
    recorder.query("==, built apart", .linear("n")) { _ in opaque(apart) == shared }
    if count <= 100_000 {
      recorder.query("visualDescription()", .linear("n d")) { _ in opaque(shared).visualDescription() }
    }
    recorder.query("append(_:to:), n in one call", .linear("k + d log w")) { _ in
      var outline = Outline()
      outline.append(opaque(identifiers))
      return outline
    }
  }
}
