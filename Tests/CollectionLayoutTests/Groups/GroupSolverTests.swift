import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Groups with estimated items")
struct EstimatedGroupTests {

  private func row(_ items: [any CollectionLayoutSubitem]) -> CollectionLayoutGroup {
    .horizontal(layoutSize: .init(width: .fractionalWidth(1), height: .estimated(2)), subitems: items)
  }

  @Test("Estimates apply until items are measured; then the group is as high as its highest item")
  func measured() {
    let group = row([layoutItem(.absolute(4), .estimated(2))])
    #expect(
      layoutDrawing(group, 12, 9) == """
        AAAABBBBCCCC
        AAAABBBBCCCC
        """)
    #expect(
      layoutDrawing(group, 12, 9, measured: { (nil, $0 == 1 ? 4 : nil) }) == """
        AAAABBBBCCCC
        AAAABBBBCCCC
        ....BBBB....
        ....BBBB....
        """)
    #expect(layoutDrawing(group, 12, 9, measured: { _ in (nil, 1) }) == "AAAABBBBCCCC")
  }

  @Test("A vertical group grows with its items and keeps its number of slots")
  func stack() {
    let group = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(3)),
      subitems: [
        layoutItem(.absolute(2), .estimated(1)), layoutItem(.absolute(3), .absolute(1)),
        layoutItem(.absolute(1), .estimated(1)),
      ])
    let grown = layoutDrawing(group, 3, 9, measured: { (77, [3, 88, 2][$0]) })
    #expect(
      grown == """
        AA.
        AA.
        AA.
        BBB
        C..
        C..
        """)
  }

  @Test("A list of estimated items is never cut off, however small the estimate of the group is")
  func wholeList() {
    let items = (1...3).map { layoutItem(.absolute(Double($0)), .estimated(1)) }
    let group = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(1)), subitems: items)
    #expect(
      layoutDrawing(group, 3, 9) == """
        A..
        BB.
        CCC
        """)
  }

  @Test("Content insets are ignored along estimated axes")
  func insets() {
    let group = row([layoutItem(.absolute(4), .estimated(2), insets: .init(all: 1))])
    #expect(
      layoutDrawing(group, 8, 9) == """
        .AA..BB.
        .AA..BB.
        """)
    var inset = row([layoutItem(.absolute(3), .estimated(2))])
    inset.contentInsets = .init(all: 1)
    #expect(
      layoutDrawing(inset, 8, 9) == """
        .AAABBB.
        .AAABBB.
        """)
  }

  @Test("A fraction of an estimated side refers to the measured side")
  func shareOfEstimate() {
    let group = row([layoutItem(.absolute(3), .estimated(2)), layoutItem(.absolute(2), .fractionalHeight(1))])
    #expect(
      layoutDrawing(group, 5, 9, measured: { _ in (nil, 3) }) == """
        AAABB
        AAABB
        AAABB
        """)
    let stack = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(4)),
      subitems: [layoutItem(.absolute(3), .estimated(2)), layoutItem(.absolute(2), .fractionalHeight(0.5))])
    #expect(
      layoutDrawing(stack, 3, 9, measured: { _ in (nil, 3) }) == """
        AAA
        AAA
        AAA
        BB.
        BB.
        BB.
        """)
    let onlyFractions = row([layoutItem(.absolute(2), .fractionalHeight(1))])
    #expect(
      layoutDrawing(onlyFractions, 4, 9) == """
        AABB
        AABB
        """)
  }

  @Test("Uniform siblings grow to the largest of them; other items do not")
  func uniform() {
    let group = row([
      layoutItem(.absolute(2), .uniformAcrossSiblings(estimate: 1)), layoutItem(.absolute(2), .estimated(1)),
    ])
    #expect(
      layoutDrawing(group, 8, 9, measured: { (nil, [1, 2, 3, 4][$0]) }) == """
        AABBCCDD
        AABBCCDD
        AA..CCDD
        ......DD
        """)
  }

  @Test("Nested groups can be uniform siblings, so that two columns end at the same line")
  func uniformGroups() {
    let column = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .absolute(3), height: .uniformAcrossSiblings(estimate: 2)),
      subitems: [
        layoutItem(.fractionalWidth(1), .estimated(1)), layoutItem(.fractionalWidth(0.5), .fractionalHeight(0.5)),
      ])
    let group = row([column])
    #expect(
      layoutDrawing(group, 6, 9, measured: { (nil, $0 == 0 ? 1 : 3) }) == """
        AAACCC
        BB.CCC
        BB.CCC
        BB.DD.
        ...DD.
        ...DD.
        """)
  }

  @Test("The outermost group grows to a given extent, but is never smaller than its items")
  func extent() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(1), height: .uniformAcrossSiblings(estimate: 2)),
      subitems: [layoutItem(.absolute(3), .fractionalHeight(1)), layoutItem(.absolute(1), .estimated(2))])
    let solver = GroupSolver(group, in: .plain(4, 9))
    func heights(_ extent: (Int?, Int?)) -> [Int] {
      let template = solver.template(measured: { _ in (nil, 3) }, extent: extent)
      return [template.height] + template.slots.map(\.frame.height)
    }
    #expect(heights((nil, nil)) == [3, 3, 3])
    #expect(heights((99, 7)) == [7, 7, 3])
    #expect(heights((nil, 1)) == [3, 3, 3])
  }

  @Test("In an estimated group, counted items have their measured lengths")
  func countOfEstimated() {
    let group = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(9)),
      repeatingSubitem: layoutItem(.fractionalWidth(1), .estimated(1)), count: 3)
    #expect(
      layoutDrawing(group, 3, 9, measured: { (nil, $0 + 1) }) == """
        AAA
        BBB
        BBB
        CCC
        CCC
        CCC
        """)
    let fixed = CollectionLayoutGroup.vertical(
      layoutSize: .high(3), repeatingSubitem: layoutItem(.fractionalWidth(1), .estimated(7)), count: 3)
    let template = GroupSolver.solve(fixed, in: .plain(3, 9), measured: { _ in (nil, 5) })
    #expect(!template.hasEstimatedItems)
    #expect(template.slots.map(\.frame.height) == [1, 1, 1])
  }

  @Test("Items that are too long together shrink proportionally")
  func overfull() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(1), subitems: [layoutItem(.estimated(3), .absolute(1)), layoutItem(.absolute(2), .absolute(1))])
    #expect(layoutDrawing(group, 10, 9) == "AAABBCCCDD")
    #expect(layoutDrawing(group, 10, 9, measured: { ($0 == 0 ? 8 : 4, nil) }) == "AAAABBCCDD")
    #expect(layoutDrawing(group, 10, 9, measured: { _ in (1, nil) }) == "ABBCDD....")
  }

  @Test("Each slot has flags for its estimated sides")
  func estimatedSides() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(1),
      subitems: [
        layoutItem(.estimated(1), .absolute(1)), layoutItem(.absolute(1), .uniformAcrossSiblings(estimate: 1)),
        layoutItem(.absolute(1), .absolute(1)), layoutItem(.estimated(1), .estimated(1)),
      ])
    let slots = GroupSolver.solve(group, in: .plain(4, 9)).slots
    #expect(slots.map(\.hasEstimatedWidth) == [true, false, false, true])
    #expect(slots.map(\.hasEstimatedHeight) == [false, true, false, true])
  }
}

