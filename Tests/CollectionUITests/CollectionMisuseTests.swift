import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import TestSupport
import Testing

@Suite("A mistake of a provider stops the program with a sentence that names it")
struct CollectionMisuseTests {
  /// A grid of one row whose provider does what a test says.
  static func run(_ provider: @MainActor @escaping (CollectionView, Int, Registrations) -> CollectionViewCell) {
    let registrations = Registrations()
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      registrations.path = path
      return provider(view, item, registrations)
    }
    let stage = registrations.stage(of: view)
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems([7, 8])
    source.apply(snapshot)
    stage.run(frames: 1)
    registrations.isReconfiguring = true
    source.reconfigureItems([8])
  }

  private func expect(_ result: ExitTest.Result?, says words: String) throws {
    try Misuse.expect(result, says: words)
  }

  @Test("Two places of one axis to scroll an item to")
  func twoPlaces() async throws {
    let vertical = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await WordGrid(["a"]).view.scrollToItem(at: [0, 0], at: [.top, .bottom, .left], animated: false)
    }
    try expect(vertical, says: "An item was to be scrolled to two places of the vertical axis at once.")
    try expect(vertical, says: "Combine one vertical and one horizontal scroll position.")
    let horizontal = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await WordGrid(["a"]).view.scrollToItem(at: [0, 0], at: [.leadingEdge, .right], animated: false)
    }
    try expect(horizontal, says: "An item was to be scrolled to two places of the horizontal axis at once.")
  }

  @Test("A registration that was made inside the provider")
  func registrationInside() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        let inside = CellRegistration<WordCell, Int> { cell, _, _ in cell.word = "never" }
        return view.dequeueConfiguredReusableCell(using: inside, for: registrations.path, item: item)
      }
    }
    try expect(result, says: "A cell registration was made inside a cell provider.")
    try expect(result, says: "make the registration once, outside the provider.")
  }

  @Test("One that was made there for a reconfigure")
  func registrationInsideReconfigure() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        let inside = CellRegistration<WordCell, Int> { cell, _, _ in cell.word = "never" }
        return view.dequeueConfiguredReusableCell(
          using: registrations.isReconfiguring ? inside : registrations.word, for: registrations.path, item: item)
      }
    }
    try expect(result, says: "A cell registration was made inside a cell provider.")
  }

  @Test("Another registration for an item that is reconfigured")
  func otherRegistration() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        view.dequeueConfiguredReusableCell(
          using: registrations.isReconfiguring ? registrations.other : registrations.word, for: registrations.path,
          item: item)
      }
    }
    try expect(result, says: "While item 8 was reconfigured its provider asked for a cell of another registration.")
    try expect(result, says: "use reloadItems to change its kind.")
  }

  @Test("Another cell for an item that is reconfigured")
  func otherCellForReconfigure() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        let cell = view.dequeueConfiguredReusableCell(using: registrations.word, for: registrations.path, item: item)
        return registrations.isReconfiguring ? WordCell() : cell
      }
    }
    try expect(
      result,
      says: "While section 0, item 1 was reconfigured its provider returned another cell than the one it dequeued.")
  }

  @Test("A cell that was not dequeued")
  func ownCell() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { _, _, _ in WordCell() }
    }
    try expect(result, says: "The provider of section 0, item 0 returned a cell that it did not dequeue for this call.")
  }

  @Test("The cell of another item")
  func sameCellTwice() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        if let cell = registrations.last { return cell }
        let cell = view.dequeueConfiguredReusableCell(using: registrations.word, for: registrations.path, item: item)
        registrations.last = cell
        return cell
      }
    }
    try expect(result, says: "The provider of section 0, item 1 returned a cell that it did not dequeue for this call.")
  }

  @Test("A cell dequeued and thrown away")
  func dequeuedTwice() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await CollectionMisuseTests.run { view, item, registrations in
        _ = view.dequeueConfiguredReusableCell(using: registrations.word, for: registrations.path, item: item)
        return view.dequeueConfiguredReusableCell(using: registrations.word, for: registrations.path, item: item)
      }
    }
    try expect(result, says: "A cell was dequeued that no provider returned.")
  }
}
