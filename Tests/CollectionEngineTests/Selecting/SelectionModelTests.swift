import CollectionEngine
import DiffableData
import TestSupport
import Testing

@Suite("A selection in runs does what one of single numbers does")
struct SelectionModelTests {
  /// What the contract says, in sets of numbers.
  private struct Model {
    var items: Set<Int> = []
    var anchor: Int?
    var lead: Int?

    mutating func take(_ gesture: SelectionGesture, of count: Int) {
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
      case .add(let more): join(items, Set(all).intersection(more.ranges.joined()))
      case .remove(let gone): items.subtract(gone.ranges.joined())
      case .replace(let more): join([], Set(all).intersection(more.ranges.joined()))
      default: break
      }
    }

    private mutating func join(_ kept: Set<Int>, _ more: Set<Int>) {
      items = kept.union(more)
      anchor = anchor ?? more.max()
      lead = lead ?? more.max()
    }

    /// Items go, and others come before places.
    mutating func follow(_ order: [Int], to next: [Int]) {
      func place(_ item: Int) -> Int? { next.firstIndex(of: order[item]) }
      func placeAtOrAround(_ item: Int) -> Int? {
        place(item) ?? order[(item + 1)...].lazy.compactMap { next.firstIndex(of: $0) }.first
          ?? order[..<item].reversed().lazy.compactMap { next.firstIndex(of: $0) }.first
      }
      items = Set(items.compactMap(place))
      anchor = anchor.flatMap(placeAtOrAround)
      lead = lead.flatMap(placeAtOrAround)
    }
  }

  @Test("Whatever is done in whatever order", arguments: 0..<24)
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
        let stretches = order.enumerated().compactMap { place, name in
          next.firstIndex(of: name).map { (old: place..<(place + 1), new: $0) }
        }
        selection.apply(ItemIndexMap(stretches))
        model.follow(order, to: next)
        order = next
      } else {
        let gesture = Self.gesture(&random, of: order.count)
        selection.apply(selection.change(by: gesture, of: order.count, mode: .multiple))
        model.take(gesture, of: order.count)
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
