import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("A rubber band starts between items and selects while it is dragged")
struct RubberBandInputTests {
  /// Three columns of 100 by 50 points, with a spacing of 20 points and insets of 20 points, in a window of 380 by 300.
  private func makeGrid(_ count: Int = 300) -> InteractiveGrid {
    let grid = InteractiveGrid(count)
    grid.view.allowsRubberBandSelection = true
    grid.view.collectionViewLayout = GridLayout(
      columns: .count(3), columnSpacing: 20, rowSpacing: 20,
      sectionInsets: Insets(top: 20, left: 20, bottom: 20, right: 20), heightRatio: 0, captionHeight: 50)
    grid.harness.resize(to: Size(width: 380, height: 300))
    grid.harness.runUntilIdle()
    return grid
  }

  @Test("Dragging between items draws the band and selects live until the release")
  func drag() {
    let grid = makeGrid()
    grid.press(at: Point(x: 130, y: 10))
    grid.move(to: Point(x: 132, y: 12))
    #expect(grid.view.rubberBandFrame == nil, "not yet")
    grid.move(to: Point(x: 250, y: 100))
    #expect(grid.view.rubberBandFrame == Rect(x: 130, y: 10, width: 120, height: 90))
    #expect(grid.selected == ["w1", "w4"])
    grid.move(to: Point(x: 30, y: 60))
    #expect(grid.selected == ["w0"])
    grid.release(at: Point(x: 350, y: 60))
    #expect(grid.selected == ["w1", "w2"], "the items in the band at the release")
    #expect(grid.view.rubberBandFrame == nil)
    grid.move(to: Point(x: 200, y: 200))
    #expect(grid.selected == ["w1", "w2"])
  }

  @Test("Control toggles, Shift adds, and Escape restores the previous selection")
  func modifiers() {
    let grid = makeGrid()
    grid.click("w0")
    grid.press(at: Point(x: 10, y: 10), .control)
    grid.move(to: Point(x: 250, y: 60))
    #expect(grid.selected == ["w1"])
    grid.release(at: Point(x: 250, y: 60), .control)
    grid.press(at: Point(x: 250, y: 10), .shift)
    grid.move(to: Point(x: 270, y: 60))
    #expect(grid.selected == ["w1", "w2"])
    grid.key(.escape)
    #expect(grid.selected == ["w1"] && grid.view.rubberBandFrame == nil)
    grid.release(at: Point(x: 270, y: 60))
    #expect(grid.selected == ["w1"])
    grid.key(.escape)
    #expect(grid.selected.isEmpty)
  }

  @Test(
    "A drag from an item draws no band, a click between items clears the selection, and single selection has no band")
  func withoutBand() {
    let grid = makeGrid()
    grid.press("w4")
    grid.move(to: Point(x: 10, y: 10))
    #expect(grid.view.rubberBandFrame == nil)
    grid.release(at: Point(x: 10, y: 10))
    grid.click("w4")
    grid.press(at: Point(x: 10, y: 10))
    grid.release(at: Point(x: 10, y: 10))
    #expect(grid.selected.isEmpty)
    grid.view.allowsMultipleSelection = false
    grid.press(at: Point(x: 10, y: 10))
    grid.move(to: Point(x: 250, y: 100))
    #expect(grid.view.rubberBandFrame == nil && grid.selected.isEmpty)
  }

  @Test("Near an edge the content scrolls beneath the band, and items outside the viewport stay selected")
  func autoscroll() {
    let grid = makeGrid()
    grid.press(at: Point(x: 130, y: 10))
    grid.move(to: Point(x: 250, y: 299))
    grid.harness.run(milliseconds: 3_000)
    #expect(grid.view.contentOffset > 600)
    let bottom = grid.view.contentOffset + 299
    let rows = Int(((bottom - 20) / 70).rounded(.up))
    #expect(grid.selected == (0..<rows).map { "w\($0 * 3 + 1)" })
    grid.move(to: Point(x: 250, y: 150))
    let stopped = grid.view.contentOffset
    grid.harness.run(milliseconds: 1_000)
    #expect(grid.view.contentOffset == stopped, "it stops away from the edge")
    grid.release(at: Point(x: 250, y: 150))
    let frames = grid.harness.display.presentedFrames
    grid.harness.run(milliseconds: 5_000)
    #expect(grid.harness.display.presentedFrames - frames <= 60, "only the scroll indicator fades")
  }

  @Test("Items inserted during the drag are not selected, and selected items stay selected")
  func updates() {
    let grid = makeGrid(30)
    grid.click("w9")
    grid.press(at: Point(x: 130, y: 10), .shift)
    grid.move(to: Point(x: 250, y: 60))
    #expect(grid.selected == ["w1", "w9"])
    grid.wordGrid.apply { $0.deleteItems(["w8"]) }
    grid.harness.run(frames: 2)
    #expect(grid.selected == ["w1", "w9"])
    grid.release(at: Point(x: 250, y: 60), .shift)
    #expect(grid.selected == ["w1", "w9"])
  }

