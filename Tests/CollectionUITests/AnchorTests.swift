import CollectionLayout
import CollectionUI
import DiffableData
import Geometry
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("What is seen stays where it is, whatever comes, goes or changes its size above it")
struct AnchorTests {
  /// Whether the words on screen before, as far as they are there now, stand where they stood, within half a pixel.
  static func expectStill(_ grid: WordGrid, _ before: [String: Point], _ note: String = "") {
    let places = grid.places
    let common = before.keys.filter { places[$0] != nil }.sorted()
    #expect(!common.isEmpty, "\(note)")
    for word in common {
      guard let old = before[word], let new = places[word] else { continue }
      #expect(abs(old.y - new.y) <= 0.5 && old.x == new.x, "\(word) \(note): \(old) -> \(new)")
    }
  }

  @Test("Inserting, deleting and moving whole rows above the first visible item moves nothing", arguments: [1, 3])
  func changesAbove(columns: Int) {
    let grid = WordGrid(WordGrid.words(0..<600), columns: columns)
    grid.scroll(to: 2_015)
    let before = grid.places
    grid.apply { $0.insertItems(WordGrid.words(1_000..<1_030), beforeItem: "w0") }
    grid.stage.runUntilIdle()
    Self.expectStill(grid, before, "inserted")
    grid.apply { $0.deleteItems(WordGrid.words(3..<9)) }
    grid.stage.runUntilIdle()
    Self.expectStill(grid, before, "deleted")
    grid.apply { for word in WordGrid.words(9..<15) { $0.moveItem(word, afterItem: "w599") } }
    grid.stage.runUntilIdle()
    Self.expectStill(grid, before, "moved away")
    grid.apply { for word in WordGrid.words(590..<596) { $0.moveItem(word, beforeItem: "w20") } }
    grid.stage.runUntilIdle()
    Self.expectStill(grid, before, "moved here")
    #expect(grid.places.count == before.count)
    #expect(grid.provided.filter { before[$0] != nil }.count == before.count, "only the scroll asked for them")
  }

  @Test("Random edits above and below, one after the other, never move it", arguments: 0..<6)
  func property(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let grid = WordGrid(WordGrid.words(0..<400))
    grid.scroll(to: 7_333)
    let before = grid.places
    let seen = Set(before.keys)
    var next = 1_000
    for step in 0..<60 {
      grid.apply { snapshot in
        let others = snapshot.itemIdentifiers.filter { !seen.contains($0) }
        let above = others.prefix { $0 != "w153" && $0 != "w154" }
        guard let word = (generator.chance(oneIn: 3) ? others[...] : above[...]).randomElement(using: &generator) else {
          return
        }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          snapshot.insertItems(WordGrid.words(next..<(next + 7)), beforeItem: word)
          next += 7
        case 1: snapshot.deleteItems([word])
        default: if word != others[0] { snapshot.moveItem(word, beforeItem: others[0]) }
        }
      }
      if generator.chance(oneIn: 2) { grid.stage.run(frames: 1) }
      if step % 10 == 9 {
        grid.stage.runUntilIdle()
        Self.expectStill(grid, before, "seed \(seed), step \(step)")
      }
    }
    #expect(Set(grid.places.keys) == seen)
  }

  @Test("At the very top what is inserted there is seen")
  func top() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.apply { $0.insertItems(["a", "b"], beforeItem: "w0") }
    grid.stage.runUntilIdle()
    #expect(grid.view.contentOffset == 0)
    #expect(grid.shown == ["a", "b", "w0", "w1", "w2", "w3"])
  }

  @Test("When the first item seen is deleted, the next ones stay")
  func firstIsDeleted() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 1_020)
    let before = grid.places
    grid.apply { $0.deleteItems(WordGrid.words(10..<22)) }
    grid.stage.runUntilIdle()
    Self.expectStill(grid, before)
    #expect(grid.places["w22"] == before["w22"])
  }

  @Test("When the first item seen goes its own way, the others stay; when all turn round, it is followed")
  func firstIsMoved() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 1_000)
    var before = grid.places
    grid.apply { $0.moveItem("w20", afterItem: "w90") }
    grid.stage.runUntilIdle()
    before["w20"] = nil
    Self.expectStill(grid, before)
    grid.scroll(to: 2_000)
    let first = grid.shown[0]
    grid.apply { snapshot in
      let words = snapshot.itemIdentifiers
      snapshot.deleteAllItems()
      snapshot.appendItems(words.reversed())
    }
    grid.stage.runUntilIdle()
    #expect(grid.shown[0] == first)
    #expect(grid.places[first] == Point(x: 0, y: 0))
  }

  @Test("When nothing on screen stays, the content stands as it stood")
  func nothingStays() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 1_000)
    grid.apply { snapshot in
      snapshot.deleteAllItems()
      snapshot.appendItems(WordGrid.words(200..<300))
    }
    grid.stage.runUntilIdle()
    #expect(grid.view.contentOffset == 1_000)
    #expect(grid.shown == WordGrid.words(220..<226))
    grid.apply { $0.deleteAllItems() }
    grid.stage.runUntilIdle()
    #expect(grid.view.contentOffset == 0)
    #expect(grid.shown.isEmpty)
  }

  @Test("Another width keeps the first item seen at the top")
  func resize() {
    let view = CollectionView(layout: GridLayout(columns: .minimumWidth(90), heightRatio: 1))
    let stage = WindowHarness(root: view, size: Size(width: 400, height: 300))
    stage.window.addParticipant(view)
    let registration = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "\(item)" }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<5_000))
    source.apply(snapshot)
    stage.run(frames: 1)
    view.scroll(to: 33_337, animated: false)
    stage.run(frames: 2)
    let first = view.visibleRange.lowerBound
    let offset = view.contentOffset
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<100 {
      stage.resize(
        to: Size(
          width: Double.random(in: 60...900, using: &generator).rounded(),
          height: Double.random(in: 120...700, using: &generator).rounded()))
      stage.run(frames: 1)
      #expect(view.visibleRange.contains(first))
      #expect(view.frameOfItem(at: view.indexPath(at: first)).map { $0.minY <= view.contentOffset + 0.5 } == true)
    }
    stage.resize(to: Size(width: 400, height: 300))
    stage.run(frames: 1)
    #expect(abs(view.contentOffset - offset) <= 0.5, "a hundred resizes do not creep")
  }

  @Test("Layouts while the content moves lose none of its way")
  func layoutsInMotion() {
    let quiet = WordGrid(WordGrid.words(0..<1_000))
    let busy = WordGrid(WordGrid.words(0..<1_000))
    for grid in [quiet, busy] { grid.view.applyScrollEvent(.advance(by: 333)) }
    for frame in 0..<200 {
      quiet.stage.run(frames: 1)
      busy.apply { $0.appendItems(["more \(frame)"]) }
      busy.stage.run(frames: 1)
      #expect(quiet.view.contentOffset == busy.view.contentOffset)
    }
    #expect(busy.view.contentOffset == 333)
  }

  @Test("An animation goes on while rows come in above: it ends at the same item")
  func insertsInMotion() {
    let grid = WordGrid(WordGrid.words(0..<1_000))
    grid.scroll(to: 1_000)
    grid.view.applyScrollEvent(.advance(by: 500))
    for step in 0..<30 {
      grid.stage.run(frames: 1)
      grid.apply { $0.insertItems(["n\(step)"], beforeItem: "w0") }
    }
    grid.stage.runUntilIdle()
    #expect(grid.shown.first == "w30")
    #expect(grid.places["w30"] == Point(x: 0, y: 0))
  }
}
