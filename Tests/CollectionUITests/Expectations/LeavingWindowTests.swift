import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import TestSupport
import Testing
import Views

@Suite("A view that leaves its window in the middle of things has done with them, and may come again")
struct LeavingWindowTests {
  /// Rows of words within a root view, so that they can be taken out.
  private final class Screen {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let source: WordGrid.Source
    let log = DisplayLog()
    let actor = FrameActor()
    let root = View()
    let stage: WindowHarness
    var told: [String] = []

    init() {
      let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
      source = WordGrid.Source(collectionView: view) { view, path, word in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
      }
      stage = WindowHarness(root: root)
      stage.window.addFirstParticipant(actor)
      view.isCellPrefetchingEnabled = false
      view.delegate = log
      var snapshot = source.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(WordGrid.words(0..<40))
      source.apply(snapshot)
      enter()
      stage.runUntilIdle()
    }

    var shown: [String] { view.visibleCells.compactMap { ($0 as? WordCell)?.word } }

    func enter() {
      root.addSubview(view)
      view.frame = root.bounds
      stage.window.addParticipant(view)
    }

    func leave() {
      stage.window.removeParticipant(view)
      view.removeFromSuperview()
    }

    func delete(_ word: String) {
      var snapshot = source.snapshot()
      snapshot.deleteItems([word])
      source.apply(snapshot) { [unowned self] in told.append("\(word) \($0)") }
    }
  }

  @Test("Who waits for motion is told that it was cut short, and nothing is on its way any more")
  func motion() {
    let screen = Screen()
    screen.actor.next = [{ screen.delete("w1") }]
    screen.stage.run(frames: 4)
    #expect(screen.view.isAnimatingUpdates && screen.told.isEmpty && screen.log.displayed.count == 7)
    screen.leave()
    #expect(screen.told == ["w1 false"] && !screen.view.isAnimatingUpdates && screen.log.displayed.count == 6)
    #expect(screen.stage.runUntilIdle() <= 1 && screen.stage.runUntilIdle() == 0, "once without it, and no more")
    screen.delete("w2")
    #expect(screen.told == ["w1 false", "w2 true"] && screen.view.itemCount == 38)
    screen.enter()
    screen.stage.runUntilIdle()
    #expect(screen.shown == ["w0"] + WordGrid.words(3..<8) && screen.told.count == 2)
    #expect(screen.log.displayed.values.sorted() == screen.shown && screen.stage.runUntilIdle() == 0)
  }

  @Test("What was still being compared is shown")
  func comparing() {
    let screen = Screen()
    screen.actor.next = [
      {
        var snapshot = screen.source.snapshot()
        snapshot.appendItems(WordGrid.words(40..<200_000))
        snapshot.deleteItems(["w0"])
        screen.source.apply(snapshot) { screen.told.append("\($0)") }
      }
    ]
    screen.stage.run(frames: 1)
    #expect(screen.view.itemCount == 40)
    screen.leave()
    #expect(screen.view.itemCount == 199_999 && screen.told == ["true"])
  }

  @Test("So is who waits for a batch")
  func batch() {
    let wall = ClassicWall([WordGrid.words(0..<40)])
    var told: [Bool] = []
    wall.frame {
      wall.source.sections[0].removeFirst()
      wall.view.performBatchUpdates {
        wall.view.deleteItems(at: [ClassicWall.path(0)])
      } completion: {
        told.append($0)
      }
    }
    #expect(wall.view.isAnimatingUpdates && told.isEmpty)
    wall.stage.window.removeParticipant(wall.view)
    #expect(!wall.view.isAnimatingUpdates && told == [false])
    wall.stage.window.addParticipant(wall.view)
    wall.stage.runUntilIdle()
    #expect(wall.shown == WordGrid.words(1..<7) && told == [false])
  }

  @Test("Taken out by the client's code that a frame calls, it ends when that has ended")
  func within() {
    let screen = Screen()
    screen.actor.next = [{ screen.delete("w1") }]
    screen.stage.run(frames: 2)
    screen.log.onChange = {
      screen.log.onChange = nil
      screen.stage.window.removeParticipant(screen.view)
      #expect(screen.told.isEmpty)
    }
    screen.view.scroll(to: 100, animated: false)
    screen.stage.run(frames: 1)
    #expect(screen.told == ["w1 false"] && !screen.view.isAnimatingUpdates)
    screen.stage.window.addParticipant(screen.view)
    screen.stage.runUntilIdle()
    #expect(screen.shown == WordGrid.words(3..<9))
    #expect(screen.log.displayed.values.sorted() == screen.shown)
  }
}