  @Test("A lost release ends the band with the next press")
  func lostRelease() {
    let grid = makeGrid()
    grid.press(at: Point(x: 130, y: 10))
    grid.move(to: Point(x: 250, y: 60))
    grid.click("w5")
    #expect(grid.selected == ["w5"] && grid.view.rubberBandFrame == nil)
  }

  @Test("A band over no items clears the selection, and Escape restores it")
  func emptyBand() {
    let grid = makeGrid()
    grid.click("w0")
    grid.click("w4", .control)
    grid.press(at: Point(x: 130, y: 10))
    grid.move(to: Point(x: 125, y: 200))
    #expect(grid.selected.isEmpty)
    grid.key(.escape)
    #expect(grid.selected == ["w0", "w4"])
    grid.release(at: Point(x: 125, y: 200))
    grid.press(at: Point(x: 130, y: 10), .shift)
    grid.move(to: Point(x: 125, y: 200))
    #expect(grid.selected == ["w0", "w4"], "nothing is added")
    grid.release(at: Point(x: 125, y: 200))
    grid.press(at: Point(x: 130, y: 10))
    grid.move(to: Point(x: 125, y: 200))
    grid.release(at: Point(x: 125, y: 200))
    #expect(grid.selected.isEmpty)
  }

  @Test("During the drag, keys that select, move the focus or trigger actions are ignored")
  func keysDuringDrag() {
    let grid = makeGrid()
    grid.view.allowsFocus = true
    grid.press(at: Point(x: 130, y: 10))
    grid.move(to: Point(x: 250, y: 60))
    grid.log.clearLog()
    let keys: [(Key, KeyModifiers)] = [
      (.right, []), (.down, .shift), (.pageDown, []), (.end, []), (.tab, []), (.character("a"), .control),
      (.space, .control), (.enter, []), (.menu, []), (.function(10), .shift), (.down, .alt),
    ]
    for (key, modifiers) in keys { grid.key(key, modifiers) }
    grid.harness.runUntilIdle()
    #expect(grid.selected == ["w1"] && grid.log.lines.isEmpty && grid.view.contentOffset == 0)
    grid.release(at: Point(x: 250, y: 60))
    grid.key(.right)
    #expect(grid.selected == ["w2"], "from the item at the release")
  }

  @Test("The anchor is the first item and the lead is the last one; Escape restores both")
  func anchorAndLead() {
    let grid = makeGrid()
    grid.click("w8")
    grid.press(at: Point(x: 130, y: 10))
    grid.move(to: Point(x: 350, y: 100))
    #expect(grid.selected == ["w1", "w2", "w4", "w5"] && grid.view.selection.anchor == 8)
    grid.key(.escape)
    grid.release(at: Point(x: 350, y: 100))
    #expect(grid.selected == ["w8"] && grid.view.selection.anchor == 8 && grid.view.selection.lead == 8)
    grid.press(at: Point(x: 130, y: 10))
    grid.move(to: Point(x: 350, y: 100))
    grid.release(at: Point(x: 350, y: 100))
    #expect(grid.view.selection.anchor == 1 && grid.view.selection.lead == 5)
    grid.click("w7", .shift)
    #expect(grid.selected == WordGrid.words(1..<8))
    // Dragged upwards, to the left.
    grid.press(at: Point(x: 350, y: 150))
    grid.move(to: Point(x: 150, y: 30))
    grid.release(at: Point(x: 150, y: 30))
    #expect(grid.selected == ["w1", "w2", "w4", "w5"])
    #expect(grid.view.selection.anchor == 5 && grid.view.selection.lead == 1)
    // A band over no items changes neither.
    grid.press(at: Point(x: 130, y: 10))
    grid.move(to: Point(x: 125, y: 200))
    grid.release(at: Point(x: 125, y: 200))
    #expect(grid.view.selection.anchor == 5 && grid.view.selection.lead == 1)
  }

  @Test("A reload ends the band and its scrolling")
  func reload() {
    let grid = DataSourceGrid([WordGrid.words(0..<300)], columns: 1)
    grid.view.allowsMultipleSelection = true
    grid.view.allowsRubberBandSelection = true
    grid.view.collectionViewLayout = GridLayout(
      columns: .count(1), rowSpacing: 20, sectionInsets: Insets(top: 20, left: 20, bottom: 20, right: 20),
      heightRatio: 0, captionHeight: 50)
    grid.harness.runUntilIdle()
    let views = grid.view.subviews.count
    grid.harness.sendEvent(.pointerDown(Point(x: 5, y: 10), button: .primary, clicks: 1, modifiers: []))
    grid.harness.sendEvent(.pointerMoved(Point(x: 100, y: 299)))
    grid.harness.run(milliseconds: 300)
    #expect(grid.view.rubberBandFrame != nil && grid.view.subviews.count == views + 1)
    let offset = grid.view.contentOffset
    #expect(offset > 0 && !grid.view.selection.items.isEmpty)
    grid.performInFrame { grid.view.reloadData() }
    #expect(grid.view.rubberBandFrame == nil && grid.view.subviews.count == views)
    grid.harness.run(milliseconds: 2_000)
    #expect(grid.view.contentOffset - offset < 100 && grid.view.selection.items.isEmpty)
  }
}

