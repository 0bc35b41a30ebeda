import CollectionLayout
import Geometry
import Testing

@Suite("Mistakes in compositions are named")
struct CompositionMistakeTests {
  private func text(_ result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }

  @Test("Distances that are no finite numbers, or negative")
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

  @Test("A boundary item that is moved nowhere")
  func offset() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutBoundarySupplementaryItem(
        layoutSize: CollectionLayoutSize(width: .absolute(1), height: .absolute(1)), elementKind: "h", alignment: .top,
        absoluteOffset: Point(x: 0, y: .nan))
    }
    #expect(try text(result).contains("A boundary item is moved by (0.0, nan)."))
  }

  @Test("Edits that do not lead to the counts of their update")
  func counts() async throws {
    let growth = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      let edits = SectionEdits(section: 1, insertions: [4..<6])
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([3, 11]), edits: [edits])))
    }
    #expect(try text(growth).contains("Section 1 had 10 items and an update's edits add 2, but it counts 11."))
    let total = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([3, 12]))))
    }
    #expect(try text(total).contains("There were 13 items and an update's edits add 0, but it counts 15."))
    let between = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      // As many as before, but elsewhere: found when one of them is asked for.
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([5, 8]))))
      _ = solved.frame(ofItem: 4)
    }
    #expect(
      try text(between).contains("Section 0 was solved for 3 items and has 5 since an update that names no edits"))
  }

  @Test("Sections that came or went without being named")
  func sections() async throws {
    let unnamed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([3]))))
    }
    #expect(try text(unnamed).contains("There were 2 sections and an update counts 1, but names no sections"))
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([3, 3]), formerSections: [0, 0])))
    }
    #expect(try text(twice).contains("An update says of two sections that they were section 0."))
    let stayed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([9]), formerSections: [1])))
    }
    #expect(try text(stayed).contains("Section 0 had 10 items and an update's edits add 0, but it counts 9."))
  }

  @Test("Edits that are not in order, or of places that are not there")
  func order() async throws {
    let places = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      let edits = SectionEdits(section: 0, removals: [2..<4])
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([1, 10]), edits: [edits])))
    }
    #expect(try text(places).contains("An update removes places 2..<4 of section 0, which do not ascend within its 3"))
    let sections = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var solved = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 9, height: 9)), for: ItemCounts([3, 10]))
      let edits = [SectionEdits(section: 1), SectionEdits(section: 0)]
      solved.invalidate(.items(LayoutUpdate(counts: ItemCounts([3, 10]), edits: edits)))
    }
    #expect(try text(sections).contains("An update names the edits of section 0 behind those of 1."))
  }
}
