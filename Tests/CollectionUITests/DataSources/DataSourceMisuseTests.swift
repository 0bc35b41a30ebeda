import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineTestSupport
import VitrineViews

@Suite("Misuse of a CollectionViewDataSource stops the program with a message that names the mistake")
struct DataSourceMisuseTests {
  @Test("Each mistake is reported with its numbers", arguments: DataSourceMisuse.allCases)
  func messages(misuse: DataSourceMisuse) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [misuse] in
      await misuse.perform()
    }
    try Misuse.expectMessage(of: result, contains: misuse.message)
  }
}

// MARK: - Supplementary views

@Suite("Misuse of a supplementary view provider stops the program with a message that names the mistake")
struct SupplementaryMisuseTests {
  /// Displays three sections whose headers come from a provider.
  @MainActor
  private static func run(_ provider: @escaping DiffableDataSource<String, Int>.SupplementaryViewProvider) {
    let stack = NumberStack([], layout: StackLayout(hasHeaders: true))
    stack.source.supplementaryViewProvider = provider
    stack.apply {
      for (section, items) in SupplementaryViewTests.sections(3, items: 1) {
        $0.appendSections([section])
        $0.appendItems(items, toSection: section)
      }
    }
    stack.harness.runUntilIdle()
  }

  private static func header(_ kind: String) -> SupplementaryRegistration<HeaderView> {
    SupplementaryRegistration<HeaderView>(elementKind: kind) { _, _, _ in }
  }

  @Test("A provider that returns the view of another section")
  func viewOfAnotherSection() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let registration = SupplementaryMisuseTests.header("header")
        var first: HeaderView?
        SupplementaryMisuseTests.run { view, _, path in
          if let first { return first }
          let header = view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
          first = header
          return header
        }
      }
    }
    try Misuse.expectMessage(
      of: result,
      contains: "A supplementaryViewProvider returned a view of kind header that it did not dequeue for this call.")
  }

  @Test("A provider that returns a view of another kind")
  func viewOfAnotherKind() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let registration = SupplementaryMisuseTests.header("footer")
        SupplementaryMisuseTests.run { view, _, path in
          view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
        }
      }
    }
    try Misuse.expectMessage(
      of: result, contains: "was called for a view of kind header and dequeued one with a registration for kind footer."
    )
  }

  @Test("A provider that dequeues a view and discards it")
  func discardedView() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let registration = SupplementaryMisuseTests.header("header")
        SupplementaryMisuseTests.run { view, _, path in
          _ = view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
          return view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
        }
      }
    }
    try Misuse.expectMessage(
      of: result, contains: "A view of kind header was dequeued after another one that no provider returned.")
  }

  @Test("A provider that creates a registration")
  func registrationInProvider() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        SupplementaryMisuseTests.run { view, kind, path in
          let registration = SupplementaryRegistration<HeaderView>(elementKind: kind) { _, _, _ in }
          return view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
        }
      }
    }
    try Misuse.expectMessage(of: result, contains: "A supplementary registration was made inside a provider.")
  }
}

// MARK: - Mistakes

/// A mistake that a program can make with a `CollectionViewDataSource`, and its message.
enum DataSourceMisuse: String, CaseIterable, Codable, Sendable {
  case contradiction, forgottenInsert, forgottenSection, movedAndCounted
  case noSuchItem, noSuchDestination, noSuchSection
  case deletedAndReloaded, reloadedAndMoved, insertedAndMovedTo, deletedTwice, sectionDeletedAndReloaded
  case deletedAndReconfigured
  case shortPath, withoutDataSource, withSnapshots
  case releasedInFrame, noHeaders, ownCell, otherCell, otherRegistration, registrationInside, headerRegistrationInside

