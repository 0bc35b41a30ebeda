import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDataStructures
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

/// Rows of 50 points, whose new items come from attributes and whose deleted ones go to attributes.
private nonisolated struct TransitionRows: SectionLayout {
  var initial: @Sendable (Rect) -> TransitionAttributes? = { _ in nil }
  var final: @Sendable (Rect) -> TransitionAttributes? = { _ in nil }
  var snaps = false
  private var count = 0
  private var width = 0.0

  init(_ change: (inout TransitionRows) -> Void = { _ in }) { change(&self) }

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
    (count, width) = (itemCount, environment.breadth)
  }
  var contentLength: Double { Double(count) * 50 }
  func frame(ofItem item: Int) -> Rect { Rect(x: 0, y: Double(item) * 50, width: width, height: 50) }
  func items(in rect: Rect) -> Range<Int> {
    let first = max(0, min(count, Int(rect.minY / 50)))
    return first..<max(first, min(count, Int(rect.maxY / 50) + 1))
  }
  func targetContentOffset(
    forProposedContentOffset proposed: Double, withScrollingVelocity velocity: Double
  ) -> Double { snaps ? (proposed / 50).rounded() * 50 : proposed }
  func initialLayoutAttributesForAppearingItem(at item: Int) -> TransitionAttributes? { initial(frame(ofItem: item)) }
  func finalLayoutAttributesForDisappearingItem(at item: Int) -> TransitionAttributes? { final(frame(ofItem: item)) }
}

/// Frames are 16 ms apart, and words are in rows of 50 points in a window of 400 by 300.
@Suite("A layout decides from where inserted items come, and where deleted items go")
struct LayoutTransitionTests {
  private func motion(_ change: (inout TransitionRows) -> Void) -> MotionHarness {
    let motion = MotionHarness()
    motion.grid.view.collectionViewLayout = CompositionalLayout(
      section: CollectionLayoutSection(layout: TransitionRows(change)))
    motion.grid.harness.runUntilIdle()
    motion.grid.clearLog()
    return motion
  }

  private func line(of word: String, in motion: MotionHarness) -> String? {
    motion.shown.first { $0.hasPrefix(word + " ") }
  }

