import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Measuring moves nothing that is looked at")
struct MeasuredAnchorTests {
  private let size = Size(width: 320, height: 480)

  private func list(_ appearance: CollectionLayoutListConfiguration.Appearance = .plain) -> CompositionalLayout {
    .list(using: CollectionLayoutListConfiguration(appearance: appearance))
  }

  /// Cards of which two stand side by side, each as high as its cell says.
  private var cards: CompositionalLayout {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(0.5), height: .estimated(50)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(50)), subitems: [item])
    var section = CollectionLayoutSection(group: group)
    section.interGroupSpacing = 6
    return CompositionalLayout(section: section)
  }

  /// A height that follows from a name alone.
  private func height(_ name: Int) -> Double { Double(20 + (name &* 2_654_435_761 >> 7) & 127) }

  @Test("Sizes of items above arrive in any order, and the anchored item stays where it is", arguments: [1.0, 1.5, 3])
  func sizesAbove(scale: Double) {
    var random = SeededGenerator(seed: 41)
    for layout in [list(), list(.insetGrouped), cards] {
      var view = MeasuredView(layout, size: size, names: Array(0..<2_000), scale: scale, height: height)
      view.scroll(to: 30_000)
      let before = view.screen
      #expect(before.count > 3)
      let above = view.layout.items(in: view.layout.visibleRect(at: view.offset)).lowerBound
      for (turn, item) in (0..<above).shuffled(using: &random).enumerated() {
        _ = view.measure(item)
        guard turn % 16 == 0 || turn == above - 1 else { continue }
        let moved = zip(before, view.screen).allSatisfy { before, now in
          before.name == now.name && (before.line - now.line).magnitude <= 0.5 / scale
        }
        #expect(moved)
      }
    }
  }

  @Test("Scrolling up over cells that were never measured steps by what was asked for", arguments: 0..<2)
  func scrollingUp(seed: Int) {
    var view = MeasuredView(
      seed == 0 ? list() : cards, size: size, names: Array(0..<3_000), height: height)
    view.scroll(to: 50_000)
    for step in 0..<400 {
      let before = view.screen
      view.scroll(by: -37)
      let now = Dictionary(uniqueKeysWithValues: view.screen.map { ($0.name, $0.line) })
      // What was seen before came down by what was scrolled, however much larger or smaller the cells above became.
      let agrees = before.allSatisfy { item in now[item.name].map { ($0 - item.line - 37).magnitude < 1e-6 } ?? true }
      #expect(agrees, "step \(step)")
      #expect(!now.isEmpty)
    }
    #expect(view.longestFrame <= 8)
  }

  @Test("Random edits, measures, scrolls and widths leave the anchored item in place", arguments: 0..<4)
  func randomEdits(seed: Int) {
    var random = SeededGenerator(seed: 50 + UInt64(seed))
    var view = MeasuredView(
      seed % 2 == 0 ? list() : cards, size: size, names: Array(0..<2_000), height: height)
    view.scroll(to: 20_000)
    var next = 2_000
    for step in 0..<300 {
      let line = view.anchoredLine
      let name = view.anchored
      switch Int.random(in: 0..<6, using: &random) {
      case 5: view.refine(atMost: .random(in: 1...500, using: &random))
      case 0:
        view.scroll(to: view.offset + .random(in: -2_000...2_000, using: &random))
        continue
      case 1:
        let edits = random.edits(of: view.names.count)
        let number = edits.insertions.reduce(0) { $0 + $1.count }
        view.update(edits, inserting: Array(next..<(next + number)))
        next += number
      case 2: view.frame()
      case 3: view.resize(to: Size(width: .random(in: 200...900, using: &random), height: 480))
      default:
        let item = Int.random(in: 0..<view.names.count, using: &random)
        let isSeen = view.layout.items(in: view.layout.visibleRect(at: view.offset)).contains(item)
        let before = view.screen
        _ = view.measure(item)
        let agrees = zip(before, view.screen).allSatisfy { ($0.line - $1.line).magnitude <= 0.5 && $0.name == $1.name }
        #expect(agrees || isSeen || view.offset == 0 || view.offset == view.layout.maximumOffset, "step \(step)")
      }
      // A view shows nothing between a change and the frame that follows it.
      defer { view.frame() }
      guard view.anchored == name, let line, let moved = view.anchoredLine else { continue }
      let isAtEdge = view.offset == 0 || view.offset == view.layout.maximumOffset
      #expect((moved - line).magnitude <= 0.5 || isAtEdge, "step \(step)")
    }
  }

  @Test("The length of the content becomes the sum of all sizes, exactly", arguments: [1.0, 2])
  func convergence(scale: Double) {
    var view = MeasuredView(list(), size: size, names: Array(0..<1_500), scale: scale, height: height)
    var random = SeededGenerator(seed: 5)
    for item in (0..<1_500).shuffled(using: &random) { _ = view.measure(item) }
    #expect(view.layout.contentSize.height == (0..<1_500).reduce(0) { $0 + height($1) })
  }

  @Test("What is expected of the rest follows what was measured, and what was seen keeps its length")
  func estimateFollows() {
    let room = SectionRoom.plain()
    var body = MeasuredBody(of: 100_000, group: RowGroup.rows(room), in: room)
    for item in 0..<200 { _ = body.setPreferredSize(width: 320, height: 90 + item % 21, ofItem: item) }
    let expected = body.frame(ofItem: 99_999).height
    #expect((98...101).contains(expected))
    // The first frame far down: the stretch up to there keeps what was expected of it.
    _ = body.settle(body.frame(ofItem: 50_000).minY..<(body.frame(ofItem: 50_000).minY + 480))
    let place = body.frame(ofItem: 50_000)
    for item in 60_000..<61_000 { _ = body.setPreferredSize(width: 320, height: 300, ofItem: item) }
    #expect(body.frame(ofItem: 50_000) == place)
    #expect(body.frame(ofItem: 99_999).height > 250)
  }

  @Test("A view of cells that take turns comes to rest, and each is reported once")
  func oscillation() {
    let turns = Turns()
    var view = MeasuredView(list(), size: size, names: Array(0..<500)) { name in
      name % 3 == 0 ? Double(40 + 30 * turns.next(name)) : 50
    }
    view.scroll(to: 4_000)
    for _ in 0..<20 { view.frame() }
    #expect(!view.frozen.isEmpty)
    #expect(Set(view.frozen).count == view.frozen.count)
    #expect(view.longestFrame <= 8)
    let offset = view.offset
    view.frame()
    #expect(view.offset == offset)
  }

  /// How often each cell was asked, odd or even.
  private final class Turns {
    private var counts: [Int: Int] = [:]
    func next(_ name: Int) -> Int {
      counts[name, default: 0] += 1
      return (counts[name] ?? 0) % 2
    }
  }
}
