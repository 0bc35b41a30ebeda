import CollectionEngine
import DiffableData
import TestSupport
import Testing

@Suite("A selection follows clicks with and without keys, in runs")
struct SelectionTests {
  private func did(
    _ gestures: [SelectionGesture], of count: Int = 100, mode: SelectionMode = .multiple
  ) -> Selection {
    var selection = Selection()
    for gesture in gestures { selection.apply(selection.change(by: gesture, of: count, mode: mode)) }
    return selection
  }

  /// Each line of the contract: what was done, what is selected then, and where anchor and lead are.
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

  @Test("Click, Control, Shift, both, all and none", arguments: lines.indices)
  func contract(line: Int) {
    let (gestures, items, anchor, lead) = Self.lines[line]
    let selection = did(gestures)
    #expect(selection.items.ranges == items, "\(gestures)")
    #expect(selection.anchor == anchor && selection.lead == lead, "\(gestures)")
  }

  @Test("Where one item can be selected, every gesture selects one at most")
  func single() {
    #expect(did([.choose(5), .toggle(9)], mode: .single).items.ranges == [9..<10])
    #expect(did([.choose(5), .toggle(5)], mode: .single).items.isEmpty)
    #expect(did([.choose(5), .extend(to: 9, adds: true)], mode: .single).items.ranges == [9..<10])
    #expect(did([.choose(5), .all], mode: .single).items.ranges == [5..<6])
    #expect(did([.add(IndexRuns(3..<8))], mode: .single).items.ranges == [7..<8])
  }

  @Test("Where none can be selected, none is, and what is can be given up")
  func none() {
    var selection = did([.choose(5)])
    #expect(selection.change(by: .choose(7), of: 100, mode: .none).isEmpty)
    selection.apply(selection.change(by: .clear, of: 100, mode: .none))
    #expect(selection.items.isEmpty)
  }

  @Test("What is refused stays as it was")
  func refusal() {
    var selection = did([.choose(1), .extend(to: 4, adds: false)])
    let change = selection.change(by: .choose(6), of: 100, mode: .multiple)
    selection.apply(change.without(selecting: IndexRuns([6]), deselecting: IndexRuns([2])))
    #expect(selection.items.ranges == [2..<3])
  }

  @Test("All of a hundred million items are one run, and a change of one of them two")
  func runs() {
    var selection = did([.choose(5), .all], of: 100_000_000)
    let change = selection.change(by: .toggle(7), of: 100_000_000, mode: .multiple)
    #expect(change.deselected.count == 1 && change.selected.isEmpty)
    selection.apply(change)
    #expect(selection.items.count == 99_999_999 && selection.items.ranges.count == 2)
    #expect(selection.items.index(at: 7) == 8 && selection.items.index(at: 99_999_998) == 99_999_999)
  }

  @Test("Items that go hand anchor and lead on to the next, or to the one before")
  func rehoming() {
    var selection = did([.choose(5), .extend(to: 8, adds: false)], of: 10)
    // 5 to 7 are gone.
    selection.apply(ItemIndexMap([(old: 0..<5, new: 0), (old: 8..<10, new: 5)]))
    #expect(selection.items.ranges == [5..<6] && selection.anchor == 5 && selection.lead == 5)
    selection.apply(ItemIndexMap([(old: 0..<5, new: 10)]))
    #expect(selection.items.isEmpty && selection.anchor == 14 && selection.lead == 14)
    selection.apply(ItemIndexMap([]))
    #expect(selection.anchor == nil && selection.lead == nil)
  }

  @Test("Runs behave as sets of numbers do", arguments: 0..<20)
  func algebra(seed: Int) {
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
      for place in sorted.indices { #expect(left.index(at: place) == sorted[place]) }
      var visited: [Int] = []
      left.forEach { visited.append($0) }
      #expect(visited == sorted)
    }
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