// MARK: - Completion after the release

@Suite("A rubber band over more items than one frame can search is completed after the release")
struct RubberBandCompletionTests {
  /// A user action after the release.
  enum UserAction: CaseIterable {
    case none, scrollBack, scrollForward, click, selectAll, escape, toggle, insert, sort, resize
  }

  /// Three columns of 100 by 50 points, with a spacing of 20 points and insets of 20 points, in a window of 380 by 300.
  private func makeGrid() -> InteractiveGrid {
    let grid = InteractiveGrid(20_000)
    grid.view.allowsRubberBandSelection = true
    grid.view.collectionViewLayout = GridLayout(
      columns: .count(3), columnSpacing: 20, rowSpacing: 20,
      sectionInsets: Insets(top: 20, left: 20, bottom: 20, right: 20), heightRatio: 0, captionHeight: 50)
    grid.harness.resize(to: Size(width: 380, height: 300))
    grid.harness.runUntilIdle()
    return grid
  }

  @Test(
    "The items in the band are selected and no others, whatever the user does during the search",
    arguments: UserAction.allCases)
  func actions(action: UserAction) {
    let grid = makeGrid()
    grid.press(at: Point(x: 130, y: 10))
    grid.move(to: Point(x: 250, y: 100))
    grid.view.scroll(to: 400_000, animated: false)
    grid.harness.run(frames: 1)
    grid.release(at: Point(x: 251, y: 100))
    // The middle column, down to the row of the release.
    let rows = 5_716
    let column = IndexRuns((0..<rows).map { $0 * 3 + 1 })
    #expect(grid.view.selection.items != column, "more than one frame can search")
    var expected: IndexRuns? = column
    switch action {
    case .none: break
    case .scrollBack: grid.wordGrid.scroll(to: 0)
    case .scrollForward: grid.wordGrid.scroll(to: 466_000)
    case .click:
      grid.click("w17151")
      expected = IndexRuns(17_151..<17_152)
    case .selectAll:
      grid.key(.character("a"), .control)
      expected = IndexRuns(0..<20_000)
    case .escape:
      grid.key(.escape)
      expected = IndexRuns()
    case .toggle:
      grid.click("w17151", .control)
      expected = column.union(IndexRuns([17_151]))
    case .insert:
      grid.wordGrid.apply { $0.insertItems(["a", "b"], beforeItem: "w0") }
      expected = IndexRuns(column.ranges.map { $0.lowerBound + 2 })
    case .sort:
      grid.wordGrid.apply { snapshot in
        snapshot.deleteItems(["w4"])
        snapshot.moveItem("w7", afterItem: "w19999")
      }
      expected = nil
      grid.harness.runUntilIdle()
      let items = grid.view.selection.items.ranges.joined()
      let words = Set(items.compactMap(grid.wordGrid.source.itemIdentifier(atFlatIndex:)))
      #expect(words == Set(column.ranges.joined().map { "w\($0)" }).subtracting(["w4"]))
    case .resize: grid.harness.resize(to: Size(width: 700, height: 280))
    }
    grid.harness.runUntilIdle()
    if let expected { #expect(grid.view.selection.items == expected) }
    #expect(grid.view.selection.items.last.map { $0 < 20_002 } ?? true)
  }

  @Test("While the band is dragged sideways, distant items stay selected until they are searched again")
  func sidewaysDrag() {
    let grid = makeGrid()
    grid.press(at: Point(x: 130, y: 10))
    grid.move(to: Point(x: 250, y: 100))
    grid.view.scroll(to: 400_000, animated: false)
    grid.harness.run(milliseconds: 500)
    #expect(grid.view.selection.items.count == 5_716)
    grid.move(to: Point(x: 252, y: 100))
    #expect(grid.view.selection.items.count == 5_716)
    grid.move(to: Point(x: 300, y: 100))
    #expect(grid.view.selection.items.count >= 5_716)
    grid.harness.run(milliseconds: 500)
    #expect(grid.view.selection.items.count == 2 * 5_716)
    grid.move(to: Point(x: 250, y: 100))
    let shown = grid.view.indexPathsForVisibleItems.map(\.item)
    #expect(shown.allSatisfy { !grid.view.selection.contains($0) || $0 % 3 == 1 }, "visible items are exact")
    grid.harness.run(milliseconds: 500)
    #expect(grid.view.selection.items.count == 5_716)
  }
}