  /// The message, without the source location.
  var message: String {
    switch self {
    case .contradiction:
      """
      The number of items in section 0 contradicts the update: the data source has 3, and there were 3, of which 1 were \
      deleted and 0 moved out, and 0 were inserted and 0 moved in. Change the data within the update, and name every change.
      """
    case .forgottenInsert:
      """
      The number of items in section 1 contradicts the update: the data source has 3, and there were 2, of which 0 were \
      deleted and 0 moved out, and 0 were inserted and 0 moved in. Change the data within the update, and name every change.
      """
    case .movedAndCounted:
      """
      The number of items in section 0 contradicts the update: the data source has 3, and there were 3, of which 0 were \
      deleted and 1 moved out, and 0 were inserted and 0 moved in. Change the data within the update, and name every change.
      """
    case .forgottenSection:
      """
      The number of sections contradicts the update: the data source has 1, and there were 2, of which 0 were deleted, and \
      1 were inserted. Change the data within the update, and name every change.
      """
    case .noSuchItem:
      """
      An update names section 0, item 3, and in that section there were 3 items before it, where deletions, reloads and \
      origins of moves count.
      """
    case .noSuchDestination:
      """
      An update names section 1, item 2, and in that section there are 2 items after it, where insertions count.
      """
    case .noSuchSection:
      """
      An update names section 2, and there were 2 sections before it, where deletions, reloads and origins of moves count.
      """
    case .deletedAndReloaded:
      "An update is to delete and to reload section 0, item 1. One of them excludes the other."
    case .reloadedAndMoved:
      "An update is to reload and to move away section 0, item 1. One of them excludes the other."
    case .insertedAndMovedTo:
      "An update is to insert and to move something to section 0, item 0. One of them excludes the other."
    case .deletedTwice: "An update is to delete section 0, item 1 twice. Name it once."
    case .sectionDeletedAndReloaded: "An update is to delete and to reload section 1. One of them excludes the other."
    case .deletedAndReconfigured:
      "An update is to delete and to reconfigure section 0, item 1. One of them excludes the other."
    case .shortPath:
      """
      An update contains an index path with 1 indices. That of an item has a section and an item.
      """
    case .withoutDataSource:
      """
      reloadData() was called on a collection view without a dataSource. Set one first. If a diffable data source \
      provides the items, call its apply(_:) or applySnapshotUsingReloadData(_:) instead.
      """
    case .withSnapshots:
      """
      insertItems(at:) was called on a collection view without a dataSource. Set one first. If a diffable data source \
      provides the items, call its apply(_:) or applySnapshotUsingReloadData(_:) instead.
      """
    case .releasedInFrame:
      """
      The data source was deallocated while the collection view requested a cell. The view does not retain it: keep a \
      strong reference while the view displays its items.
      """
    case .noHeaders:
      """
      The layout contains supplementary views of kind header, and the data source provides none. Implement \
      collectionView(_:viewForSupplementaryElementOfKind:at:).
      """
    case .ownCell: "The provider of section 0, item 0 returned a cell that it did not dequeue for this call."
    case .otherCell:
      "While section 0, item 1 was reconfigured, its provider returned another cell than it dequeued."
    case .otherRegistration:
      "While item b was reconfigured its provider requested a cell of another registration."
    case .registrationInside: "A cell registration was made inside a cell provider."
    case .headerRegistrationInside: "A supplementary registration was made inside a provider."
    }
  }

