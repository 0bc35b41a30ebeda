import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@Suite("Reloading a section configures its headers again, and no other headers")
struct SectionReloadTests {
  /// Sections with a header of 30 points and two rows of 50 points, whose header text changes from now on.
  private func makeStack(preparesAhead: Bool = false) -> NumberStack {
    let stack = SupplementaryViewTests.makeStack(20, items: 2)
    DemonstrationSwitches(stack.view).isCellPrefetchingEnabled = preparesAhead
    if preparesAhead {
      stack.scroll(to: 1)
      stack.scroll(to: 0)
      stack.harness.runUntilIdle()
    }
    stack.headerText = { section, count in "\(section)! \(count)" }
    return stack
  }

  @Test("A visible header is configured immediately, and its view is kept")
  func visibleHeader() throws {
    let stack = makeStack()
    let header = try #require(stack.view.supplementaryView(forElementKind: "header", at: [1, 0]) as? HeaderView)
    let configured = stack.headers.map(\.configured).reduce(0, +)
    stack.apply { $0.reloadSections(["s1"]) }
    #expect(stack.shownHeaders == ["s0 2 at 0", "s1! 2 at 130", "s2 2 at 260"])
    #expect(stack.view.supplementaryView(forElementKind: "header", at: [1, 0]) === header && header.reuses == 0)
    #expect(stack.headers.map(\.configured).reduce(0, +) == configured + 1)
    stack.harness.runUntilIdle()
    #expect(stack.shown == [0, 1, 1_000, 1_001, 2_000])
  }

  @Test("A prepared header is configured before it is displayed")
  func preparedHeader() throws {
    let stack = makeStack(preparesAhead: true)
    let header = try #require(stack.view.preparedSupplementaryViews.first as? HeaderView)
    #expect(header.text == "s3 2")
    stack.apply { $0.reloadSections(["s3"]) }
    stack.harness.runUntilIdle()
    #expect(header.text == "s3! 2" && stack.view.preparedSupplementaryViews.contains { $0 === header })
    let others = stack.view.preparedSupplementaryViews.compactMap { ($0 as? HeaderView)?.text }.dropFirst()
    #expect(others.allSatisfy { !$0.contains("!") }, "\(others)")
  }

  @Test("In an update that also changes items, each header is configured once, in the frame that displays it")
  func withItemChanges() {
    let stack = makeStack()
    let configured = stack.headers.map(\.configured).reduce(0, +)
    stack.apply {
      $0.reloadSections(["s1"])
      $0.deleteItems([0])
    }
    stack.harness.runUntilIdle()
    #expect(stack.shownHeaders == ["s0! 1 at 0", "s1! 2 at 80", "s2! 2 at 210"])
    #expect(stack.headers.map(\.configured).reduce(0, +) == configured + 3)
  }

  @Test("A CollectionViewDataSource provides the headers again, even of a section without items")
  func dataSource() {
    /// A data source that records the sections of the requested headers.
    final class Source: CollectionViewDataSource {
      var counts = [2, 0, 1]
      var requestedSections: [Int] = []
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
        requestedSections.append(indexPath.section)
        return view.dequeueConfiguredReusableSupplementary(using: header, for: indexPath)
      }
    }
    let view = CollectionView(layout: StackLayout(hasHeaders: true))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let source = Source()
    view.dataSource = source
    harness.runUntilIdle()
    #expect(source.requestedSections == [0, 1, 2])
    view.reloadSections([1])
    harness.runUntilIdle()
    #expect(source.requestedSections == [0, 1, 2, 1])
    source.counts[1] = 3
    view.reloadSections([1])
    harness.runUntilIdle()
    #expect(source.requestedSections.dropFirst(4).contains(1) && view.visibleCells.count == 5)
  }
}

@Suite("Headers show the current items when they are displayed")
struct StaleHeaderTests {
  /// Sections with a header of 30 points and three rows of 50 points, with prepared and reusable headers.
  private func makeStack() -> (NumberStack, FrameActions) {
    let stack = SupplementaryViewTests.makeStack(20, items: 3)
    let actions = FrameActions()
    stack.harness.window.addFirstParticipant(actions)
    DemonstrationSwitches(stack.view).isCellPrefetchingEnabled = true
    stack.scroll(to: 1)
    stack.scroll(to: 0)
    stack.harness.runUntilIdle()
    return (stack, actions)
  }

  private func preparedTexts(_ stack: NumberStack) -> [String] {
    stack.view.preparedSupplementaryViews.compactMap { ($0 as? HeaderView)?.text }
  }

  @Test("A header that is scrolled out of view in the frame of an update is configured again while it is prepared")
  func headerScrolledAway() {
    let (stack, actions) = makeStack()
    actions.pending = [
      {
        stack.apply { $0.appendItems([77], toSection: "s0") }
        stack.view.scroll(to: 250, animated: false)
      }
    ]
    stack.harness.run(frames: 1)
    #expect(!stack.shownHeaders.contains { $0.hasPrefix("s0") })
    stack.harness.runUntilIdle()
    #expect(preparedTexts(stack).contains("s0 4"))
    stack.scroll(to: 0)
    #expect(stack.shownHeaders.first == "s0 4 at 0")
  }

  @Test("A header that disappears during an animation is configured again after another change")
  func disappearingHeader() {
    let (stack, actions) = makeStack()
    actions.pending = [
      { stack.apply(animated: true) { $0.insertItems([60, 61, 62], beforeItem: 1) } },
      { stack.apply(animated: true) { $0.appendItems([78], toSection: "s1") } },
    ]
    stack.harness.run(frames: 2)
    #expect(stack.view.isAnimatingUpdates)
    stack.harness.runUntilIdle()
    stack.scroll(to: 150)
    stack.harness.runUntilIdle()
    #expect(stack.shownHeaders.map { $0.prefix(4) } == ["s0 6", "s1 4"], "\(stack.shownHeaders)")
  }

  @Test("Replacing all items with a reload configures every header for the new items")
  func reload() {
    let (stack, _) = makeStack()
    let headers = stack.view.visibleSupplementaryViews(ofKind: "header").compactMap { $0 as? HeaderView }
    let reuses = headers.map(\.reuses)
    var snapshot = NumberStack.Source.Snapshot()
    for (section, items) in SupplementaryViewTests.sections(20, items: 2) {
      snapshot.appendSections([section])
      snapshot.appendItems(items, toSection: section)
    }
    stack.source.applySnapshotUsingReloadData(snapshot)
    stack.harness.runUntilIdle()
    #expect(stack.shownHeaders == ["s0 2 at 0", "s1 2 at 130", "s2 2 at 260"])
    #expect(preparedTexts(stack).allSatisfy { $0.hasSuffix(" 2") } && !preparedTexts(stack).isEmpty)
    #expect(zip(headers, reuses).allSatisfy { $0.reuses == $1 + 1 }, "each header was reused from the pool")
  }
}
