import CollectionUI
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Files from other programs are dropped on a collection view")
struct FileDropTests {
  private final class Delegate: CollectionViewDelegate {
    var drops: [(paths: [String], item: Int?)] = []
    var isUsed = true

    func collectionView(
      _ view: CollectionView, performDropOf files: [DroppedFile], at indexPath: IndexPath?
    ) -> Bool {
      drops.append((files.map(\.path), indexPath?.item))
      return isUsed
    }
  }

  /// A superview that records how many files it receives.
  private final class Root: View {
    var received = 0

    override func handle(_ event: InputEvent) -> Bool {
      guard case .filesDropped(let paths) = event.kind else { return false }
      received += paths.count
      return true
    }
  }

  @Test("The delegate gets the files and the item beneath the pointer, or none; what it declines goes to superviews")
  func drops() {
    let view = CollectionView(layout: GridLayout(columns: .count(4)))
    let cell = CellRegistration<CollectionViewCell, Int> { _, _, _ in }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, number in
      view.dequeueConfiguredReusableCell(using: cell, for: path, item: number)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<6))
    source.apply(snapshot)
    let (root, delegate) = (Root(), Delegate())
    root.addSubview(view)
    view.frame = Rect(x: 0, y: 0, width: 400, height: 300)
    view.delegate = delegate
    let harness = WindowHarness(root: root)
    harness.window.addParticipant(view)
    // The keyboard focus is elsewhere: a drop goes where the pointer is.
    harness.window.firstResponder = root
    harness.runUntilIdle()
    func drop(_ paths: [String], at point: Point) {
      harness.sendEvent(.pointerMoved(point))
      harness.sendEvent(.filesDropped(paths.map { Array($0.utf8) }))
      harness.run(frames: 1)
    }
    drop(["/a.jpg", "/b"], at: Point(x: 250, y: 25))
    #expect(delegate.drops.last?.paths == ["/a.jpg", "/b"] && delegate.drops.last?.item == 2)
    drop(["/c"], at: Point(x: 390, y: 290))
    #expect(delegate.drops.count == 2 && delegate.drops.last?.item == nil && root.received == 0)
    delegate.isUsed = false
    drop(["/d"], at: Point(x: 50, y: 25))
    #expect(delegate.drops.count == 3 && delegate.drops.last?.item == 0 && root.received == 1)
    withExtendedLifetime(source) {}
  }
}
