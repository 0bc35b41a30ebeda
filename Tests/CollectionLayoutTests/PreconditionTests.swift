import Testing
import VitrineCollectionLayout
import VitrineGeometry

@Suite("Invalid layout values stop the program with an error message")
struct LayoutValuePreconditionTests {
  private func expect(_ result: ExitTest.Result?, contains message: String) throws {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(message), "\(text)")
  }

  private static let size = CollectionLayoutSize(width: .absolute(1), height: .absolute(1))

  @Test("A dimension must be finite and not negative")
  func dimension() async throws {
    let notANumber = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutDimension.fractionalWidth(.nan)
    }
    try expect(
      notANumber, contains: "A layout dimension was created with nan. It must be a finite number that is not negative.")
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutDimension.absolute(-1)
    }
    try expect(negative, contains: "A layout dimension was created with -1.0.")
    let infinite = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutDimension.estimated(.infinity)
    }
    try expect(infinite, contains: "A layout dimension was created with inf.")
  }

  @Test("A spacing must be finite and not negative")
  func spacing() async throws {
    let fixed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutSpacing.fixed(-0.5)
    }
    try expect(
      fixed, contains: "A layout spacing was created with -0.5. It must be a finite number that is not negative.")
    let flexible = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutSpacing.flexible(.nan)
    }
    try expect(flexible, contains: "A layout spacing was created with nan.")
  }

  @Test("Content insets must be finite and not negative for items, groups and client subitems")
  func insets() async throws {
    let item = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var item = CollectionLayoutItem(layoutSize: LayoutValuePreconditionTests.size)
      item.contentInsets.leading = .nan
    }
    try expect(
      item, contains: "The content insets of a layout item are 0.0, nan, 0.0, 0.0 (top, leading, bottom, trailing).")
    let group = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var group = CollectionLayoutGroup.custom(layoutSize: LayoutValuePreconditionTests.size) { _ in [] }
      group.contentInsets = DirectionalEdgeInsets(all: -3)
    }
    try expect(group, contains: "The content insets of a layout group are -3.0, -3.0, -3.0, -3.0")
    let client = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let size = LayoutValuePreconditionTests.size
      _ = CollectionLayoutGroup.horizontal(layoutSize: size, subitems: [ClientSubitem()]).visualDescription()
    }
    try expect(client, contains: "The content insets of a layout subitem are inf, 0.0, 0.0, 0.0")
  }

  private struct ClientSubitem: CollectionLayoutSubitem {
    let layoutSize = LayoutValuePreconditionTests.size
    let contentInsets = DirectionalEdgeInsets(top: .infinity)
    let edgeSpacing: CollectionLayoutEdgeSpacing? = nil
    let supplementaryItems: [CollectionLayoutSupplementaryItem] = []
  }

  @Test("The offset of an anchor must be finite")
  func anchor() async throws {
    let absolute = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutAnchor(edges: .top, absoluteOffset: Point(x: 0, y: .infinity))
    }
    try expect(absolute, contains: "A layout anchor was moved by 0.0, inf. Both must be finite numbers.")
    let fractional = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutAnchor(edges: .top, fractionalOffset: Point(x: .nan, y: 1))
    }
    try expect(fractional, contains: "A layout anchor was moved by nan, 1.0.")
  }

  @Test("The frame of a custom item must be finite and must not have a negative size")
  func customFrame() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutGroupCustomItem(frame: Rect(x: 1, y: 2, width: -3, height: 4))
    }
    try expect(result, contains: "A custom layout item was placed at 1.0, 2.0 with an extent of -3.0 by 4.0.")
    let notANumber = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutGroupCustomItem(frame: Rect(x: .nan, y: 2, width: 3, height: 4))
    }
    try expect(notANumber, contains: "A custom layout item was placed at nan, 2.0")
  }

  @Test("A group needs at least one subitem")
  func noSubitems() async throws {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutGroup.vertical(layoutSize: LayoutValuePreconditionTests.size, subitems: [])
    }
    try expect(list, contains: "A layout group was created with no subitems. It needs one or more.")
    let count = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let item = CollectionLayoutItem(layoutSize: LayoutValuePreconditionTests.size)
      _ = CollectionLayoutGroup.horizontal(layoutSize: item.layoutSize, repeatingSubitem: item, count: 0)
    }
    try expect(count, contains: "A layout group was created with 0 subitems. The count must be positive.")
  }

  @Test("The nesting depth and the number of subitems of a group are limited")
  func nestingLimits() async throws {
    let deep = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let size = LayoutValuePreconditionTests.size
      var group = CollectionLayoutGroup.horizontal(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
      for _ in 0..<100 { group = .vertical(layoutSize: size, subitems: [group]) }
    }
    try expect(deep, contains: "Layout groups were nested 101 deep. They can be 100 deep at most.")
    let many = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let size = LayoutValuePreconditionTests.size
      var group = CollectionLayoutGroup.horizontal(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
      for _ in 0..<99 { group = .vertical(layoutSize: size, subitems: [group, group]) }
    }
    try expect(many, contains: "A layout group was created with 196606 subitems, nested ones counted.")
    try expect(many, contains: "There can be 100000 at most.")
  }

  @Test("The spacing, unit width and height ratio of a mosaic must be valid")
  func mosaic() async throws {
    let spacing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutSection.mosaic(spacing: .nan)
    }
    try expect(spacing, contains: "A mosaic was made with a spacing of nan.")
    let unit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutSection.mosaic(minimumUnitWidth: 0)
    }
    try expect(unit, contains: "A mosaic was made with units 0.0 wide.")
    let ratio = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutSection.mosaic(heightRatio: -1)
    }
    try expect(ratio, contains: "A mosaic was made with a height ratio of -1.0.")
  }
}

