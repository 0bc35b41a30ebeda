import CollectionEngine
import CollectionLayout
import CollectionUI
import struct FoundationEssentials.IndexPath
import TestSupport
import Views

/// What a program may do wrong with a data source that is asked by index path, and what it is told.
enum ClassicMistake: String, CaseIterable, Codable, Sendable {
  case contradiction, forgottenInsert, forgottenSection, movedAndCounted
  case noSuchItem, noSuchDestination, noSuchSection
  case deletedAndReloaded, reloadedAndMoved, insertedAndMovedTo, deletedTwice, sectionDeletedAndReloaded
  case deletedAndReconfigured
  case shortPath, withoutDataSource, withSnapshots
  case lostInFrame, noHeaders, ownCell, otherCell, otherRegistration, registrationInside, headerRegistrationInside

  /// What is said, without the place in the source.
  var sentence: String {
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
      An index path with 1 indices was named in an update. Name an item by its section and its place there.
      """
    case .withoutDataSource:
      """
      reloadData() was called of a collection view without a dataSource that is asked by index path. Set one before, or \
      apply a snapshot where a diffable data source gives the items.
      """
    case .withSnapshots:
      """
      insertItems(at:) was called of a collection view without a dataSource that is asked by index path. Set one before, \
      or apply a snapshot where a diffable data source gives the items.
      """
    case .lostInFrame:
      """
      The data source of a collection view went away while a cell was asked of it. The view does not keep it alive: keep \
      it as long as the view shows its items.
      """
    case .noHeaders:
      """
      The layout places supplementary views of kind header, and the data source gives none. Implement \
      collectionView(_:viewForSupplementaryElementOfKind:at:).
      """
    case .ownCell: "The provider of section 0, item 0 returned a cell that it did not dequeue for this call."
    case .otherCell:
      "While section 0, item 1 was reconfigured its provider returned another cell than the one it dequeued."
    case .otherRegistration:
      "While item b was reconfigured its provider asked for a cell of another registration."
    case .registrationInside: "A cell registration was made inside a cell provider."
    case .headerRegistrationInside: "A supplementary registration was made inside a provider."
    }
  }

  /// Makes the mistake.
  @MainActor
  func make() {
    let wall = ClassicWall([["a", "b", "c"], ["x", "y"]])
    let (view, source) = (wall.view, wall.source)
    func path(_ item: Int, _ section: Int = 0) -> IndexPath { ClassicWall.path(item, section) }
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
    case .lostInFrame: loseInFrame()
    case .noHeaders:
      view.collectionViewLayout = StackLayout(hasHeaders: true)
      wall.stage.runUntilIdle()
    case .ownCell, .otherCell, .otherRegistration, .registrationInside, .headerRegistrationInside: makeInProvider()
    }
  }

  @MainActor
  private func loseInFrame() {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    let keeper = ForgetfulKeeper(ClassicWall.Source([["a", "b", "c"]]))
    view.delegate = keeper
    view.dataSource = keeper.source
    stage.run(frames: 1)
  }

  @MainActor
  private func makeInProvider() {
    let source = WrongSource(self)
    let registrations = Registrations()
    let view = CollectionView(layout: StackLayout(hasHeaders: self == .headerRegistrationInside))
    let stage = registrations.stage(of: view)
    view.dataSource = source
    stage.run(frames: 1)
    source.isReconfiguring = true
    view.reconfigureItems(at: [ClassicWall.path(1)])
  }
}

/// Keeps a data source until the first cell comes on screen.
private final class ForgetfulKeeper: CollectionViewDelegate {
  var source: ClassicWall.Source?

  init(_ source: ClassicWall.Source) { self.source = source }

  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    source = nil
  }
}

/// Gives cells as a mistake has it.
private final class WrongSource: CollectionViewDataSource {
  let mistake: ClassicMistake
  var isReconfiguring = false
  let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
  let other = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }

  init(_ mistake: ClassicMistake) { self.mistake = mistake }

  func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 2 }

  func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
    let word = ["a", "b"][indexPath.item]
    switch mistake {
    case .ownCell: return WordCell()
    case .registrationInside:
      let inside = CellRegistration<WordCell, String> { _, _, _ in }
      return view.dequeueConfiguredReusableCell(using: inside, for: indexPath, item: word)
    case .otherRegistration where isReconfiguring:
      return view.dequeueConfiguredReusableCell(using: other, for: indexPath, item: word)
    default:
      let cell = view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: word)
      return mistake == .otherCell && isReconfiguring ? WordCell() : cell
    }
  }

  func collectionView(
    _ view: CollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> CollectionReusableView {
    let inside = SupplementaryRegistration<HeaderView>(elementKind: kind) { _, _, _ in }
    return view.dequeueConfiguredReusableSupplementary(using: inside, for: indexPath)
  }
}
