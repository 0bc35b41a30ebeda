import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Visible items stay in place when items above them are inserted, deleted or resized")
struct AnchorTests {
  /// Expects that the words that are still visible have moved by at most half a pixel.
  static func expectUnmoved(_ grid: WordGrid, _ before: [String: Point], _ context: String = "") {
    let origins = grid.origins
    let common = before.keys.filter { origins[$0] != nil }.sorted()
    #expect(!common.isEmpty, "\(context)")
    for word in common {
      guard let old = before[word], let new = origins[word] else { continue }
      #expect(abs(old.y - new.y) <= 0.5 && old.x == new.x, "\(word) \(context): \(old) -> \(new)")
    }
  }

  @Test(
    "Inserting, deleting and moving whole rows above the first visible item moves no visible item", arguments: [1, 3])
  func changesAbove(columns: Int) {
    let grid = WordGrid(WordGrid.words(0..<600), columns: columns)
    grid.scroll(to: 2_015)
    let before = grid.origins
    grid.apply { $0.insertItems(WordGrid.words(1_000..<1_030), beforeItem: "w0") }
    grid.harness.runUntilIdle()
    Self.expectUnmoved(grid, before, "inserted")
    grid.apply { $0.deleteItems(WordGrid.words(3..<9)) }
    grid.harness.runUntilIdle()
    Self.expectUnmoved(grid, before, "deleted")
    grid.apply { for word in WordGrid.words(9..<15) { $0.moveItem(word, afterItem: "w599") } }
    grid.harness.runUntilIdle()
    Self.expectUnmoved(grid, before, "moved away")
    grid.apply { for word in WordGrid.words(590..<596) { $0.moveItem(word, beforeItem: "w20") } }
    grid.harness.runUntilIdle()
    Self.expectUnmoved(grid, before, "moved here")
    #expect(grid.origins.count == before.count)
    #expect(
      grid.providerCalls.filter { before[$0] != nil }.count == before.count, "only scrolling requests cells for them")
  }

  @Test("Random edits above and below the visible items never move them", arguments: 0..<6)
  func randomEdits(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let grid = WordGrid(WordGrid.words(0..<400))
    grid.scroll(to: 7_333)
    let before = grid.origins
    let visible = Set(before.keys)
    var next = 1_000
    for step in 0..<60 {
      grid.apply { snapshot in
        let others = snapshot.itemIdentifiers.filter { !visible.contains($0) }
        let above = others.prefix { $0 != "w153" && $0 != "w154" }
        guard let word = (generator.chance(oneIn: 3) ? others[...] : above[...]).randomElement(using: &generator) else {
          return
        }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          snapshot.insertItems(WordGrid.words(next..<(next + 7)), beforeItem: word)
          next += 7
        case 1: snapshot.deleteItems([word])
        default: if word != others[0] { snapshot.moveItem(word, beforeItem: others[0]) }
        }
      }
      if generator.chance(oneIn: 2) { grid.harness.run(frames: 1) }
      if step % 10 == 9 {
        grid.harness.runUntilIdle()
        Self.expectUnmoved(grid, before, "seed \(seed), step \(step)")
      }
    }
    #expect(Set(grid.origins.keys) == visible)
  }

  @Test("Items inserted at the top of the content are visible if the content is scrolled to the top")
  func insertAtTop() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.apply { $0.insertItems(["a", "b"], beforeItem: "w0") }
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 0)
    #expect(grid.shown == ["a", "b", "w0", "w1", "w2", "w3"])
  }

  @Test("Deleting the first visible item keeps the next ones in place")
  func deleteFirstVisibleItem() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 1_020)
    let before = grid.origins
    grid.apply { $0.deleteItems(WordGrid.words(10..<22)) }
    grid.harness.runUntilIdle()
    Self.expectUnmoved(grid, before)
    #expect(grid.origins["w22"] == before["w22"])
  }

  @Test("Moving the first visible item away keeps the others in place, and reversing all items follows it")
  func moveFirstVisibleItem() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 1_000)
    var before = grid.origins
    grid.apply { $0.moveItem("w20", afterItem: "w90") }
    grid.harness.runUntilIdle()
    before["w20"] = nil
    Self.expectUnmoved(grid, before)
    grid.scroll(to: 2_000)
    let first = grid.shown[0]
    grid.apply { snapshot in
      let words = snapshot.itemIdentifiers
      snapshot.deleteAllItems()
      snapshot.appendItems(words.reversed())
    }
    grid.harness.runUntilIdle()
    #expect(grid.shown[0] == first)
    #expect(grid.origins[first] == Point(x: 0, y: 0))
  }

  @Test("The content offset stays if all visible items are replaced")
  func replaceAllItems() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 1_000)
    grid.apply { snapshot in
      snapshot.deleteAllItems()
      snapshot.appendItems(WordGrid.words(200..<300))
    }
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 1_000)
    #expect(grid.shown == WordGrid.words(220..<226))
    grid.apply { $0.deleteAllItems() }
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 0)
    #expect(grid.shown.isEmpty)
  }

  @Test("Changing the width keeps the first visible item visible")
  func resize() {
    let view = CollectionView(layout: GridLayout(columns: .minimumWidth(90), heightRatio: 1))
    let harness = WindowHarness(root: view, size: Size(width: 400, height: 300))
    harness.window.addParticipant(view)
    let registration = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "\(item)" }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<5_000))
    source.apply(snapshot)
    harness.run(frames: 1)
    view.scroll(to: 33_337, animated: false)
    harness.run(frames: 2)
    let first = view.visibleRange.lowerBound
    let offset = view.contentOffset
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<100 {
      harness.resize(
        to: Size(
          width: Double.random(in: 60...900, using: &generator).rounded(),
          height: Double.random(in: 120...700, using: &generator).rounded()))
      harness.run(frames: 1)
      #expect(view.visibleRange.contains(first))
      #expect(view.frameOfItem(at: view.indexPath(at: first)).map { $0.minY <= view.contentOffset + 0.5 } == true)
    }
    harness.resize(to: Size(width: 400, height: 300))
    harness.run(frames: 1)
    #expect(abs(view.contentOffset - offset) <= 0.5, "a hundred resizes do not accumulate drift")
  }

  @Test("An item stays in place if measuring the items before it takes several passes")
  func severalPasses() {
    let heights = [1_000: 20.0, 1_001: 10, 1_002: 10, 1_003: 10, 1_004: 10]
    let list = NumberGrid(
      [Array(0..<100)], layout: TestLayouts.measuredRows(estimate: 80),
      preferredSize: { number, _ in Size(width: 400, height: heights[number] ?? 80) })
    list.scroll(to: 4_055)
    list.harness.runUntilIdle()
    list.apply(animated: false) { $0.insertItems(Array(1_000...1_004), beforeItem: 51) }
    // Scrolling moves item 50 out of the view, and measuring the inserted items brings it back.
    list.view.scroll(to: 4_203, animated: false)
    let before = list.source.indexPath(for: 51).flatMap { list.view.layoutAttributesForItem(at: $0) }?.frame.minY
    list.harness.run(frames: 1)
    #expect(list.shown.contains(50) && list.shown.contains(1_000))
    #expect(list.frame(of: 51)?.minY == before.map { $0 - 4_203 })
  }

  @Test("Layouts during a scroll animation do not change its distance")
  func applyWhileScrolling() {
    let unchanged = WordGrid(WordGrid.words(0..<1_000))
    let updated = WordGrid(WordGrid.words(0..<1_000))
    for grid in [unchanged, updated] { grid.view.applyScrollEvent(.advance(by: 333)) }
    for frame in 0..<200 {
      unchanged.harness.run(frames: 1)
      updated.apply { $0.appendItems(["more \(frame)"]) }
      updated.harness.run(frames: 1)
      #expect(unchanged.view.contentOffset == updated.view.contentOffset)
    }
    #expect(updated.view.contentOffset == 333)
  }

  @Test("A scroll animation ends at the same item if rows are inserted above during the animation")
  func insertWhileScrolling() {
    let grid = WordGrid(WordGrid.words(0..<1_000))
    grid.scroll(to: 1_000)
    grid.view.applyScrollEvent(.advance(by: 500))
    for step in 0..<30 {
      grid.harness.run(frames: 1)
      grid.apply { $0.insertItems(["n\(step)"], beforeItem: "w0") }
    }
    grid.harness.runUntilIdle()
    #expect(grid.shown.first == "w30")
    #expect(grid.origins["w30"] == Point(x: 0, y: 0))
  }
}

