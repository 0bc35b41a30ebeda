import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("What client code asks for within a call is neither done twice nor forgotten, and means the items it meant")
struct NestedCallsTests {
  @Test("Two handlers that have each other's item configured again do the parts of each cell once a configuration")
  func eachOther() {
    let grid = HeavyGrid(count: 100, parts: 2, preparesAhead: false)
    grid.stage.runUntilIdle()
    grid.log.forget()
    var calls = 0
    grid.log.onConfigure = { item in
      calls += 1
      if calls < 4 { grid.source.reconfigureItems([item == 1 ? 2 : 1]) }
    }
    grid.source.reconfigureItems([1])
    grid.stage.runUntilIdle()
    for item in [1, 2] {
      let lines = grid.log.lines.filter { $0.hasSuffix(" \(item)") && !$0.hasPrefix("draw") }
      let once = ["configure \(item)", "part 0 of \(item)", "part 1 of \(item)"]
      #expect(lines == Array([[String]](repeating: once, count: lines.count / 3).joined()), "\(grid.log.lines)")
    }
    #expect(calls >= 3)
  }

  @Test("A waiting cell's handler that has its own item configured again is called again")
  func itself() {
    let grid = HeavyGrid(count: 100, parts: 1)
    grid.stage.runUntilIdle()
    #expect(grid.view.preparedCells.contains { ($0 as? HeavyCell)?.item == 8 })
    grid.log.forget()
    var isFirst = true
    grid.log.onConfigure = { item in
      guard item == 8, isFirst else { return }
      isFirst = false
      grid.source.reconfigureItems([8])
    }
    grid.source.reconfigureItems([8])
    grid.stage.runUntilIdle()
    #expect(grid.log.lines.filter { $0 == "configure 8" }.count == 2, "\(grid.log.lines)")
    let lines = grid.log.lines.filter { $0.hasSuffix(" 8") }
    #expect(lines.suffix(2) == ["configure 8", "part 0 of 8"] && lines.count { $0.hasPrefix("part") } == 1)
    #expect(grid.stage.runUntilIdle() == 0)
  }

  /// A grid whose data source is replaced when a cell next comes or goes.
  private func replace(
    when isReady: @escaping () -> Bool, beforeReplacing: @escaping (WordGrid) -> Void = { _ in }
  ) -> (WordGrid, PrefetchLog) {
    let (grid, log) = PrefetchTests.grid(100)
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    var other: WordGrid.Source?
    log.isThere = { _ in true }
    grid.log.onChange = {
      log.note(shown: Array(grid.log.displayed.values))
      guard other == nil, isReady() else { return }
      beforeReplacing(grid)
      let next = WordGrid.Source(collectionView: grid.view) { view, path, word in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
      }
      other = next
      var snapshot = next.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(["a", "b"])
      next.apply(snapshot)
    }
    return (grid, log)
  }

  @Test("A data source that is replaced while a snapshot of its waits has given up what it announced, by its names")
  func names() {
    let (grid, log) = replace(when: { true }) { grid in
      grid.apply { $0.insertItems(WordGrid.words(500..<505), beforeItem: "w0") }
    }
    let announced = log.wanted
    #expect(announced == Set(WordGrid.words(6..<18)))
    grid.scroll(to: 50)
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["a", "b"] && log.wanted.isEmpty)
    #expect(Set(log.cancels.joined()).isSubset(of: announced), "\(log.cancels)")
    #expect(!log.releases.joined().contains { $0.hasPrefix("w50") }, "\(log.releases)")
    #expect(grid.source.snapshot().numberOfItems == 105 && grid.source.shownSnapshot().numberOfItems == 105)
  }

  @Test("So has one that is replaced by whoever is told what the motion before an update of it ends")
  func inMotion() {
    var isReady = false
    let (grid, log) = replace { isReady }
    let actor = FrameActor()
    grid.stage.window.addFirstParticipant(actor)
    // What comes before them in another section gives items other numbers and no other place in theirs.
    grid.apply {
      $0.appendSections([1])
      $0.appendItems(WordGrid.words(100..<200))
    }
    grid.scroll(to: 6_000)
    grid.stage.runUntilIdle()
    actor.next = [{ grid.apply(animated: true) { $0.deleteItems(["w121"]) } }]
    grid.stage.run(frames: 3)
    #expect(grid.view.isAnimatingUpdates && grid.shown.first == "w120")
    isReady = true
    let announced = log.wanted
    log.forget()
    // Where no frames run all that moves is at its place first, and one cell less is displayed.
    grid.apply(animated: true) { $0.insertItems(WordGrid.words(500..<505), beforeItem: "w0") }
    #expect(grid.view.itemCount == 2 && log.wanted.isEmpty)
    #expect(Set(log.cancels.joined()).isSubset(of: announced), "\(log.cancels)")
    #expect(!log.releases.joined().contains { $0.hasPrefix("w50") || announced.contains($0) }, "\(log.releases)")
    #expect(grid.source.shownSnapshot().numberOfItems == 204)
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["a", "b"])
  }

  @Test("Who waits for it is told before who waits for the other, though it is in the middle of an update")
  func order() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    var told: [String] = []
    var other: WordGrid.Source?
    grid.log.onChange = {
      guard other == nil else { return }
      let next = WordGrid.Source(collectionView: grid.view) { view, path, word in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
      }
      other = next
      var snapshot = next.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(["a", "b"])
      next.apply(snapshot) { told.append("other") }
    }
    var snapshot = grid.source.snapshot()
    snapshot.deleteItems(["w1"])
    grid.source.apply(snapshot) { told.append("first") }
    #expect(told == ["first", "other"])
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["a", "b"] && told.count == 2)
  }
}
