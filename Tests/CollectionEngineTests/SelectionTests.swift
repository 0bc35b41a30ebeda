import FoundationEssentials
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineTestSupport

@Suite("A selection follows clicks with and without modifier keys")
struct SelectionTests {
  private func perform(
    _ gestures: [SelectionGesture], of count: Int = 100, mode: SelectionMode = .multiple
  ) -> Selection {
    var selection = Selection()
    for gesture in gestures { selection.apply(selection.change(by: gesture, of: count, mode: mode)) }
    return selection
  }

  /// The gestures, and the selected items, the anchor and the lead after them.
  static let lines: [(gestures: [SelectionGesture], items: [Range<Int>], anchor: Int?, lead: Int?)] = [
    ([.choose(5)], [5..<6], 5, 5),
    ([.choose(5), .choose(9)], [9..<10], 9, 9),
    ([.choose(5), .toggle(9)], [5..<6, 9..<10], 9, 9),
    ([.choose(5), .toggle(9), .toggle(5)], [9..<10], 5, 5),
    ([.choose(5), .extend(to: 9, adds: false)], [5..<10], 5, 9),
    ([.choose(5), .extend(to: 9, adds: false), .extend(to: 2, adds: false)], [2..<6], 5, 2),
    ([.choose(5), .toggle(20), .extend(to: 22, adds: false)], [20..<23], 20, 22),
    ([.choose(5), .toggle(20), .extend(to: 22, adds: true)], [5..<6, 20..<23], 20, 22),
    ([.extend(to: 7, adds: false)], [7..<8], 7, 7),
    ([.choose(5), .all], [0..<100], 5, 5),
    ([.choose(5), .all, .toggle(50)], [0..<50, 51..<100], 50, 50),
    ([.choose(5), .clear], [], 5, 5),
    ([.choose(5), .clear, .extend(to: 7, adds: false)], [5..<8], 5, 7),
    ([.choose(5), .choose(100)], [5..<6], 5, 5),
    ([.choose(-1), .toggle(200), .extend(to: 100, adds: true)], [], nil, nil),
    ([.add(IndexRuns(3..<6)), .add(IndexRuns(98..<200)), .remove(IndexRuns(4..<5))], [3..<4, 5..<6, 98..<100], 5, 5),
    ([.choose(2), .replace(IndexRuns(10..<13))], [10..<13], 2, 2),
  ]

  @Test("Clicks with Control, Shift, both or neither, selecting all, and clearing", arguments: lines.indices)
  func gestures(line: Int) {
    let (gestures, items, anchor, lead) = Self.lines[line]
    let selection = perform(gestures)
    #expect(selection.items.ranges == items, "\(gestures)")
    #expect(selection.anchor == anchor && selection.lead == lead, "\(gestures)")
  }

  @Test("In single mode every gesture selects at most one item")
  func single() {
    #expect(perform([.choose(5), .toggle(9)], mode: .single).items.ranges == [9..<10])
    #expect(perform([.choose(5), .toggle(5)], mode: .single).items.isEmpty)
    #expect(perform([.choose(5), .extend(to: 9, adds: true)], mode: .single).items.ranges == [9..<10])
    #expect(perform([.choose(5), .all], mode: .single).items.ranges == [5..<6])
    #expect(perform([.add(IndexRuns(3..<8))], mode: .single).items.ranges == [7..<8])
  }

  @Test("In mode none no item can be selected, but items can be deselected")
  func none() {
    var selection = perform([.choose(5)])
    #expect(selection.change(by: .choose(7), of: 100, mode: .none).isEmpty)
    selection.apply(selection.change(by: .clear, of: 100, mode: .none))
    #expect(selection.items.isEmpty)
  }

  @Test("Refused items keep their state")
  func refusal() {
    var selection = perform([.choose(1), .extend(to: 4, adds: false)])
    let change = selection.change(by: .choose(6), of: 100, mode: .multiple)
    selection.apply(change.without(selecting: IndexRuns([6]), deselecting: IndexRuns([2])))
    #expect(selection.items.ranges == [2..<3])
  }

