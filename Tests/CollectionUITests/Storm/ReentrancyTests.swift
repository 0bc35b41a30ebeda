import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import CollectionUI

@Suite("What client code does while it is called breaks nothing")
struct ReentrancyTests {
  @Test("A view without a data source rests")
  func restWithoutSource() {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    stage.runUntilIdle()
    #expect(stage.runUntilIdle() == 0)
  }

  @Test("So does one whose data source is gone, whatever that still had to do")
  func restAfterSource() {
    let grid = WordGrid([])
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    var source: WordGrid.Source? = WordGrid.Source(collectionView: grid.view) { view, path, word in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
    }
    let actor = FrameActor()
    grid.stage.window.addParticipant(actor)
    actor.next.append {
      var snapshot = WordGrid.Source.Snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(["a"])
      source?.apply(snapshot) { _ in }
    }
    grid.stage.run(frames: 1)
    source = nil
    grid.stage.runUntilIdle()
    #expect(grid.stage.runUntilIdle() == 0)
  }

  @Test("A waiting cell's handler may delete its item while it is configured again")
  func deletingWithinReconfigure() {
    let grid = HeavyGrid(count: 100)
    grid.stage.runUntilIdle()
    grid.log.onConfigure = { item in
      guard item == 8 else { return }
      var snapshot = grid.source.snapshot()
      snapshot.deleteItems([8])
      grid.source.apply(snapshot)
    }
    grid.source.reconfigureItems([8])
    grid.stage.runUntilIdle()
    #expect(grid.view.itemCount == 99 && grid.view.lifecycle.isBalanced)
  }