  /// Makes the mistake.
  @MainActor
  func perform() {
    let grid = DataSourceGrid([["a", "b", "c"], ["x", "y"]])
    let (view, source) = (grid.view, grid.source)
    func path(_ item: Int, _ section: Int = 0) -> IndexPath { DataSourceGrid.path(item, section) }
    switch self {
    case .contradiction: view.deleteItems(at: [path(1)])
    case .forgottenInsert:
      view.performBatchUpdates { source.sections[1].append("z") }
    case .movedAndCounted: view.moveItem(at: path(0), to: path(0, 1))
    case .forgottenSection:
      view.performBatchUpdates {
        source.sections.removeLast()
        view.insertSections([0])
      }
    case .noSuchItem: view.reloadItems(at: [path(3)])
    case .noSuchDestination: view.insertItems(at: [path(2, 1)])
    case .noSuchSection: view.reloadSections([2])
    case .deletedAndReloaded:
      view.performBatchUpdates {
        view.deleteItems(at: [path(1)])
        view.reloadItems(at: [path(1)])
      }
    case .reloadedAndMoved:
      view.performBatchUpdates {
        view.reloadItems(at: [path(1)])
        view.moveItem(at: path(1), to: path(0))
      }
    case .insertedAndMovedTo:
      view.performBatchUpdates {
        view.insertItems(at: [path(0)])
        view.moveItem(at: path(1), to: path(0))
      }
    case .deletedTwice: view.deleteItems(at: [path(1), path(1)])
    case .sectionDeletedAndReloaded:
      view.performBatchUpdates {
        view.deleteSections([1])
        view.reloadSections([1])
      }
    case .deletedAndReconfigured:
      view.performBatchUpdates {
        view.deleteItems(at: [path(1)])
        view.reconfigureItems(at: [path(1)])
      }
    case .shortPath: view.insertItems(at: [IndexPath(index: 0)])
    case .withoutDataSource: CollectionView(layout: WordGrid.layout(columns: 1)).reloadData()
    case .withSnapshots: WordGrid(["a"]).view.insertItems(at: [path(0)])
    case .releasedInFrame: releaseInFrame()
    case .noHeaders:
      view.collectionViewLayout = StackLayout(hasHeaders: true)
      grid.harness.runUntilIdle()
    case .ownCell, .otherCell, .otherRegistration, .registrationInside, .headerRegistrationInside: performInProvider()
    }
  }

  @MainActor
  private func releaseInFrame() {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let owner = DataSourceOwner(DataSourceGrid.Source([["a", "b", "c"]]))
    view.delegate = owner
    view.dataSource = owner.source
    harness.run(frames: 1)
  }

  @MainActor
  private func performInProvider() {
    let source = FaultyDataSource(self)
    let registrations = Registrations()
    let view = CollectionView(layout: StackLayout(hasHeaders: self == .headerRegistrationInside))
    let harness = registrations.makeHarness(of: view)
    view.dataSource = source
    harness.run(frames: 1)
    source.isReconfiguring = true
    view.reconfigureItems(at: [DataSourceGrid.path(1)])
  }
}

/// An owner that releases its data source when the first cell is displayed.
private final class DataSourceOwner: CollectionViewDelegate {
  var source: DataSourceGrid.Source?

  init(_ source: DataSourceGrid.Source) { self.source = source }

  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    source = nil
  }
}

/// A data source whose provider makes a given mistake.
private final class FaultyDataSource: CollectionViewDataSource {
  let misuse: DataSourceMisuse
  var isReconfiguring = false
  let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
  let other = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }

  init(_ misuse: DataSourceMisuse) { self.misuse = misuse }

  func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 2 }

  func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
    let word = ["a", "b"][indexPath.item]
    switch misuse {
    case .ownCell: return WordCell()
    case .registrationInside:
      let inside = CellRegistration<WordCell, String> { _, _, _ in }
      return view.dequeueConfiguredReusableCell(using: inside, for: indexPath, item: word)
    case .otherRegistration where isReconfiguring:
      return view.dequeueConfiguredReusableCell(using: other, for: indexPath, item: word)
    default:
      let cell = view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: word)
      return misuse == .otherCell && isReconfiguring ? WordCell() : cell
    }
  }

  func collectionView(
    _ view: CollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> CollectionReusableView {
    let inside = SupplementaryRegistration<HeaderView>(elementKind: kind) { _, _, _ in }
    return view.dequeueConfiguredReusableSupplementary(using: inside, for: indexPath)
  }
}