  @Test("All of 100 million items are one run, and toggling an item makes two")
  func runs() {
    var selection = perform([.choose(5), .all], of: 100_000_000)
    let change = selection.change(by: .toggle(7), of: 100_000_000, mode: .multiple)
    #expect(change.deselected.count == 1 && change.selected.isEmpty)
    selection.apply(change)
    #expect(selection.items.count == 99_999_999 && selection.items.ranges.count == 2)
    #expect(selection.items.index(at: 7) == 8 && selection.items.index(at: 99_999_998) == 99_999_999)
  }

  @Test("The anchor and the lead of a deleted item move to the next item, or to the previous one")
  func deletedAnchor() {
    var selection = perform([.choose(5), .extend(to: 8, adds: false)], of: 10)
    // Items 5 to 7 are deleted.
    selection.apply(IndexMap { $0 < 5 ? $0 : (8..<10).contains($0) ? $0 - 3 : nil })
    #expect(selection.items.ranges == [5..<6] && selection.anchor == 5 && selection.lead == 5)
    selection.apply(IndexMap { $0 < 5 ? $0 + 10 : nil })
    #expect(selection.items.isEmpty && selection.anchor == 14 && selection.lead == 14)
    selection.apply(IndexMap { _ in nil })
    #expect(selection.anchor == nil && selection.lead == nil)
  }

  @Test("Set operations on runs match those on sets", arguments: 0..<20)
  func setAlgebra(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<100 {
      let (a, b) = (Self.numbers(&generator), Self.numbers(&generator))
      let (left, right) = (IndexRuns(a), IndexRuns(b))
      #expect(left.union(right) == IndexRuns(a.union(b)))
      #expect(left.intersection(right) == IndexRuns(a.intersection(b)))
      #expect(left.subtracting(right) == IndexRuns(a.subtracting(b)))
      #expect(IndexRuns(joining: left.ranges.reversed() + right.ranges) == IndexRuns(a.union(b)))
      #expect(left.first == a.min() && left.last == a.max())
      let sorted = a.sorted()
      for position in sorted.indices { #expect(left.index(at: position) == sorted[position]) }
      var visited: [Int] = []
      left.forEach { visited.append($0) }
      #expect(visited == sorted)
    }
  }

  @Test("An index path has a section and an item")
  func indexPath() {
    let path = IndexPath(item: 7, section: 3)
    #expect(path.item == 7)
    #expect(path.section == 3)
  }

  private static func numbers(_ generator: inout SeededGenerator) -> Set<Int> {
    var numbers: Set<Int> = []
    for _ in 0..<Int.random(in: 0...5, using: &generator) {
      let low = Int.random(in: 0..<60, using: &generator)
      numbers.formUnion(low...(low + .random(in: 0...9, using: &generator)))
    }
    return numbers
  }
}

// MARK: - Comparison with a model

@Suite("A selection in runs behaves like one in sets of indices")
struct SelectionModelTests {
  /// The specified behavior, implemented with sets of indices.
  private struct Model {
    var items: Set<Int> = []
    var anchor: Int?
    var lead: Int?

    mutating func handle(_ gesture: SelectionGesture, of count: Int) {
      let all = 0..<count
      switch gesture {
      case .choose(let item) where all.contains(item): (items, anchor, lead) = ([item], item, item)
      case .toggle(let item) where all.contains(item):
        items.formSymmetricDifference([item])
        (anchor, lead) = (item, item)
      case .extend(let item, let adds) where all.contains(item):
        let start = anchor ?? item
        let range = Set(min(start, item)...max(start, item))
        items = adds ? items.union(range) : range
        (anchor, lead) = (start, item)
      case .all: items = Set(all)
      case .clear: items = []
      case .add(let more): add(items, Set(all).intersection(more.ranges.joined()))
      case .remove(let gone): items.subtract(gone.ranges.joined())
      case .replace(let more): add([], Set(all).intersection(more.ranges.joined()))
      default: break
      }
    }

    private mutating func add(_ base: Set<Int>, _ more: Set<Int>) {
      items = base.union(more)
      anchor = anchor ?? more.max()
      lead = lead ?? more.max()
    }