  @Test("An inserted item moves from its initial attributes to its frame")
  func insert() {
    let motion = motion { $0.initial = { TransitionAttributes(frame: $0.offset(by: Point(x: -400, y: 0)), alpha: 1) } }
    motion.apply { $0.insertItems(["new"], beforeItem: "w2") }
    #expect(line(of: "new", in: motion) == "new 100 x-400", "opaque, and outside of the window")
    motion.run(4)
    #expect(line(of: "new", in: motion) == "new 100 x-276")
    motion.run(4)
    #expect(line(of: "new", in: motion) == "new 100 x-137")
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == ["w0 0", "w1 50", "new 100", "w2 150", "w3 200", "w4 250"])
  }

  @Test("A deleted item moves to its final attributes, and is gone when it arrives")
  func delete() {
    let motion = motion {
      $0.final = {
        TransitionAttributes(frame: $0.offset(by: Point(x: 400, y: 0)), transform: Transform(scaleX: 1, y: 0.5))
      }
    }
    let cell = motion.grid.cell(of: "w1")
    motion.apply { $0.deleteItems(["w1"]) }
    #expect(line(of: "w1", in: motion) == "w1 50")
    motion.run(8)
    #expect(line(of: "w1", in: motion) == "w1 58 h34 x263", "opaque, to the right, and half as high")
    #expect(motion.grid.log.lines == ["+w6"] && cell?.itemIndex == nil)
    motion.grid.harness.runUntilIdle()
    #expect(motion.grid.log.lines == ["+w6", "-w1"])
    #expect(motion.shown == ["w0 0", "w2 50", "w3 100", "w4 150", "w5 200", "w6 250"])
  }

  @Test("A deleted item whose final attributes are those at which it is displayed is gone immediately")
  func unchangedFinalAttributes() {
    let motion = motion { $0.final = { TransitionAttributes(frame: $0) } }
    motion.apply { $0.deleteItems(["w1"]) }
    #expect(line(of: "w1", in: motion) == nil && motion.grid.log.lines.contains("-w1"))
  }

  @Test("Interrupted, items continue from where they are: an arriving one leaves, a leaving one goes on")
  func interrupted() {
    let motion = motion {
      $0.initial = { TransitionAttributes(frame: $0.offset(by: Point(x: -400, y: 0))) }
      $0.final = { TransitionAttributes(frame: $0.offset(by: Point(x: 400, y: 0))) }
    }
    motion.apply { $0.insertItems(["new"], beforeItem: "w2") }
    motion.run(8)
    #expect(line(of: "new", in: motion) == "new 100 x-137")
    motion.apply { $0.deleteItems(["new"]) }
    #expect(line(of: "new", in: motion) == "new 100 x-112", "as fast as before in the frame of the change")
    motion.run(1)
    #expect(line(of: "new", in: motion) == "new 100 x-78")
    motion.apply { $0.deleteItems(["w0"]) }
    let before = line(of: "new", in: motion)
    motion.run(1)
    #expect([before, line(of: "new", in: motion)] == ["new 100 x-30", "new 100 x23"])
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == ["w1 0", "w2 50", "w3 100", "w4 150", "w5 200", "w6 250"])
    #expect(motion.grid.log.lines.filter { $0.hasPrefix("-") }.sorted() == ["-new", "-w0"])
  }

  @Test("A rotated item is drawn as an image that turns upright")
  func rotation() throws {
    let motion = motion {
      $0.initial = { TransitionAttributes(frame: $0, transform: Transform(rotationAngle: .pi / 2)) }
    }
    func image() -> DrawCommand? {
      motion.grid.harness.display.frames.last?.commands.first {
        $0.kind == .texture && $0.destination.width >= 50
      }
    }
    motion.apply { $0.insertItems(["new"], beforeItem: "w2") }
    let first = try #require(image())
    #expect(line(of: "new", in: motion) == nil)
    // The row from 100 to 150, upright about (200, 125).
    #expect(first.destination.width == 50 && first.destination.height == 400)
    #expect(first.destination.x == 175 && first.destination.y == -75)
    motion.run(8)
    let second = try #require(image())
    #expect(second.destination.width > 300 && second.destination.height < 300, "\(second.destination)")
    motion.grid.harness.runUntilIdle()
    #expect(image() == nil && line(of: "new", in: motion) == "new 100")
  }

  @Test("Handlers of a section apply to its headers, which are deleted with the section")
  func headers() throws {
    let view = CollectionView(
      layout: CompositionalLayout { _, environment in
        var configuration = CollectionLayoutListConfiguration(appearance: .plain)
        configuration.rowHeight = .absolute(50)
        configuration.headerMode = .supplementary
        configuration.showsSeparators = false
        var section = CollectionLayoutSection.list(using: configuration, layoutEnvironment: environment)
        section.boundarySupplementaryItems[0].pinToVisibleBounds = false
        section.initialLayoutAttributesHandler = { element, attributes, _ in
          if case .element = element { (attributes.frame.origin.x, attributes.alpha) = (-400, 1) }
        }
        section.finalLayoutAttributesHandler = { element, attributes, _ in
          if case .element = element { (attributes.frame.origin.x, attributes.alpha) = (400, 1) }
        }
        return section
      })
    let harness = WindowHarness(root: view, size: Size(width: 400, height: 300))
    let actions = FrameActions()
    harness.window.addFirstParticipant(actions)
    harness.window.addParticipant(view)
    let cells = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    let headers = SupplementaryRegistration<ColoredHeader>(
      elementKind: CollectionLayoutListConfiguration.headerKind
    ) { _, _, _ in }
    let source = DiffableDataSource<Int, String>(collectionView: view) { view, path, word in
      view.dequeueConfiguredReusableCell(using: cells, for: path, item: word)
    }
    source.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: headers, for: path)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(["a"])
    source.apply(snapshot)
    harness.runUntilIdle()
    func edges() -> [Int32] {
      (harness.display.frames.last?.commands ?? []).filter { $0.kind == .fill && $0.color == ColoredHeader.color }
        .map(\.destination.x).sorted()
    }
    #expect(edges() == [0])
    snapshot.appendSections([1])
    snapshot.appendItems(["b"])
    func applyInFrame(_ snapshot: DiffableDataSourceSnapshot<Int, String>, then frames: Int) {
      actions.pending.append { source.apply(snapshot, animatingDifferences: true) }
      harness.run(frames: 1 + frames)
    }
    applyInFrame(snapshot, then: 1)
    #expect(edges().count == 2 && edges()[0] < -300 && edges()[1] == 0, "\(edges())")
    harness.runUntilIdle()
    #expect(edges() == [0, 0])
    snapshot.deleteSections([1])
    applyInFrame(snapshot, then: 8)
    #expect(edges().count == 2 && edges()[0] == 0 && edges()[1] > 200, "\(edges())")
    harness.runUntilIdle()
    #expect(edges() == [0])
  }

  @Test("Random updates end at the frames of the layout, whatever the attributes", arguments: 0..<4 as Range<UInt64>)
  func randomUpdates(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let motion = motion {
      $0.initial = {
        TransitionAttributes(
          frame: $0.offset(by: Point(x: $0.minY * 3 - 500, y: -80)), alpha: 0.3, transform: Transform(scaleX: 2, y: 0.1)
        )
      }
      $0.final = { TransitionAttributes(frame: $0.offset(by: Point(x: 0, y: 500)), alpha: 0.9) }
    }
    var next = 0
    for _ in 0..<40 {
      let (position, kind) = (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<3, using: &random))
      motion.apply { snapshot in
        let words = snapshot.itemIdentifiers
        switch kind {
        case 0:
          snapshot.insertItems(["n\(next)"], beforeItem: words[position])
          next += 1
        case 1: snapshot.deleteItems([words[position]])
        default: snapshot.moveItem(words[position], afterItem: words[9])
        }
      }
      motion.run(Int.random(in: 0..<6, using: &random))
    }
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == motion.grid.shown.enumerated().map { "\($1) \($0 * 50)" })
    #expect(motion.grid.log.displayed.count == 6)
  }
}

