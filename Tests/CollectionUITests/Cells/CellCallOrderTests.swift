import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("A cell receives its calls in the order of its lifecycle")
struct CellCallOrderTests {
  /// The calls in order.
  final class Log {
    var lines: [String] = []
    func takeLines() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  /// A cell that records its calls.
  final class Cell: CollectionViewCell {
    static let stepCount = 2
    var item = -1
    var log: Log?

    override func willEnterReusePool() { log?.lines.append("pool \(item)") }
    override func prepareForReuse() {
      super.prepareForReuse()
      log?.lines.append("reuse \(item)")
    }
    override func updateConfiguration(using state: CellConfigurationState) {
      log?.lines.append("state \(item)\(state.isSelected ? " selected" : "")")
    }
    override var preparationSteps: Int { Cell.stepCount }
    override func prepare(step: Int) { log?.lines.append("step \(step) of \(item)") }
    override func layoutSubviews() { log?.lines.append("layout \(item)") }
    override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
      log?.lines.append("size \(item)")
      return attributes
    }
    override func draw(in context: DrawContext) { log?.lines.append("draw \(item)") }
  }

  /// A grid of rows with an estimated height of 100 points in a view of 300 points.
  private final class LoggingGrid: CollectionViewDelegate {
    let view: CollectionView
    let harness: WindowHarness
    let source: DiffableDataSource<Int, Int>
    let log = Log()

    init() {
      let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(100))
      let section = CollectionLayoutSection(
        group: .vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)]))
      let view = CollectionView(layout: CompositionalLayout(section: section))
      self.view = view
      harness = WindowHarness(root: view)
      harness.window.addParticipant(view)
      let log = log
      let registration = CellRegistration<Cell, Int> { cell, path, item in
        cell.log = log
        cell.item = item
        log.lines.append("configure \(item) at \(path.item)")
      }
      source = DiffableDataSource(collectionView: view) { view, path, item in
        log.lines.append("request \(item)")
        let cell = view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
        log.lines.append("return \(item)")
        return cell
      }
      view.delegate = self
      DemonstrationSwitches(view).isCellPrefetchingEnabled = false
    }

    func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
      log.lines.append("show \((cell as? Cell)?.item ?? -1) at \(indexPath.item)")
    }
    func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
      log.lines.append("end \((cell as? Cell)?.item ?? -1) at \(indexPath.item)")
    }

    func apply(_ change: (inout DiffableDataSource<Int, Int>.Snapshot) -> Void) {
      var snapshot = source.snapshot()
      change(&snapshot)
      source.apply(snapshot, animatingDifferences: false)
      harness.runUntilIdle()
    }
  }

  private static func preparationCalls(of item: Int, at index: Int, reusing other: Int? = nil) -> [String] {
    let reuse = other.map { ["reuse \($0)"] } ?? []
    return ["request \(item)"] + reuse + [
      "configure \(item) at \(index)", "state \(item)", "return \(item)", "step 0 of \(item)", "step 1 of \(item)",
      "layout \(item)", "size \(item)",
    ]
  }

  @Test("A new cell is configured, updated with its state, prepared in steps, laid out, measured, displayed and drawn")
  func newCell() {
    let grid = LoggingGrid()
    grid.apply {
      $0.appendSections([0])
      $0.appendItems([7])
    }
    #expect(grid.log.takeLines() == Self.preparationCalls(of: 7, at: 0) + ["show 7 at 0", "draw 7"])
  }

  @Test("A reused cell ends its display, enters the pool and is prepared for reuse first")
  func reusedCell() {
    let grid = LoggingGrid()
    grid.apply {
      $0.appendSections([0])
      $0.appendItems([7])
    }
    _ = grid.log.takeLines()
    grid.apply {
      $0.deleteItems([7])
      $0.appendItems([8])
    }
    #expect(
      grid.log.takeLines() == ["end 7 at 0", "pool 7"] + Self.preparationCalls(of: 8, at: 0, reusing: 7) + [
        "show 8 at 0", "draw 8",
      ])
  }

  @Test("A reconfigured cell is neither prepared for reuse nor displayed again, and a reloaded item gets another cell")
  func reconfigureAndReload() {
    let grid = LoggingGrid()
    grid.apply {
      $0.appendSections([0])
      $0.appendItems([7, 8])
    }
    _ = grid.log.takeLines()
    grid.apply { $0.reconfigureItems([8]) }
    let lines = grid.log.takeLines()
    #expect(
      lines.prefix(6) == ["request 8", "configure 8 at 1", "state 8", "return 8", "step 0 of 8", "step 1 of 8"],
      "\(lines)")
    #expect(lines.contains("size 8") && !lines.contains { $0.hasPrefix("show") || $0.hasPrefix("reuse") })
    grid.apply { $0.reloadItems([8]) }
    #expect(
      grid.log.takeLines() == Self.preparationCalls(of: 8, at: 1) + ["end 8 at 1", "pool 8", "show 8 at 1", "draw 8"])
  }

  @Test("A cell prepared ahead only needs to be displayed when it enters the viewport")
  func preparedCell() {
    let grid = LoggingGrid()
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    grid.apply {
      $0.appendSections([0])
      $0.appendItems(Array(0..<4))
    }
    #expect(
      grid.log.takeLines().filter { $0.hasSuffix(" 3") || $0.hasPrefix("configure 3") } == [
        "request 3", "configure 3 at 3", "state 3", "return 3", "step 0 of 3", "step 1 of 3", "layout 3", "size 3",
        "draw 3",
      ])
    grid.view.scroll(to: 100, animated: false)
    grid.harness.run(frames: 1)
    #expect(grid.log.takeLines() == ["end 0 at 0", "show 3 at 3"])
  }
}