    /// Remaps the items after items were deleted, inserted and moved.
    mutating func remap(_ order: [Int], to next: [Int]) {
      func newIndex(_ item: Int) -> Int? { next.firstIndex(of: order[item]) }
      func newIndexAtOrAround(_ item: Int) -> Int? {
        newIndex(item) ?? order[(item + 1)...].lazy.compactMap { next.firstIndex(of: $0) }.first
          ?? order[..<item].reversed().lazy.compactMap { next.firstIndex(of: $0) }.first
      }
      items = Set(items.compactMap(newIndex))
      anchor = anchor.flatMap(newIndexAtOrAround)
      lead = lead.flatMap(newIndexAtOrAround)
    }
  }

  @Test("Random gestures and updates give the same selection as the model", arguments: 0..<24)
  func gestures(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var selection = Selection()
    var model = Model()
    var order = Array(0..<30)
    var fresh = 1_000
    for _ in 0..<200 {
      if random.chance(oneIn: 8) {
        var next = order.filter { _ in !random.chance(oneIn: 6) }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          next.insert(fresh, at: .random(in: 0...next.count, using: &random))
          fresh += 1
        }
        let newIndices = order.map(next.firstIndex)
        selection.apply(IndexMap { newIndices.indices.contains($0) ? newIndices[$0] : nil })
        model.remap(order, to: next)
        order = next
      } else {
        let gesture = Self.gesture(&random, of: order.count)
        selection.apply(selection.change(by: gesture, of: order.count, mode: .multiple))
        model.handle(gesture, of: order.count)
      }
      #expect(selection.items == IndexRuns(model.items))
      #expect(selection.anchor == model.anchor && selection.lead == model.lead)
    }
  }

  private static func gesture(_ random: inout SeededGenerator, of count: Int) -> SelectionGesture {
    let item = Int.random(in: -1...count, using: &random)
    let low = Int.random(in: -2...count, using: &random)
    let run = IndexRuns(low..<(low + .random(in: 0...6, using: &random)))
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: return .choose(item)
    case 2: return .toggle(item)
    case 3, 4: return .extend(to: item, adds: random.chance(oneIn: 2))
    case 5: return random.chance(oneIn: 3) ? .all : .clear
    case 6: return .add(run)
    case 7: return .remove(run)
    default: return .replace(run)
    }
  }
}

// MARK: - Remapping

@Suite("A selection is remapped through an update in portions")
struct SelectionRemapperTests {
  @Test("The result equals a full remapping, even if the selection changes meanwhile", arguments: 0..<24)
  func fullRemapping(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = [0, 1, 64, 130, 700][seed % 5]
    let staying = (0..<count).filter { _ in !random.chance(oneIn: 5) }
    let newIndices = (0..<(staying.count + seed % 70)).shuffled(using: &random)
    var numbers: [Int: Int] = [:]
    for (item, newIndex) in zip(staying, newIndices) { numbers[item] = newIndex }
    let base = IndexRuns((0..<count).filter { _ in random.chance(oneIn: 2) })
    var remapper = SelectionRemapper(base, to: newIndices.count)
    var steps = 0
    while !remapper.isComplete {
      #expect(remapper.remappedSelection(of: base, changedAtMost: .max) { numbers[$0] } == nil)
      var queried = 0
      let portion = Int.random(in: 1...90, using: &random)
      remapper.advance(atMost: portion) { item in
        queried += 1
        return numbers[item]
      }
      #expect(queried <= portion)
      steps += 1
      if steps > 2_000 { return #expect(Bool(false), "the remapping never ends") }
    }
    let other = IndexRuns((0..<count).filter { base.contains($0) != random.chance(oneIn: 9) })
    for items in [base, other] {
      let differing = items.subtracting(base).count + base.subtracting(items).count
      var expected: [Int] = []
      items.forEach { item in if let new = numbers[item] { expected.append(new) } }
      #expect(remapper.remappedSelection(of: items, changedAtMost: differing) { numbers[$0] } == IndexRuns(expected))
      if differing > 0 {
        #expect(remapper.remappedSelection(of: items, changedAtMost: differing - 1) { numbers[$0] } == nil)
      }
    }
  }
}