// MARK: - Layout changes

@Suite("A layout change keeps the item at the anchor point, or the first item, in place on the screen")
struct LayoutChangeTests {
  static func layout(_ columns: Int) -> GridLayout {
    GridLayout(columns: .count(columns), columnSpacing: 7, rowSpacing: 9, heightRatio: 0.75, captionHeight: 20)
  }

  static func makeView(scale: DisplayScale = .one) -> (CollectionView, WindowHarness, DiffableDataSource<Int, Int>) {
    let view = CollectionView(layout: layout(5))
    let harness = WindowHarness(root: view, size: Size(width: 640, height: 480), scale: scale)
    harness.window.addParticipant(view)
    let registrations = Registrations()
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registrations.word, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<20_000))
    source.apply(snapshot)
    harness.runUntilIdle()
    return (view, harness, source)
  }

  /// Returns the item at a point of the view and the relative vertical position of the point in the item, from 0 to 1.
  static func item(at point: Point, of view: CollectionView) -> (index: Int, fraction: Double)? {
    let contentPoint = Point(x: point.x, y: point.y + view.contentOffset)
    for index in view.visibleRange {
      guard let frame = view.frameOfItem(at: view.indexPath(at: index)), frame.contains(contentPoint) else { continue }
      return (index, (contentPoint.y - frame.minY) / frame.height)
    }
    return nil
  }

  @Test(
    "The anchor point in the item stays within half a pixel, and layout changes back and forth do not drift",
    arguments: [1, 1.5, 2])
  func pointer(pixelsPerPoint: Double) throws {
    let scale = DisplayScale(pixelsPerPoint: pixelsPerPoint)
    let (view, harness, source) = Self.makeView(scale: scale)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      view.scroll(to: Double.random(in: 20_000...100_000, using: &generator), animated: false)
      harness.run(frames: 1)
      let point = Point(
        x: Double.random(in: 0...640, using: &generator), y: Double.random(in: 0...480, using: &generator))
      guard let before = Self.item(at: point, of: view) else { continue }
      let offset = view.contentOffset
      for columns in [4, 3, 2, 1, 2, 6, 9, 14, 5] {
        view.setCollectionViewLayout(Self.layout(columns), anchoredAt: point)
        harness.run(frames: 1)
        let frame = try #require(view.frameOfItem(at: view.indexPath(at: before.index)))
        let y = frame.minY + before.fraction * frame.height - view.contentOffset
        #expect(abs(y - point.y) * pixelsPerPoint <= 0.5 + 1e-6, "\(columns) columns at \(point)")
      }
      #expect(view.contentOffset == offset)
    }
    withExtendedLifetime(source) {}
  }

  @Test("Without an anchor point, the first item whose top edge is visible stays exactly in place")
  func firstVisibleItem() throws {
    let (view, harness, source) = Self.makeView()
    view.scroll(to: 5_333, animated: false)
    harness.run(frames: 1)
    let first = try #require(
      view.visibleRange.first { view.frameOfItem(at: view.indexPath(at: $0)).map { $0.minY >= 5_333 } == true })
    let top = try #require(view.frameOfItem(at: view.indexPath(at: first))).minY - view.contentOffset
    for columns in [6, 8, 3, 2, 5] {
      view.setCollectionViewLayout(Self.layout(columns))
      harness.run(frames: 1)
      let now = try #require(view.frameOfItem(at: view.indexPath(at: first))).minY - view.contentOffset
      #expect(now == top, "\(columns) columns")
    }
    #expect(view.contentOffset == 5_333)
    withExtendedLifetime(source) {}
  }

  @Test("An item hidden by a pinned header is not the first visible item")
  func pinnedHeader() {
    let stack = NumberStack([("a", Array(0..<40))], layout: StackLayout(hasHeaders: true))
    stack.scroll(to: 110)
    #expect(stack.shownHeaders == ["a 40 at 0, pinned"])
    #expect(stack.top(of: 2) == 20 && stack.top(of: 3) == 70)
    stack.view.setCollectionViewLayout(StackLayout(zoom: 2, hasHeaders: true))
    stack.harness.run(frames: 1)
    #expect(stack.top(of: 3) == 70)
  }

  @Test("Content at the top stays at the top without an anchor point, and content at the end ends with the view")
  func contentEnds() {
    let (view, harness, source) = Self.makeView()
    view.setCollectionViewLayout(Self.layout(2))
    harness.run(frames: 1)
    #expect(view.contentOffset == 0)
    view.setCollectionViewLayout(Self.layout(5))
    view.setCollectionViewLayout(Self.layout(1), anchoredAt: Point(x: 10, y: 400))
    harness.run(frames: 1)
    #expect(view.contentOffset > 0)
    view.scroll(to: 1e9, animated: false)
    harness.run(frames: 1)
    view.setCollectionViewLayout(Self.layout(9), anchoredAt: Point(x: 10, y: 10))
    harness.run(frames: 1)
    #expect(view.contentOffset == view.contentLength - 480)
    withExtendedLifetime(source) {}
  }

  @Test("An empty view and an anchor point outside all items are allowed")
  func emptyViewAndInvalidPoint() {
    let view = CollectionView(layout: Self.layout(3))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    view.setCollectionViewLayout(Self.layout(2), anchoredAt: Point(x: -50, y: .nan))
    view.setCollectionViewLayout(Self.layout(4))
    harness.run(frames: 2)
    #expect(view.contentOffset == 0)
    let (full, fullHarness, source) = Self.makeView()
    full.setCollectionViewLayout(Self.layout(2), anchoredAt: Point(x: .infinity, y: -1e9))
    fullHarness.run(frames: 1)
    #expect(full.contentOffset == 0)
    withExtendedLifetime(source) {}
  }
}

// MARK: - Items of unknown height

@Suite("Among items of unknown height, nothing but the scroll moves what the user looks at")
struct AnchorStressTests {
  /// A million frames in all with `scripts/test --long`; `scripts/bench anchor` runs any number.
  @Test(
    "Nothing jumps among ten million items that are inserted, deleted and resized during flings",
    arguments: [1, 2, 3, 4] as [UInt64])
  func flings(seed: UInt64) {
    let stress = AnchorStress(count: 10_000_000, seed: seed)
    stress.run(frames: TestScale.count(250_000, short: 5_000))
    let tally = stress.tally
    #expect(tally.jumps == 0, "\(tally)")
    #expect(tally.longestJump == 0)
    #expect(tally.checks > tally.frames / 2 && tally.updates > tally.frames / 20 && tally.resizes > tally.frames / 20)
  }
}