// MARK: - Extreme sizes

@Suite("Groups with extreme sizes are laid out")
struct DegenerateGroupTests {

  @Test("Items of size zero are one pixel large, and a list of them is limited by the pixels of the group")
  func zeroSizes() {
    let zeroSized = layoutItem(.absolute(0), .absolute(0))
    #expect(layoutDrawing(.horizontal(layoutSize: .high(1), subitems: [zeroSized]), 5, 9) == "ABCDE")
    let flat = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .absolute(0), height: .fractionalHeight(0)), repeatingSubitem: zeroSized, count: 3)
    #expect(layoutDrawing(flat, 2, 9) == "A.")
    #expect(GroupSolver.solve(flat, in: .plain(0, 0)).slots.count == 1)
  }

  @Test("A group has at most ten thousand slots, however it is nested")
  func slotLimit() {
    let zeroSized = layoutItem(.absolute(0), .absolute(0))
    let row = CollectionLayoutGroup.horizontal(layoutSize: .full, subitems: [zeroSized])
    #expect(GroupSolver(row, in: .plain(1_000_000, 9)).slotCount == CollectionLayoutGroup.maximumSlotCount)
    let rows = CollectionLayoutGroup.vertical(layoutSize: .full, repeatingSubitem: row, count: 5_000)
    let template = GroupSolver.solve(rows, in: .plain(300, 6_000))
    #expect(template.slots.count == CollectionLayoutGroup.maximumSlotCount)
    let open = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(1), height: .estimated(1)),
      subitems: Array(repeating: layoutItem(.absolute(1), .estimated(1)), count: 12_000))
    #expect(GroupSolver(open, in: .plain(10, 10)).slotCount == CollectionLayoutGroup.maximumSlotCount)
    let many = CollectionLayoutGroup.custom(layoutSize: .full) { _ in
      Array(repeating: .init(frame: Rect(x: 0, y: 0, width: 1, height: 1)), count: 12_000)
    }
    #expect(GroupSolver(many, in: .plain(10, 10)).slotCount == CollectionLayoutGroup.maximumSlotCount)
  }

  @Test(
    "The cost of deep nesting is linear in the number of boxes, even though each list tries an item that does not fit")
  func deepNesting() {
    let full = CollectionLayoutSize.full
    var group = CollectionLayoutGroup.horizontal(layoutSize: full, subitems: [CollectionLayoutItem(layoutSize: full)])
    for level in 1..<CollectionLayoutGroup.maximumNestingDepth {
      group =
        level % 2 == 0
        ? .horizontal(layoutSize: full, subitems: [group]) : .vertical(layoutSize: full, subitems: [group])
    }
    #expect(
      layoutDrawing(group, 3, 2) == """
        AAA
        AAA
        """)
    var twins = CollectionLayoutGroup.horizontal(layoutSize: full, subitems: [CollectionLayoutItem(layoutSize: full)])
    for _ in 0..<15 { twins = .vertical(layoutSize: full, subitems: [twins, twins]) }
    #expect(layoutDrawing(twins, 3, 1) == "AAA")
    #expect(GroupContent(group: twins).hasSameRules(as: GroupContent(group: twins)))
  }

  @Test("A group is clipped to its container along the cross axis and may be longer along the flow axis")
  func largerThanContainer() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .absolute(90), height: .absolute(90)),
      subitems: [layoutItem(.fractionalWidth(1), .fractionalHeight(1))])
    var container = SectionContainer.plain(20, 30)
    let down = GroupSolver.solve(group, in: container)
    #expect((down.width, down.height) == (20, 90))
    container.flow = .horizontal
    let across = GroupSolver.solve(group, in: container)
    #expect((across.width, across.height) == (90, 30))
    container.isCrossAxisUnbounded = true
    let open = GroupSolver.solve(group, in: container)
    #expect((open.width, open.height) == (90, 90))
  }

  @Test("Fractions over 1 are clamped to the container")
  func fractions() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(7), height: .fractionalHeight(2)),
      subitems: [layoutItem(.fractionalWidth(3), .fractionalHeight(1e300))])
    #expect(
      layoutDrawing(group, 4, 2) == """
        AAAA
        AAAA
        """)
  }

  @Test("Insets and edge spacing that are too large leave one pixel")
  func insets() {
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(3),
      subitems: [
        layoutItem(.absolute(4), .fractionalHeight(1), insets: .init(all: 50)),
        layoutItem(.absolute(4), .fractionalHeight(1), edges: .init(top: .fixed(2), bottom: .fixed(60))),
      ])
    #expect(
      layoutDrawing(group, 8, 9) == """
        ........
        ........
        ...ABBBB
        """)
    group.contentInsets = .init(all: 1e300)
    #expect(
      layoutDrawing(group, 4, 9) == """
        ....
        ....
        ...A
        """)
    group.contentInsets = .zero
    group.edgeSpacing = .init(leading: .fixed(3), trailing: .fixed(1e300))
    #expect(
      layoutDrawing(group, 5, 9) == """
        .....
        .....
        ...A.
        """)
  }

  @Test("Sections without items return no items and no views")
  func emptySection() {
    let group = CollectionLayoutGroup.horizontal(layoutSize: .full, subitems: [layoutItem(.absolute(1), .absolute(1))])
    for body in [
      GroupContent(group: group).body(of: 0, in: .plain(9, 9)),
      GroupContent(group: group).body(of: -4, in: .plain(9, 9)),
      CollectionLayoutSection.mosaic().content.body(of: 0, in: .plain(9, 9)),
    ] {
      #expect(body.itemCount == 0 && body.length == 0)
      #expect(body.firstItem(in: PixelFrame(minX: -9, minY: -9, maxX: 99, maxY: 99)) == nil)
      #expect(body.lastItem(in: PixelFrame(minX: -9, minY: -9, maxX: 99, maxY: 99)) == nil)
      var list: [BodySupplementary] = []
      body.appendSupplementaries(of: 0..<5, to: &list)
      #expect(list.isEmpty)
    }
  }

  @Test("Extreme containers, dimensions and measured sizes do not trap or hang")
  func extremeValues() {
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
        var item = layoutItem(dimension(), dimension())
        item.contentInsets = .init(top: length(), leading: length(), bottom: length(), trailing: length())
        item.edgeSpacing = .init(leading: .fixed(length()), top: .flexible(length()), trailing: .flexible(length()))
        items.append(item)
      }
      var group = CollectionLayoutGroup.vertical(
        layoutSize: .init(width: dimension(), height: dimension()), subitems: items)
      group.interItemSpacing = random.chance(oneIn: 2) ? .fixed(length()) : .flexible(length())
      let numbers = EdgeCaseNumbers.doubles
      let container = SectionContainer(
        size: Size(
          width: numbers.randomElement(using: &random) ?? 0, height: numbers.randomElement(using: &random) ?? 0),
        flow: random.chance(oneIn: 2) ? .horizontal : .vertical,
        scale: DisplayScale(pixelsPerPoint: random.number(0.01...100)),
        interGroupSpacing: numbers.randomElement(using: &random) ?? 0)
      let sizes = EdgeCaseNumbers.integers
      let template = GroupSolver.solve(
        group, in: container, measured: { (sizes[$0 % sizes.count], sizes[($0 + 3) % sizes.count]) })
      #expect((1...CollectionLayoutGroup.maximumSlotCount).contains(template.slots.count))
      for slot in template.slots {
        #expect(!slot.frame.isEmpty && slot.frame.minX >= 0 && slot.frame.minY >= 0)
        #expect(slot.frame.maxX <= template.width && slot.frame.maxY <= template.height)
      }
    }
  }
}
