import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import TestSupport
import Testing
import Threads
import Views

/// What a layout's closure may ask of the view.
enum LayoutQuestion: String, CaseIterable, Codable, Sendable {
  case count, frame, cell, path, item, invalidation, apply, scroll

  @MainActor
  func ask(_ wall: NumberWall) {
    switch self {
    case .count: _ = wall.view.itemCount
    case .frame: _ = wall.view.frameOfItem(at: [0, 0])
    case .cell: _ = wall.view.cellForItem(at: [0, 0])
    case .path: _ = wall.view.indexPath(at: 0)
    case .item: _ = wall.view.indexPathForItem(at: Point(x: 1, y: 1))
    case .invalidation: wall.view.invalidateLayout()
    case .apply: wall.apply { $0.deleteAllItems() }
    case .scroll: wall.view.scrollToItem(at: [0, 0], at: .top, animated: false)
    }
  }
}

/// A layout whose closures ask the view, once they are told what.
@MainActor
struct AskingLayout {
  private nonisolated final class Asker: Sendable {
    let ask = Lock<(@Sendable () -> Void)?>(nil)
    func run() { ask.withLock { $0 }?() }
  }

  private let asker = Asker()

  /// Rows whose heights come from the shapes of pictures.
  var justified: CompositionalLayout {
    CompositionalLayout(
      section: .justified(targetRowHeight: 70, spacing: 0, lineSpacing: 0) { [asker] _ in
        asker.run()
        return 1
      })
  }

  /// Rows that are told in which section they are.
  var sections: CompositionalLayout {
    CompositionalLayout { [asker] _, _ in
      asker.run()
      return .grid(columns: .count(2))
    }
  }

  /// A grid with a handler of what is seen.
  var handled: CompositionalLayout {
    var section = CollectionLayoutSection.grid(columns: .count(2))
    section.visibleItemsInvalidationHandler = { [asker] _, _, _ in asker.run() }
    return CompositionalLayout(section: section)
  }

  func start(_ question: LayoutQuestion, _ wall: NumberWall) {
    nonisolated struct Held: @unchecked Sendable {
      // @unchecked: layouts are solved on the main thread, where both belong.
      let wall: NumberWall
    }
    let held = Held(wall: wall)
    asker.ask.withLock { $0 = { MainActor.assumeIsolated { question.ask(held.wall) } } }
  }
}

@Suite("A layout's closures cannot ask the view for which it is being solved")
struct LayoutClosureTests {
  @MainActor
  static func ask(_ question: LayoutQuestion, changes: Bool) {
    let layout = AskingLayout()
    let wall = NumberWall([Array(0..<40)], layout: changes ? layout.justified : layout.sections)
    layout.start(question, wall)
    // Changing a solution, and making one.
    if changes { wall.view.invalidateItems(at: [[0, 3]]) } else { wall.view.invalidateLayout() }
    wall.stage.runUntilIdle()
  }

  @Test(
    "Each question stops the program with a sentence that says what to do", arguments: LayoutQuestion.allCases,
    [true, false])
  func trap(question: LayoutQuestion, changes: Bool) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [question, changes] in
      await LayoutClosureTests.ask(question, changes: changes)
    }
    try Misuse.expect(
      result,
      says: """
        A closure of a layout asked its collection view for items or places, or changed them, while the layout was being \
        solved: nothing of that is known then. Answer from the index and the environment that the closure is given, and \
        from facts that collectionViewWillPrepareLayout(_:) handed over.
        """)
  }

  @Test("Handlers of what is seen may ask", arguments: [LayoutQuestion.count, .frame, .cell, .path, .item])
  func handlers(question: LayoutQuestion) {
    let layout = AskingLayout()
    let wall = NumberWall([Array(0..<40)], layout: layout.handled)
    layout.start(question, wall)
    wall.scroll(to: 40)
    #expect(!wall.shown.isEmpty)
  }

  @Test("So may the delegate that is told that a layout will be solved")
  func delegate() {
    final class Asker: CollectionViewDelegate {
      var counts: [Int] = []
      func collectionViewWillPrepareLayout(_ view: CollectionView) { counts.append(view.itemCount) }
    }
    let asker = Asker()
    let wall = NumberWall([Array(0..<40)], layout: AskingLayout().sections)
    wall.view.delegate = asker
    wall.view.invalidateLayout()
    #expect(asker.counts == [40])
  }
}