/// A header of one color.
private final class ColoredHeader: CollectionReusableView {
  static let color = Color(hex: 0x123456)

  override func draw(in context: DrawContext) { context.fill(bounds, ColoredHeader.color) }
}

@Suite("A layout decides where a drag or a fling ends")
struct TargetContentOffsetTests {
  private func makeGrid(snaps: Bool = true) -> WordGrid {
    let grid = WordGrid(WordGrid.words(0..<200))
    grid.view.collectionViewLayout = CompositionalLayout(
      section: CollectionLayoutSection(layout: TransitionRows { $0.snaps = snaps }))
    grid.harness.runUntilIdle()
    return grid
  }

  /// Returns the offset before the release.
  @discardableResult
  private func swipe(_ grid: WordGrid, by step: Double, frames: Int = 5, pause: Int = 0) -> Double {
    func touch(_ phase: TouchInput.Phase, _ y: Double) {
      grid.harness.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: 200, y: y))))
      grid.harness.run(frames: 1)
    }
    touch(.began, 280)
    for frame in 1...frames { touch(.moved, 280 - step * Double(frame)) }
    grid.harness.run(frames: pause)
    let offset = grid.view.contentOffset
    touch(.ended, 280 - step * Double(frames))
    return offset
  }

  @Test("A fling ends at a row, without a jump or a return", arguments: [9.0, 23, 40])
  func fling(step: Double) {
    let grid = makeGrid()
    swipe(grid, by: step)
    #expect(grid.view.scroll.projectedOffset.truncatingRemainder(dividingBy: 50) == 0)
    var (last, isSteady) = (grid.view.contentOffset, true)
    while grid.view.isScrolling {
      grid.harness.run(frames: 1)
      isSteady = isSteady && grid.view.contentOffset >= last && grid.view.contentOffset - last < 80
      last = grid.view.contentOffset
    }
    #expect(isSteady && last > 0 && last.truncatingRemainder(dividingBy: 50) == 0, "\(last)")
  }

  @Test("A drag that is released at rest goes to the nearest row")
  func slowRelease() {
    for step in [4.0, 12, 20, 26] {
      let grid = makeGrid()
      let offset = swipe(grid, by: step, pause: 30)
      grid.harness.runUntilIdle()
      #expect(offset > 0 && grid.view.contentOffset == (offset / 50).rounded() * 50, "\(step): \(offset)")
    }
  }

  @Test("Content insets count as they do for the start of the content, and the ends are limits")
  func insets() {
    let grid = makeGrid()
    grid.view.contentInset = Insets(top: 30, left: 0, bottom: 17, right: 0)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == -30)
    swipe(grid, by: 14, pause: 30)
    grid.harness.runUntilIdle()
    #expect((grid.view.contentOffset + 30).truncatingRemainder(dividingBy: 50) == 0 && grid.view.contentOffset > -30)
    grid.view.setContentOffset(.infinity, animated: false)
    grid.harness.runUntilIdle()
    let end = grid.view.contentOffset
    #expect(end == 200 * 50 - 300 + 17)
    swipe(grid, by: 2, pause: 30)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == end)
  }

  @Test("The delegate has the last word, and a layout that does not decide has no effect")
  func delegate() {
    final class Delegate: ScrollViewDelegate {
      var proposed: [Double] = []
      func scrollViewWillEndDragging(
        _ view: ScrollView, withVelocity velocity: Double, targetContentOffset: inout Double
      ) {
        proposed.append(targetContentOffset)
        targetContentOffset = 333
      }
    }
    let grid = makeGrid()
    let delegate = Delegate()
    grid.view.scrollDelegate = delegate
    swipe(grid, by: 20)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 333 && delegate.proposed.count == 1)
    #expect(delegate.proposed[0].truncatingRemainder(dividingBy: 50) == 0)
    let (plain, undecided) = (WordGrid(WordGrid.words(0..<200)), makeGrid(snaps: false))
    for grid in [plain, undecided] { swipe(grid, by: 20) }
    for grid in [plain, undecided] { grid.harness.runUntilIdle() }
    #expect(plain.view.contentOffset == undecided.view.contentOffset && plain.view.contentOffset > 100)
    #expect(!plain.view.adjustsTargetContentOffset && undecided.view.adjustsTargetContentOffset)
    undecided.view.collectionViewLayout = WordGrid.layout(columns: 1)
    #expect(!undecided.view.adjustsTargetContentOffset, "decided when a layout is set")
  }

  @Test("After a trackpad's fling, the release is that of the last movement")
  func trackpad() {
    let grid = makeGrid()
    for _ in 0..<6 {
      grid.harness.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 100), deltaX: 0.03, deltaY: -3.37)))
      grid.harness.run(frames: 1)
    }
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset > 0 && grid.view.contentOffset.truncatingRemainder(dividingBy: 50) == 0)
  }
}
