import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDataStructures
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("A frame that only moves visible items makes no layout query and displays what the layout would return")
struct SteadyScrollingTests {
  /// The layouts under test.
  nonisolated enum Kind: CaseIterable {
    case grid, list, mosaic, justified, columns, orthogonal

    var layout: CompositionalLayout {
      switch self {
      case .grid:
        CompositionalLayout(section: .grid(columns: .count(3), columnSpacing: 7, rowSpacing: 9, heightRatio: 0.4))
      case .list: CompositionalLayout(section: CollectionLayoutSection(group: Kind.row(height: 44)))
      case .mosaic: CompositionalLayout(section: .mosaic(spacing: 4))
      case .justified:
        CompositionalLayout(
          section: .justified(targetRowHeight: 70, spacing: 5, lineSpacing: 6) { [0.5, 1, 1.5, 2.5, 1.2][$0 % 5] })
      case .columns:
        CompositionalLayout(
          section: .justified(targetRowHeight: 33, spacing: 0, lineSpacing: 0) { [0.3, 3, 1, 0.9][$0 % 4] })
      case .orthogonal:
        CompositionalLayout { section, _ in
          var orthogonal = CollectionLayoutSection(group: Kind.row(height: 60, width: .fractionalWidth(0.3)))
          if section % 2 == 0 { orthogonal.orthogonalScrollingBehavior = .continuous }
          return orthogonal
        }
      }
    }

    private nonisolated static func row(height: Double, width: CollectionLayoutDimension = .fractionalWidth(1))
      -> CollectionLayoutGroup
    {
      let size = CollectionLayoutSize(width: width, height: .absolute(height))
      return .vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    }
  }

  @Test("Every frame displays the layout's items at the layout's frames", arguments: Kind.allCases)
  func framesMatchLayout(kind: Kind) {
    var random = SplitMix64(seed: 31)
    for scale in [1.0, 1.5] {
      let sections = (0..<6).map { section in Array(section * 40..<(section + 1) * 40) }
      let grid = NumberGrid(sections, layout: kind.layout)
      let pixels = DisplayScale(pixelsPerPoint: scale)
      grid.harness.resize(to: Size(width: 401, height: 299), scale: pixels)
      grid.harness.runUntilIdle()
      var solution = kind.layout.solved(
        in: LayoutEnvironment(containerSize: Size(width: 401, height: 299), scale: pixels),
        for: ItemCounts(sections.map(\.count)))
      while !solution.areFramesFinal { _ = solution.finalizeFrames(itemBudget: 1_000) }
      for step in 0..<160 {
        let distance = step % 40 == 39 ? 900.0 : 12
        grid.scroll(to: grid.view.contentOffset + Double.random(in: -distance * 0.4...distance, using: &random))
        var expected: [Int] = []
        solution.visitItems(in: grid.view.visibleRect) { expected += $0 }
        #expect(grid.shown == expected)
        let drawn = Set(grid.harness.lastFrameCommands.filter { $0.hasPrefix("fill") }.map { $0.prefix { $0 != "#" } })
        for item in expected {
          let rect = pixels.pixelRect(solution.frame(ofItem: item).offset(by: Point.zero - grid.view.contentOrigin))
          #expect(drawn.contains("fill \(rect.x),\(rect.y) \(rect.width)x\(rect.height) "))
        }
      }
    }
  }

  @Test("The layout is queried only if a row enters or leaves")
  func itemQueries() {
    let layout = StackLayout(facts: .init(heights: Array(repeating: 50, count: 400)))
    let stack = NumberStack([("a", Array(0..<400))], layout: layout)
    stack.scroll(to: 1_010)
    let before = layout.facts.current.itemQueries
    for offset in stride(from: 1_011.0, through: 1_049, by: 1) { stack.scroll(to: offset) }
    #expect(layout.facts.current.itemQueries == before)
    #expect(stack.shown == Array(20..<27))
    stack.scroll(to: 1_051)
    #expect(layout.facts.current.itemQueries > before)
    #expect(stack.shown == Array(21..<28))
  }

  @Test("A pinned view follows in every frame")
  func pinnedHeader() {
    var layout = StackLayout(facts: .init(heights: Array(repeating: 50, count: 40)))
    layout.hasHeaders = true
    let stack = NumberStack([("a", Array(0..<20)), ("b", Array(20..<40))], layout: layout)
    for offset in stride(from: 10.0, through: 40, by: 5) {
      stack.scroll(to: offset)
      #expect(stack.shownHeaders == ["a 20 at 0, pinned"])
    }
  }

