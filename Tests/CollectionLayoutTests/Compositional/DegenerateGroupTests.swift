import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Groups of sizes that do not fit are data, not mistakes")
struct DegenerateGroupTests {
  private typealias D = GroupDrawing

  @Test("Zero sizes become a pixel; a list of them is bounded by the group's pixels")
  func zeroSizes() {
    let nothing = D.item(.absolute(0), .absolute(0))
    #expect(D.picture(.horizontal(layoutSize: .high(1), subitems: [nothing]), 5, 9) == "ABCDE")
    let flat = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .absolute(0), height: .fractionalHeight(0)), repeatingSubitem: nothing, count: 3)
    #expect(D.picture(flat, 2, 9) == "A.")
    #expect(GroupSolver.solve(flat, in: D.room(0, 0)).slots.count == 1)
  }

  @Test("A group has ten thousand places at most, however it is nested")
  func mostPlaces() {
    let nothing = D.item(.absolute(0), .absolute(0))
    let row = CollectionLayoutGroup.horizontal(layoutSize: .full, subitems: [nothing])
    #expect(GroupSolver(row, in: D.room(1_000_000, 9)).slotCount == CollectionLayoutGroup.mostPlaces)
    let rows = CollectionLayoutGroup.vertical(layoutSize: .full, repeatingSubitem: row, count: 5_000)
    let template = GroupSolver.solve(rows, in: D.room(300, 6_000))
    #expect(template.slots.count == CollectionLayoutGroup.mostPlaces)
    let open = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(1)),
      subitems: Array(repeating: D.item(.absolute(1), .estimated(1)), count: 12_000))
    #expect(GroupSolver(open, in: D.room(10, 10)).slotCount == CollectionLayoutGroup.mostPlaces)
    let many = CollectionLayoutGroup.custom(layoutSize: .full) { _ in
      Array(repeating: .init(frame: Rect(x: 0, y: 0, width: 1, height: 1)), count: 12_000)
    }
    #expect(GroupSolver(many, in: D.room(10, 10)).slotCount == CollectionLayoutGroup.mostPlaces)
  }

  @Test("Deep nesting costs no more than the boxes there are, even where each list tries one more that does not fit")
  func deepNesting() {
    let full = CollectionLayoutSize.full
    var group = CollectionLayoutGroup.horizontal(layoutSize: full, subitems: [CollectionLayoutItem(layoutSize: full)])
    for level in 1..<CollectionLayoutGroup.deepestNesting {
      group =
        level % 2 == 0
        ? .horizontal(layoutSize: full, subitems: [group]) : .vertical(layoutSize: full, subitems: [group])
    }
    #expect(
      D.picture(group, 3, 2) == """
        AAA
        AAA
        """)
    var twins = CollectionLayoutGroup.horizontal(layoutSize: full, subitems: [CollectionLayoutItem(layoutSize: full)])
    for _ in 0..<15 { twins = .vertical(layoutSize: full, subitems: [twins, twins]) }
    #expect(D.picture(twins, 3, 1) == "AAA")
    #expect(GroupContent(group: twins).hasSameRules(as: GroupContent(group: twins)))
  }

  @Test("A group broader than its section is cut; along the flow it may be longer than what is seen")
  func largerThanContainer() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .absolute(90), height: .absolute(90)),
      subitems: [D.item(.fractionalWidth(1), .fractionalHeight(1))])
    var room = D.room(20, 30)
    let down = GroupSolver.solve(group, in: room)
    #expect((down.width, down.height) == (20, 90))
    room.flow = .horizontal
    let across = GroupSolver.solve(group, in: room)
    #expect((across.width, across.height) == (90, 30))
    room.isOpenAcross = true
    let open = GroupSolver.solve(group, in: room)
    #expect((open.width, open.height) == (90, 90))
  }

  @Test("Fractions over 1 are cut to the container")
  func fractions() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(7), height: .fractionalHeight(2)),
      subitems: [D.item(.fractionalWidth(3), .fractionalHeight(1e300))])
    #expect(
      D.picture(group, 4, 2) == """
        AAAA
        AAAA
        """)
  }

  @Test("Insets and edges larger than what they are of leave a pixel")
  func insets() {
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(3),
      subitems: [
        D.item(.absolute(4), .fractionalHeight(1), insets: .init(all: 50)),
        D.item(.absolute(4), .fractionalHeight(1), edges: .init(top: .fixed(2), bottom: .fixed(60))),
      ])
    #expect(
      D.picture(group, 8, 9) == """
        ........
        ........
        ...ABBBB
        """)
    group.contentInsets = .init(all: 1e300)
    #expect(
      D.picture(group, 4, 9) == """
        ....
        ....
        ...A
        """)
    group.contentInsets = .zero
    group.edgeSpacing = .init(leading: .fixed(3), trailing: .fixed(1e300))
    #expect(
      D.picture(group, 5, 9) == """
        .....
        .....
        ...A.
        """)
  }

  @Test("No items: nothing is anywhere")
  func noItems() {
    let group = CollectionLayoutGroup.horizontal(layoutSize: .full, subitems: [D.item(.absolute(1), .absolute(1))])
    for body in [
      GroupContent(group: group).body(of: 0, in: D.room(9, 9)),
      GroupContent(group: group).body(of: -4, in: D.room(9, 9)),
      CollectionLayoutSection.mosaic().content.body(of: 0, in: D.room(9, 9)),
    ] {
      #expect(body.itemCount == 0 && body.length == 0)
      #expect(body.firstItem(in: PixelFrame(minX: -9, minY: -9, maxX: 99, maxY: 99)) == nil)
      #expect(body.lastItem(in: PixelFrame(minX: -9, minY: -9, maxX: 99, maxY: 99)) == nil)
      var list: [BodySupplementary] = []
      body.appendSupplementaries(of: 0..<5, to: &list)
      #expect(list.isEmpty)
    }
  }

  @Test("Nothing hangs or traps, whatever the room, the numbers and what cells say")
  func hostile() {
    var random = SeededGenerator(seed: 10)
    let lengths = EdgeCaseNumbers.doubles.filter { $0.isFinite && $0 >= 0 }
    func length() -> Double { lengths.randomElement(using: &random) ?? 0 }
    func dimension() -> CollectionLayoutDimension {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .absolute(length())
      case 1: .fractionalWidth(length())
      case 2: .estimated(length())
      default: .uniformAcrossSiblings(estimate: length())
      }
    }
    for _ in 0..<400 {
      var items: [any CollectionLayoutSubitem] = []
      for _ in 0..<3 {
        var item = D.item(dimension(), dimension())
        item.contentInsets = .init(top: length(), leading: length(), bottom: length(), trailing: length())
        item.edgeSpacing = .init(leading: .fixed(length()), top: .flexible(length()), trailing: .flexible(length()))
        items.append(item)
      }
      var group = CollectionLayoutGroup.vertical(
        layoutSize: .init(width: dimension(), height: dimension()), subitems: items)
      group.interItemSpacing = random.chance(oneIn: 2) ? .fixed(length()) : .flexible(length())
      let numbers = EdgeCaseNumbers.doubles
      let room = SectionRoom(
        size: Size(
          width: numbers.randomElement(using: &random) ?? 0, height: numbers.randomElement(using: &random) ?? 0),
        flow: random.chance(oneIn: 2) ? .horizontal : .vertical,
        scale: DisplayScale(pixelsPerPoint: random.number(0.01...100)),
        interGroupSpacing: numbers.randomElement(using: &random) ?? 0)
      let sizes = EdgeCaseNumbers.integers
      let template = GroupSolver.solve(
        group, in: room, measured: { (sizes[$0 % sizes.count], sizes[($0 + 3) % sizes.count]) })
      #expect((1...CollectionLayoutGroup.mostPlaces).contains(template.slots.count))
      for slot in template.slots {
        #expect(!slot.frame.isEmpty && slot.frame.minX >= 0 && slot.frame.minY >= 0)
        #expect(slot.frame.maxX <= template.width && slot.frame.maxY <= template.height)
      }
    }
  }
}