  @Test("So may that of a cell on screen where no frames run")
  func deletingWithoutFrames() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.onConfigure = { _, word in grid.apply { if $0.contains(word) { $0.deleteItems([word]) } } }
    grid.source.reconfigureItems(["w3"])
    grid.onConfigure = nil
    grid.stage.runUntilIdle()
    #expect(grid.view.itemCount == 99 && grid.view.lifecycle.isBalanced)
  }

  @Test("A handler that has its own item configured again is called again in the next frame, not without end")
  func selfReconfigure() {
    let (grid, actor) = FrameActor.grid(100)
    var calls = 0
    grid.onConfigure = { _, word in
      calls += 1
      grid.source.reconfigureItems([word])
    }
    actor.next.append { grid.source.reconfigureItems(["w2"]) }
    grid.stage.run(frames: 1)
    #expect(1...3 ~= calls)
    grid.stage.run(frames: 4)
    #expect(5...15 ~= calls)
    grid.onConfigure = nil
    grid.stage.runUntilIdle()
    grid.onConfigure = { _, word in grid.source.reconfigureItems([word]) }
    grid.source.reconfigureItems(["w2"])
    grid.onConfigure = nil
    #expect(grid.stage.runUntilIdle() > 0 && grid.stage.runUntilIdle() == 0)
  }

  @Test("A data source that is replaced tells all who wait for it; its items stay until the client's code has ended")
  func replacing() {
    let (grid, actor) = FrameActor.grid(100)
    var told: [Int] = []
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    var other: WordGrid.Source?
    actor.next.append {
      grid.apply(animated: true) { $0.deleteItems(["w1"]) }
      grid.source.apply(grid.source.snapshot()) { _ in told.append(1) }
    }
    grid.stage.run(frames: 1)
    grid.log.onChange = {
      guard other == nil else { return }
      let next = WordGrid.Source(collectionView: grid.view) { view, path, word in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
      }
      other = next
      var snapshot = next.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(["a", "b"])
      next.apply(snapshot) { _ in told.append(2) }
      #expect(grid.view.itemCount == 99)
    }
    grid.scroll(to: 1_000)
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["a", "b"] && grid.view.itemCount == 2 && grid.view.lifecycle.isBalanced)
    #expect(told == [1, 2])
  }

  @Test("Whoever is told when the last cells of a data source leave may apply to the next one")
  func applyingWhileReplacing() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    var other: WordGrid.Source?
    var isFirst = true
    grid.log.onChange = {
      guard isFirst, let other else { return }
      isFirst = false
      var snapshot = other.snapshot()
      snapshot.insertItems(["c"], beforeItem: "b")
      other.apply(snapshot)
    }
    let feed = Feed(grid.view, registration)
    other = feed.source
    feed.show()
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["a", "b"] || grid.shown == ["a", "c", "b"])
    #expect(grid.view.itemCount == feed.source.snapshot().numberOfItems && grid.view.lifecycle.isBalanced)
  }

  /// Another data source.
  private final class Feed {
    let source: WordGrid.Source
    init(_ view: CollectionView, _ registration: CellRegistration<WordCell, String>) {
      source = WordGrid.Source(collectionView: view) { view, path, word in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
      }
    }
    func show() {
      var snapshot = source.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(["a", "b"])
      source.apply(snapshot)
    }
  }

  @Test("Where the delegate selects an item itself while it is asked, one item is selected all the same")
  func selectingWithinAsking() {
    /// Selects another item whenever it is asked.
    final class Meddler: CollectionViewDelegate, CollectionViewInteractionDelegate {
      var opened: [IndexPath] = []
      var onSelect: () -> Void = {}
      func collectionView(_ view: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
        view.selectItem(at: IndexPath(item: 9, section: 0), animated: false)
        return true
      }
      func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) { onSelect() }
      func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
        opened.append(indexPath)
      }
    }
    let wall = ItemWall(allowsMultipleSelection: false)
    let meddler = Meddler()
    wall.view.delegate = meddler
    wall.click("w5")
    #expect(wall.selected == ["w5"])
    // An update that it asks for comes when the event has been dealt with: the item that was clicked is opened.
    meddler.onSelect = { wall.grid.apply { $0.insertItems(["x"], beforeItem: "w0") } }
    wall.click("w6", clicks: 2)
    #expect(meddler.opened == [IndexPath(item: 6, section: 0)] && wall.view.itemCount == 101)
    #expect(wall.selected == ["w6"])
  }

  @Test("What is pointed at is another item once the content has jumped")
  func hoverAfterJump() {
    let wall = ItemWall()
    let place = wall.middle(of: "w5")
    wall.move(to: place)
    #expect(wall.grid.cell(of: "w5")?.configurationState.isHovered ?? false)
    wall.grid.scroll(to: 100)
    let hovered = wall.grid.view.visibleCells.compactMap { $0 as? WordCell }.filter { $0.configurationState.isHovered }
    #expect(hovered.map(\.word) == ["w13"])
  }

  @Test("Who is told of prefetching no more is told to give up all, also right after an update; the next begins anew")
  func replacedPrefetching() {
    let grid = WordGrid(WordGrid.words(0..<200))
    let first = PrefetchLog()
    let second = PrefetchLog()
    grid.source.prefetching = first
    grid.stage.runUntilIdle()
    first.note(shown: grid.shown)
    #expect(!first.wanted.isEmpty)
    grid.apply { $0.insertItems(["x"], beforeItem: "w0") }
    grid.source.prefetching = second
    #expect(first.wanted.isEmpty && first.seen.isEmpty)
    grid.stage.runUntilIdle()
    #expect(!second.wanted.isEmpty && second.cancels.isEmpty)
  }

  @Test("So is who is told by path")
  func replacedPathPrefetching() {
    let grid = WordGrid(WordGrid.words(0..<200))
    let first = PathPrefetchLog()
    let second = PathPrefetchLog()
    (first.word, second.word) = ({ "\($0.item)" }, { "\($0.item)" })
    grid.view.prefetchDataSource = first
    grid.stage.runUntilIdle()
    let announced = first.requests.count
    grid.view.prefetchDataSource = second
    #expect(announced > 0 && first.requests.isEmpty)
    grid.stage.runUntilIdle()
    #expect(second.requests.count == announced)
  }
}