  @Test("Scrolling and pinned headers need no layout queries")
  func itemQueriesWithHeaders() {
    var layout = StackLayout(facts: .init(heights: Array(repeating: 50, count: 400)))
    (layout.hasHeaders, layout.hasBackgrounds) = (true, true)
    let stack = NumberStack([("a", Array(0..<200)), ("b", Array(200..<400))], layout: layout)
    stack.scroll(to: 1_041)
    #expect(stack.shownHeaders == ["a 200 at 0, pinned"])
    let before = layout.facts.current.itemQueries
    for offset in stride(from: 1_042.0, through: 1_079, by: 1) {
      stack.scroll(to: offset)
      #expect(stack.shownHeaders == ["a 200 at 0, pinned"])
    }
    #expect(layout.facts.current.itemQueries == before)
    // A tap hits the header where it is displayed.
    let header = stack.view.visibleSupplementaryViews(ofKind: "header").first
    #expect(stack.view.hitTest(Point(x: 10, y: 10)) === header && header?.frameInWindow.minY == 0)
    stack.scroll(to: 1_081)
    #expect(layout.facts.current.itemQueries > before)
  }

  @Test("Every frame displays pushed and pinned headers at the layout's frames")
  func headersMatchLayout() {
    var random = SplitMix64(seed: 77)
    for scale in [1.0, 2] {
      var layout = StackLayout(facts: .init(heights: (0..<240).map { Double(30 + $0 * 7 % 50) }))
      (layout.hasHeaders, layout.hasBackgrounds) = (true, true)
      let stack = NumberStack((0..<24).map { ("s\($0)", Array($0 * 10..<($0 + 1) * 10)) }, layout: layout)
      let pixels = DisplayScale(pixelsPerPoint: scale)
      stack.harness.resize(to: Size(width: 401, height: 299), scale: pixels)
      stack.harness.runUntilIdle()
      let counts = ItemCounts(Array(repeating: 10, count: 24))
      let solution = layout.solved(
        in: LayoutEnvironment(containerSize: Size(width: 401, height: 299), scale: pixels), for: counts)
      for step in 0..<400 {
        let distance = step % 50 == 49 ? 900.0 : 9
        stack.scroll(to: stack.view.contentOffset + Double.random(in: -distance * 0.4...distance, using: &random))
        var expected: [ElementAttributes] = []
        solution.appendElements(in: stack.view.visibleRect, to: &expected)
        for element in expected {
          guard case .supplementary(let kind) = element.identity.kind, let section = element.identity.section else {
            continue
          }
          let view = stack.view.supplementaryView(forElementKind: kind, at: [section, element.identity.item])
          #expect(view?.frame == element.frame, "\(element.identity) at \(stack.view.contentOffset)")
          #expect((view as? HeaderView)?.isPinned == element.isPinned)
        }
        let drawn = stack.harness.lastFrameCommands.filter { $0.hasPrefix("fill") }
        for element in expected {
          let rect = pixels.pixelRect(element.frame.offset(by: Point.zero - stack.view.contentOrigin))
          #expect(drawn.contains { $0.hasPrefix("fill \(rect.x),\(rect.y) \(rect.width)x\(rect.height) ") })
        }
      }
    }
  }

  @Test("The delegate is called once a frame for each scroll")
  func delegateCalls() {
    let grid = WordGrid(WordGrid.words(0..<200))
    grid.scroll(to: 10)
    let before = grid.log.scrolls
    for offset in 11...40 { grid.scroll(to: Double(offset)) }
    #expect(grid.log.scrolls == before + 30)
    grid.harness.run(frames: 3)
    #expect(grid.log.scrolls == before + 30)
  }

  @Test("Deleted items are not drawn")
  func deletedItems() {
    let grid = WordGrid(WordGrid.words(0..<200))
    grid.scroll(to: 10)
    grid.apply { $0.deleteAllItems() }
    grid.harness.runUntilIdle()
    #expect(grid.harness.lastFrameCommands.filter { $0.hasPrefix("fill") }.isEmpty)
  }
}

// MARK: - Resampling

@Suite("Content that is moved once more before its frame is presented has the cells of its final offset")
struct ResampledScrollTests {
  /// A grid of numbers on a manually advanced clock.
  private final class TimedGrid {
    let view: CollectionView
    let harness: TimerWindowHarness
    let source: DiffableDataSource<Int, Int>