// MARK: - Compositions and updates

@Suite("Invalid compositions and updates stop the program with an error message")
struct CompositionPreconditionTests {
  private func text(_ result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }

  @Test("Insets and spacings must be finite and not negative")
  func distances() async throws {
    let insets = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var section = CollectionLayoutSection.grid(columns: .count(2))
      section.contentInsets.top = .nan
      let layout = CompositionalLayout(section: section)
      _ = layout.solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([1]))
    }
    #expect(try text(insets).contains("The content insets of section 0 are nan, 0.0, 0.0, 0.0"))
    let groups = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var section = CollectionLayoutSection.grid(columns: .count(2))
      section.interGroupSpacing = -1
      let layout = CompositionalLayout(section: section)
      _ = layout.solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([1]))
    }
    #expect(try text(groups).contains("The space between the groups of section 0 is -1.0."))
    let sections = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let layout = CompositionalLayout(
        section: .grid(columns: .count(2)), configuration: .init(interSectionSpacing: .infinity))
      _ = layout.solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([1]))
    }
    #expect(try text(sections).contains("The space between sections is inf."))
    let background = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var section = CollectionLayoutSection.grid(columns: .count(2))
      section.decorationItems = [.background(elementKind: "card")]
      section.decorationItems[0].contentInsets.leading = -2
      let layout = CompositionalLayout(section: section)
      _ = layout.solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([1]))
    }
    #expect(try text(background).contains("The content insets of a decoration of kind \"card\" are 0.0, -2.0"))
  }

  @Test("The offset of a boundary item must be finite")
  func offset() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutBoundarySupplementaryItem(
        layoutSize: CollectionLayoutSize(width: .absolute(1), height: .absolute(1)), elementKind: "h", alignment: .top,
        absoluteOffset: Point(x: 0, y: .nan))
    }
    #expect(try text(result).contains("A boundary item is moved by (0.0, nan)."))
  }

  @Test("The edits of an update must match its item counts")
  func counts() async throws {
    let growth = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      let edits = SectionEdits(section: 1, insertions: [4..<6])
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([3, 11]), edits: [edits])))
    }
    #expect(try text(growth).contains("Section 1 had 10 items, and the edits of an update add 2, but `counts` has 11."))
    let total = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([3, 12]))))
    }
    #expect(try text(total).contains("There were 13 items, and the edits of an update add 0, but `counts` has 15."))
    let between = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      // The total is unchanged, so the error is found when one of the items is queried.
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([5, 8]))))
      _ = solved.frame(ofItem: 4)
    }
    #expect(
      try text(between).contains("Section 0 was solved for 3 items and has 5 since an update that names no edits"))
  }

  @Test("Inserted, deleted and moved sections must be named")
  func sections() async throws {
    let unnamed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([3]))))
    }
    #expect(
      try text(unnamed).contains("There were 2 sections, and there are 1 after an update without `previousSections`."))
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([3, 3]), previousSections: [0, 0])))
    }
    #expect(try text(twice).contains("`previousSections` contains section 0 twice."))
    let stayed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([9]), previousSections: [1])))
    }
    #expect(try text(stayed).contains("Section 0 had 10 items, and the edits of an update add 0, but `counts` has 9."))
  }

  @Test("Edits must be in ascending order and inside their section")
  func order() async throws {
    let removals = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      let edits = SectionEdits(section: 0, removals: [2..<4])
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([1, 10]), edits: [edits])))
    }
    #expect(
      try text(removals).contains("The range 2..<4 that an update removes in section 0 overlaps or precedes"))
    let sections = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      let edits = [SectionEdits(section: 1), SectionEdits(section: 0)]
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([3, 10]), edits: edits)))
    }
    #expect(try text(sections).contains("The edits of section 0 follow those of section 1."))
  }
}
