import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import TestSupport
import Testing
import Views

@Suite("A section that is reloaded has its headers configured again, and no other section has")
struct SectionReloadTests {
  /// Sections of a header of 30 points and two rows of 50, whose headers tell another text from now on.
  private func stack(preparesAhead: Bool = false) -> StackStage {
    let stack = SupplementaryTests.stage(20, items: 2)
    stack.view.isCellPrefetchingEnabled = preparesAhead
    if preparesAhead {
      stack.scroll(to: 1)
      stack.scroll(to: 0)
      stack.stage.runUntilIdle()
    }
    stack.headerText = { section, count in "\(section)! \(count)" }
    return stack
  }

  @Test("On screen at once, the same view and no other header")
  func onScreen() throws {
    let stack = stack()
    let header = try #require(stack.view.supplementaryView(ofKind: "header", at: [1, 0]) as? HeaderView)
    let configured = stack.headers.map(\.configured).reduce(0, +)
    stack.apply { $0.reloadSections(["s1"]) }
    #expect(stack.shownHeaders == ["s0 2 at 0", "s1! 2 at 130", "s2 2 at 260"])
    #expect(stack.view.supplementaryView(ofKind: "header", at: [1, 0]) === header && header.reuses == 0)
    #expect(stack.headers.map(\.configured).reduce(0, +) == configured + 1)
    stack.stage.runUntilIdle()
    #expect(stack.shown == [0, 1, 1_000, 1_001, 2_000])
  }

  @Test("One that waits, before it comes on screen")
  func waiting() throws {
    let stack = stack(preparesAhead: true)
    let header = try #require(stack.view.preparedSupplementaryViews.first as? HeaderView)
    #expect(header.text == "s3 2")
    stack.apply { $0.reloadSections(["s3"]) }
    stack.stage.runUntilIdle()
    #expect(header.text == "s3! 2" && stack.view.preparedSupplementaryViews.contains { $0 === header })
    let others = stack.view.preparedSupplementaryViews.compactMap { ($0 as? HeaderView)?.text }.dropFirst()
    #expect(others.allSatisfy { !$0.contains("!") }, "\(others)")
  }

  @Test("Where items come and go in the same update, each once, in the frame that shows them")
  func withItems() {
    let stack = stack()
    let configured = stack.headers.map(\.configured).reduce(0, +)
    stack.apply {
      $0.reloadSections(["s1"])
      $0.deleteItems([0])
    }
    stack.stage.runUntilIdle()
    #expect(stack.shownHeaders == ["s0! 1 at 0", "s1! 2 at 80", "s2! 2 at 210"])
    #expect(stack.headers.map(\.configured).reduce(0, +) == configured + 3)
  }

  @Test("A data source that is asked by index path has them given again, of a section without items too")
  func classic() {
    /// Sections whose headers count how often they were asked for.
    final class Source: CollectionViewDataSource {
      var counts = [2, 0, 1]
      var asked: [Int] = []
      let cell = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "\(item)" }
      let header = SupplementaryRegistration<HeaderView>(elementKind: "header") { _, _, _ in }
      func numberOfSections(in view: CollectionView) -> Int { counts.count }
      func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { counts[section] }
      func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
        view.dequeueConfiguredReusableCell(using: cell, for: indexPath, item: indexPath.item)
      }
      func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
      ) -> CollectionReusableView {
        asked.append(indexPath.section)
        return view.dequeueConfiguredReusableSupplementary(using: header, for: indexPath)
      }
    }
    let view = CollectionView(layout: StackLayout(hasHeaders: true))
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    let source = Source()
    view.dataSource = source
    stage.runUntilIdle()
    #expect(source.asked == [0, 1, 2])
    view.reloadSections([1])
    stage.runUntilIdle()
    #expect(source.asked == [0, 1, 2, 1])
    source.counts[1] = 3
    view.reloadSections([1])
    stage.runUntilIdle()
    #expect(source.asked.dropFirst(4).contains(1) && view.visibleCells.count == 5)
  }
}