    init(_ layout: any CollectionLayout) {
      let view = CollectionView(layout: layout)
      self.view = view
      harness = TimerWindowHarness(root: view)
      harness.window.addParticipant(view)
      let registration = CellRegistration<NumberGrid.Cell, Int> { cell, _, number in cell.number = number }
      source = DiffableDataSource(collectionView: view) { view, path, item in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
      }
      var snapshot = source.snapshot()
      for section in 0..<6 {
        snapshot.appendSections([section])
        snapshot.appendItems(Array(section * 40..<(section + 1) * 40), toSection: section)
      }
      source.apply(snapshot)
      harness.run(frames: 30)
    }

    func scrollWheel(by notches: Double, after delay: FrameDuration) {
      let wheel = WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -notches)
      harness.events.append(.wheel(wheel), at: harness.clock.now() + delay)
    }
  }

  @Test("Every frame displays the layout's items at the layout's frames", arguments: SteadyScrollingTests.Kind.allCases)
  func framesMatchLayout(kind: SteadyScrollingTests.Kind) {
    var random = SplitMix64(seed: 77)
    let grid = TimedGrid(kind.layout)
    grid.view.notchDistance = 24
    let sections = (0..<6).map { _ in 40 }
    var solution = kind.layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 400, height: 300), scale: .one), for: ItemCounts(sections))
    while !solution.areFramesFinal { _ = solution.finalizeFrames(itemBudget: 1_000) }
    var (resampledFrames, forward) = (0, true)
    for _ in 0..<240 {
      if grid.view.contentOffset > grid.view.contentLength - 700 { forward = false }
      if grid.view.contentOffset < 100 { forward = true }
      grid.scrollWheel(by: forward ? 1 : -1, after: .milliseconds(.random(in: 1...15, using: &random)))
      let before = grid.view.statistics
      grid.harness.run(frames: 1)
      let record = grid.harness.loop.history.record(atAge: 0)
      // If resampling was rejected, the next frame displays the change.
      if record.isInputResampled { resampledFrames += 1 } else { grid.harness.run(frames: 1) }
      if record.cellsEntered == 0 { #expect(grid.view.statistics.preparedForced == before.preparedForced) }
      let drawn = Set(
        (grid.harness.display.frames.last?.commands ?? []).map(\.description).filter { $0.hasPrefix("fill") }
          .map { $0.prefix { $0 != "#" } })
      let origin = grid.view.contentOrigin
      solution.visitItems(in: Rect(origin: origin, size: grid.view.bounds.size)) { items in
        for item in items {
          let rect = DisplayScale.one.pixelRect(solution.frame(ofItem: item).offset(by: Point.zero - origin))
          #expect(drawn.contains("fill \(rect.x),\(rect.y) \(rect.width)x\(rect.height) "))
        }
      }
    }
    #expect(resampledFrames > 20)
  }

  @Test("A frame is not resampled if a row would enter, which follows in the next frame")
  func enteringRow() {
    let grid = TimedGrid(StackLayout(facts: .init(heights: Array(repeating: 50, count: 240))))
    grid.view.notchDistance = 400
    grid.scrollWheel(by: 1, after: .zero)
    grid.harness.run(frames: 2)
    var rejected = 0
    for _ in 0..<6 {
      let time = grid.harness.clock.now() + .milliseconds(6)
      grid.scrollWheel(by: 1, after: .milliseconds(6))
      grid.harness.run(frames: 1)
      let record = grid.harness.loop.history.record(atAge: 0)
      #expect(record.hitch == .zero)
      if !record.isInputResampled {
        rejected += 1
        grid.harness.run(frames: 1)
        #expect(grid.harness.loop.history.record(atAge: 0).inputInstant == time)
      }
    }
    #expect(rejected > 0)
    let first = Int(grid.view.contentOffset / 50)
    #expect(grid.view.visibleCells.compactMap { ($0 as? NumberGrid.Cell)?.number }.first == first)
  }

  @Test("The delegate is called with the displayed offset in the frame that displays it")
  func delegateCalls() {
    let grid = TimedGrid(SteadyScrollingTests.Kind.list.layout)
    let observer = ScrollObserver()
    grid.view.delegate = observer
    grid.view.notchDistance = 12
    var resampledFrames = 0
    for _ in 0..<40 {
      grid.scrollWheel(by: 1, after: .milliseconds(8))
      grid.harness.run(frames: 1)
      guard grid.harness.loop.history.record(atAge: 0).isInputResampled else { continue }
      resampledFrames += 1
      #expect(observer.offset == grid.view.contentOffset)
    }
    #expect(resampledFrames > 5)
  }

  private final class ScrollObserver: CollectionViewDelegate {
    var offset = 0.0

    func collectionViewDidScroll(_ collectionView: CollectionView) { offset = collectionView.contentOffset }
  }
}
