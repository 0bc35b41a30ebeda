import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineDiffableData
import VitrineTestSupport

@Suite("A programming error stops the program with an error message")
struct CollectionMisuseTests {
  /// Displays a grid of two rows with a cell provider, and reconfigures the second row.
  static func run(_ provider: @MainActor @escaping (CollectionView, Int, Registrations) -> CollectionViewCell) {
    let registrations = Registrations()
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      registrations.path = path
      return provider(view, item, registrations)
    }
    let harness = registrations.makeHarness(of: view)
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems([7, 8])
    source.apply(snapshot)
    harness.run(frames: 1)
    registrations.isReconfiguring = true
    source.reconfigureItems([8])
  }

  private func expectMessage(of result: ExitTest.Result?, contains text: String) throws {
    try Misuse.expectMessage(of: result, contains: text)
  }

  @Test("Two scroll positions on the same axis")
  func conflictingScrollPositions() async throws {
    let vertical = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await WordGrid(["a"]).view.scrollToItem(at: [0, 0], at: [.top, .bottom, .left], animated: false)
    }
    try expectMessage(of: vertical, contains: "The scroll position contains two positions on the vertical axis.")
    try expectMessage(of: vertical, contains: "Combine one vertical and one horizontal scroll position.")
    let horizontal = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await WordGrid(["a"]).view.scrollToItem(at: [0, 0], at: [.leadingEdge, .right], animated: false)
    }
    try expectMessage(
      of: horizontal, contains: "The scroll position contains two positions on the horizontal axis.")
  }

  @Test("A registration created inside a provider")
  func registrationInside() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        let inside = CellRegistration<WordCell, Int> { cell, _, _ in cell.word = "never" }
        return view.dequeueConfiguredReusableCell(using: inside, for: registrations.path, item: item)
      }
    }
    try expectMessage(of: result, contains: "A cell registration was made inside a cell provider.")
    try expectMessage(of: result, contains: "make the registration once, outside the provider.")
  }

  @Test("A registration created inside a provider during a reconfiguration")
  func registrationInsideReconfigure() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        let inside = CellRegistration<WordCell, Int> { cell, _, _ in cell.word = "never" }
        return view.dequeueConfiguredReusableCell(
          using: registrations.isReconfiguring ? inside : registrations.word, for: registrations.path, item: item)
      }
    }
    try expectMessage(of: result, contains: "A cell registration was made inside a cell provider.")
  }

  @Test("Another registration for a reconfigured item")
  func otherRegistration() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        view.dequeueConfiguredReusableCell(
          using: registrations.isReconfiguring ? registrations.other : registrations.word, for: registrations.path,
          item: item)
      }
    }
    try expectMessage(
      of: result, contains: "While item 8 was reconfigured its provider requested a cell of another registration.")
    try expectMessage(of: result, contains: "use reloadItems to change its kind.")
  }

  @Test("Another cell for a reconfigured item")
  func otherCellForReconfigure() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        let cell = view.dequeueConfiguredReusableCell(using: registrations.word, for: registrations.path, item: item)
        return registrations.isReconfiguring ? WordCell() : cell
      }
    }
    try expectMessage(
      of: result,
      contains: "While section 0, item 1 was reconfigured, its provider returned another cell than it dequeued.")
  }

  @Test("A cell that was not dequeued")
  func cellNotDequeued() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { _, _, _ in WordCell() }
    }
    try expectMessage(
      of: result, contains: "The provider of section 0, item 0 returned a cell that it did not dequeue for this call.")
  }

  @Test("A cell dequeued for another item")
  func sameCellTwice() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        if let cell = registrations.last { return cell }
        let cell = view.dequeueConfiguredReusableCell(using: registrations.word, for: registrations.path, item: item)
        registrations.last = cell
        return cell
      }
    }
    try expectMessage(
      of: result, contains: "The provider of section 0, item 1 returned a cell that it did not dequeue for this call.")
  }

  @Test("A dequeued cell that is not returned")
  func unusedDequeuedCell() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        _ = view.dequeueConfiguredReusableCell(using: registrations.word, for: registrations.path, item: item)
        return view.dequeueConfiguredReusableCell(using: registrations.word, for: registrations.path, item: item)
      }
    }
    try expectMessage(of: result, contains: "A cell was dequeued that no provider returned.")
  }
}
