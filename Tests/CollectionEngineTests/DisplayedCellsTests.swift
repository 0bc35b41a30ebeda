import Testing
import VitrineCollectionEngine
import VitrineTestSupport

@Suite("Displayed cells track which items have a cell, which left and which lack one")
struct DisplayedCellsTests {
  /// Inserts a cell named after its index for every item that lacks one, and returns the indices.
  static func fill(_ displayed: inout DisplayedCells<String>) -> [Int] {
    var filled: [Int] = []
    while let index = displayed.firstIndexWithoutCell {
      displayed.insert("\(index)", at: index)
      filled.append(index)
    }
    return filled
  }

  static func descriptions(_ displayed: DisplayedCells<String>) -> [String] { displayed.entries.map { "\($0):\($1)" } }

  @Test("Setting a range removes the cells outside it, and the items that lack a cell are listed in order")
  func settingRange() {
    var displayed = DisplayedCells<String>()
    #expect(displayed.setRuns(5..<9).isEmpty)
    #expect(Self.fill(&displayed) == [5, 6, 7, 8])
    #expect(displayed.setRuns(7..<11).map(\.index) == [5, 6])
    #expect(Self.fill(&displayed) == [9, 10])
    #expect(displayed.setRuns(6..<9).map(\.index) == [9, 10])
    #expect(Self.fill(&displayed) == [6])
    #expect(displayed.setRuns(40..<42).map(\.index) == [6, 7, 8])
    #expect(displayed.removeAll().isEmpty)
    #expect(displayed.range == 0..<0)
  }

  @Test("With several runs, items that lack a cell are listed in order, and cells between the runs are removed")
  func runs() {
    var displayed = DisplayedCells<String>()
    #expect(displayed.setRuns([2..<4, 10..<12, 20..<21]).isEmpty)
    #expect(Self.fill(&displayed) == [2, 3, 10, 11, 20])
    #expect(displayed.range == 2..<21 && displayed.itemCount == 5)
    #expect(displayed[3] == "3" && displayed[5] == nil && displayed[20] == "20")
    #expect(displayed.setRuns([3..<5, 11..<12]).map(\.index) == [2, 10, 20])
    #expect(Self.fill(&displayed) == [4])
    #expect(displayed.setRuns(0..<12).isEmpty)
    #expect(Self.fill(&displayed) == [0, 1, 2, 5, 6, 7, 8, 9, 10])
    #expect(displayed.setRuns([0..<1, 6..<7, 8..<9]).map(\.index) == [1, 2, 3, 4, 5, 7, 9, 10, 11])
    #expect(displayed.firstIndexWithoutCell == nil)
  }

  @Test("After any sequence of runs, exactly their items are displayed", arguments: 0..<6)
  func randomRuns(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var displayed = DisplayedCells<String>()
    for _ in 0..<300 {
      var runs: [Range<Int>] = []
      var start = Int.random(in: 0..<10, using: &generator)
      for _ in 0..<Int.random(in: 0..<4, using: &generator) {
        let end = start + Int.random(in: 1..<6, using: &generator)
        runs.append(start..<end)
        start = end + Int.random(in: 1..<6, using: &generator)
      }
      let expected = Array(runs.joined())
      let before = displayed.entries.map(\.index)
      let left = displayed.setRuns(runs).map(\.index)
      #expect(left == before.filter { !expected.contains($0) })
      #expect(Self.fill(&displayed) == expected.filter { !before.contains($0) })
      #expect(Self.descriptions(displayed) == expected.map { "\($0):\($0)" })
    }
  }

  @Test("A cell is found and replaced by the index of its item")
  func finding() {
    var displayed = DisplayedCells<String>()
    _ = displayed.setRuns(3..<6)
    _ = Self.fill(&displayed)
    #expect(displayed[4] == "4")
    #expect(displayed[2] == nil && displayed[6] == nil)
    #expect(displayed.replaceCell(at: 4, with: "other") == "4")
    #expect(displayed.replaceCell(at: 9, with: "other") == nil)
    #expect(displayed.cells == ["3", "other", "5"])
  }

