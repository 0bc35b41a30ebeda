import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A cell is called in the order of its life")
struct CallOrderTests {
  /// What is called, in its order.
  final class Log {
    var lines: [String] = []
    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  /// A cell that writes down what it is asked and told.
  final class Cell: CollectionViewCell {
    static let parts = 2
    var item = -1
    var log: Log?

    override func prepareForReuse() {
      super.prepareForReuse()
      log?.lines.append("reuse \(item)")
    }
    override func updateConfiguration(using state: CellConfigurationState) {
      log?.lines.append("state \(item)\(state.isSelected ? " selected" : "")")
    }
    override var preparationSteps: Int { Cell.parts }
    override func prepare(step: Int) { log?.lines.append("part \(step) of \(item)") }
    override func layoutSubviews() { log?.lines.append("layout \(item)") }
    override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
      log?.lines.append("size \(item)")
      return attributes
    }
    override func draw(in context: DrawContext) { log?.lines.append("draw \(item)") }
  }

  /// Rows of an estimated height of 100 points on a screen of 300.
  private final class Wall: CollectionViewDelegate {
    let view: CollectionView
    let stage: WindowHarness
    let source: DiffableDataSource<Int, Int>
    let log = Log()

    init() {
      let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(100))
      let section = CollectionLayoutSection(
        group: .vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)]))
      let view = CollectionView(layout: CompositionalLayout(section: section))
      self.view = view
      stage = WindowHarness(root: view)
      stage.window.addParticipant(view)
      let log = log
      let registration = CellRegistration<Cell, Int> { cell, path, item in
        cell.log = log
        cell.item = item
        log.lines.append("configure \(item) at \(path.item)")
      }
      source = DiffableDataSource(collectionView: view) { view, path, item in
        log.lines.append("ask \(item)")
        let cell = view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
        log.lines.append("give \(item)")
        return cell
      }
      view.delegate = self
      view.isCellPrefetchingEnabled = false
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
      stage.runUntilIdle()
    }
  }

  private static func preparation(of item: Int, at place: Int, reusing other: Int? = nil) -> [String] {
    let reuse = other.map { ["reuse \($0)"] } ?? []
    return ["ask \(item)"] + reuse + [
      "configure \(item) at \(place)", "state \(item)", "give \(item)", "part 0 of \(item)", "part 1 of \(item)",
      "layout \(item)", "size \(item)",
    ]
  }

  @Test("A new one: configured, told its state, done in parts, laid out, asked for its size, shown, drawn")
  func new() {
    let wall = Wall()
    wall.apply {
      $0.appendSections([0])
      $0.appendItems([7])
    }
    #expect(wall.log.take() == Self.preparation(of: 7, at: 0) + ["show 7 at 0", "draw 7"])
  }

  @Test("One that is used again ends its display and is emptied first")
  func reused() {
    let wall = Wall()
    wall.apply {
      $0.appendSections([0])
      $0.appendItems([7])
    }
    _ = wall.log.take()
    wall.apply {
      $0.deleteItems([7])
      $0.appendItems([8])
    }
    #expect(wall.log.take() == ["end 7 at 0"] + Self.preparation(of: 8, at: 0, reusing: 7) + ["show 8 at 0", "draw 8"])
  }

  @Test("One that is reconfigured is neither emptied nor shown anew; one that is reloaded is another")
  func again() {
    let wall = Wall()
    wall.apply {
      $0.appendSections([0])
      $0.appendItems([7, 8])
    }
    _ = wall.log.take()
    wall.apply { $0.reconfigureItems([8]) }
    let lines = wall.log.take()
    #expect(
      lines.prefix(6) == ["ask 8", "configure 8 at 1", "state 8", "give 8", "part 0 of 8", "part 1 of 8"], "\(lines)")
    #expect(lines.contains("size 8") && !lines.contains { $0.hasPrefix("show") || $0.hasPrefix("reuse") })
    wall.apply { $0.reloadItems([8]) }
    #expect(wall.log.take() == Self.preparation(of: 8, at: 1) + ["end 8 at 1", "show 8 at 1", "draw 8"])
  }

  @Test("Prepared ahead all of that is done when it comes on screen, and it is shown alone")
  func ahead() {
    let wall = Wall()
    wall.view.isCellPrefetchingEnabled = true
    wall.apply {
      $0.appendSections([0])
      $0.appendItems(Array(0..<4))
    }
    #expect(
      wall.log.take().filter { $0.hasSuffix(" 3") || $0.hasPrefix("configure 3") } == [
        "ask 3", "configure 3 at 3", "state 3", "give 3", "part 0 of 3", "part 1 of 3", "layout 3", "size 3", "draw 3",
      ])
    wall.view.scroll(to: 100, animated: false)
    wall.stage.run(frames: 1)
    #expect(wall.log.take() == ["end 0 at 0", "show 3 at 3"])
  }
}