  @Test("Remapping keeps the cells of renumbered items, and inserted items lack a cell")
  func renumbering() {
    var displayed = DisplayedCells<String>()
    _ = displayed.setRuns(10..<14)
    _ = Self.fill(&displayed)
    // 11 is deleted, 13 moves before the others, and one item is inserted after 10.
    let removed = displayed.apply(IndexMap { [10: 11, 12: 13, 13: 10][$0] })
    #expect(removed.map(\.cell) == ["11"])
    #expect(Self.descriptions(displayed) == ["10:13", "11:10", "13:12"])
    #expect(displayed.range == 10..<14)
    #expect(displayed.firstIndexWithoutCell == 12)
    #expect(displayed[13] == "12")
    #expect(displayed.setRuns(11..<15).map(\.cell) == ["13"])
    #expect(Self.fill(&displayed) == [12, 14])
  }

  @Test("The range without an outlying item is the range of the others")
  func excludingOutlier() {
    var displayed = DisplayedCells<String>()
    _ = displayed.setRuns([2..<3, 10..<14])
    _ = Self.fill(&displayed)
    #expect(displayed.range == 2..<14 && displayed.range(excluding: 2) == 10..<14)
    #expect(displayed.range(excluding: 10) == 2..<14 && displayed.range(excluding: 13) == 2..<14)
    _ = displayed.apply(IndexMap { $0 == 2 ? 90 : $0 })
    #expect(displayed.range == 10..<91 && displayed.range(excluding: 90) == 10..<14)
    _ = displayed.setRuns(10..<14)
    #expect(displayed.range(excluding: 10) == 10..<14 && displayed.range(excluding: 13) == 10..<14)
    _ = displayed.setRuns(12..<13)
    #expect(displayed.range(excluding: 12) == 12..<13)
  }

  @Test("Cells are sorted and match a dictionary under the same changes")
  func model() {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<200 {
      var displayed = DisplayedCells<String>()
      var model: [Int: String] = [:]
      for _ in 0..<40 {
        if generator.chance(oneIn: 3) {
          let order = (0..<60).shuffled(using: &generator)
          let isGone = (0..<60).map { _ in generator.chance(oneIn: 5) }
          let isSmall = generator.chance(oneIn: 2)
          let newIndex = { @Sendable (old: Int) -> Int? in
            if isGone[old] || old == 59 { return nil }
            return isSmall ? old + (old >= 20 ? 1 : 0) : order[old]
          }
          let removed = displayed.apply(IndexMap(newIndex))
          #expect(Set(removed.map(\.index)) == Set(model.keys.filter { newIndex($0) == nil }))
          model = Dictionary(
            uniqueKeysWithValues: model.compactMap { entry in newIndex(entry.key).map { ($0, entry.value) } })
        } else {
          let low = Int.random(in: 0..<50, using: &generator)
          let next = low..<min(59, low + Int.random(in: 0...20, using: &generator))
          let left = displayed.setRuns(next)
          #expect(left.map(\.index) == model.keys.filter { !next.contains($0) }.sorted())
          model = model.filter { next.contains($0.key) }
          for index in Self.fill(&displayed) {
            #expect(model[index] == nil)
            model[index] = "\(index)"
          }
          #expect(displayed.cells.count == next.count)
        }
        #expect(displayed.entries.map(\.index) == model.keys.sorted())
        for index in 0..<60 { #expect(displayed[index] == model[index]) }
      }
    }
  }

  @Test("Inserting a cell for an item that is off screen or has a cell is a precondition failure")
  func misuse() async throws {
    let off = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var displayed = DisplayedCells<Int>()
      displayed.insert(1, at: 1)
    }
    let text = String(decoding: try #require(off).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Item 1 is not on screen, or has a cell already."))
  }
}
