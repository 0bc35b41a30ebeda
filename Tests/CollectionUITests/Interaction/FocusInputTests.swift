import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Keys move the focus between items")
struct FocusInputTests {
  /// Five columns, with rows of 50 points, six of them visible.
  private func makeGrid(_ count: Int = 203, follows: Bool = true) -> InteractiveGrid {
    let grid = InteractiveGrid(count, columns: 5)
    grid.view.allowsFocus = true
    grid.view.selectionFollowsFocus = follows
    return grid
  }

  private func press(_ grid: InteractiveGrid, _ keys: [(Key, KeyModifiers)]) {
    for (key, modifiers) in keys {
      grid.key(key, modifiers)
      grid.harness.runUntilIdle()
    }
  }

  /// The cases of the keyboard contract: keys, the focused item after them, and the selected ranges.
  nonisolated static let cases: [(keys: [(Key, KeyModifiers)], lead: Int, selected: [Range<Int>])] = [
    ([(.down, [])], 0, [0..<1]),
    ([(.down, []), (.down, []), (.right, [])], 6, [6..<7]),
    ([(.end, [])], 202, [202..<203]),
    ([(.end, []), (.up, []), (.up, [])], 192, [192..<193]),
    ([(.right, []), (.right, .shift), (.down, .shift)], 6, [0..<7]),
    ([(.right, []), (.down, .shift), (.up, .shift)], 0, [0..<1]),
    ([(.right, []), (.right, .control), (.right, .control)], 2, [0..<1]),
    ([(.right, []), (.right, .control), (.right, .control), (.space, .control)], 2, [0..<1, 2..<3]),
    ([(.right, []), (.down, .control), (.space, .control), (.right, [.control, .shift])], 6, [0..<1, 5..<7]),
    ([(.right, []), (.pageDown, [])], 30, [30..<31]),
    ([(.right, []), (.pageDown, []), (.pageUp, .shift)], 0, [0..<31]),
    ([(.right, []), (.end, .shift)], 202, [0..<203]),
    ([(.tab, []), (.tab, []), (.tab, .shift), (.tab, [])], 1, []),
    ([(.right, []), (.character("a"), .control), (.right, .control)], 1, [0..<203]),
    ([(.right, []), (.escape, [])], 0, []),
    ([(.home, []), (.left, []), (.up, [])], 0, [0..<1]),
  ]

  @Test("Each case of the contract", arguments: cases.indices)
  func contract(index: Int) {
    let grid = makeGrid()
    press(grid, Self.cases[index].keys)
    #expect(grid.view.selection.lead == Self.cases[index].lead)
    #expect(grid.view.selection.items.ranges == Self.cases[index].selected)
  }

  /// Paces of keys that do not wait for the content: within one frame, at the rate of a repeated key, and slowly.
  nonisolated static let paces: [(keys: Int, milliseconds: Double)] = [(5, 0), (1, 33), (1, 100), (2, 16), (1, 500)]

  @Test("Pages add up at any pace", arguments: paces.indices)
  func pages(pace: Int) {
    let (together, pause) = Self.paces[pace]
    let grid = makeGrid()
    func send(_ key: Key, _ modifiers: KeyModifiers = [], times: Int) {
      for number in 1...times {
        grid.harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: number > 1))
        if number.isMultiple(of: together) || number == times { grid.harness.run(milliseconds: max(1, pause)) }
      }
    }
    grid.key(.home)
    send(.pageDown, times: 5)
    #expect(grid.view.selection.lead == 5 * 30 && grid.selected == ["w150"])
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 1_500 && grid.wordGrid.shown.contains("w150"))
    send(.pageDown, .shift, times: 1)
    grid.harness.runUntilIdle()
    send(.pageUp, .shift, times: 3)
    #expect(grid.view.selection.lead == 90 && grid.view.selection.items.ranges == [90..<151])
    grid.harness.runUntilIdle()
    #expect(grid.wordGrid.shown.contains("w90"))
    // After a scroll with the wheel, paging starts at the visible items.
    grid.view.applyScrollEvent(.advance(by: 900), at: grid.harness.clock.now())
    grid.harness.runUntilIdle()
    let first = Int(grid.view.contentOffset / 50) * 5
    send(.pageUp, times: 1)
    #expect(grid.view.selection.lead.map { $0 < first && $0 >= first - 35 } == true)
  }

  @Test(
    "A repeated arrow key moves at a constant rate, independent of the system's repeat rate",
    arguments: [10, 20, 50, 100])
  func repeatedArrow(every repeats: Int) {
    let grid = makeGrid(10_000)
    grid.key(.right)
    let start = grid.harness.clock.now()
    func down(_ milliseconds: Int, isRepeat: Bool = true) {
      grid.harness.events.append(
        .keyDown(.down, modifiers: .shift, isRepeat: isRepeat), at: start + .milliseconds(Double(milliseconds)))
    }
    down(0, isRepeat: false)
    for time in stride(from: 500, through: 3_300, by: repeats) { down(time) }
    // Frame by frame, because waiting until idle would deliver all remaining events at once.
    grid.harness.run(frames: 220)
    #expect(grid.view.selection.lead == 85 * 5 && grid.view.selection.items.ranges == [0..<426])
    // The movement starts again after a release and another press, and after another key.
    grid.harness.sendEvent(.keyUp(.down, modifiers: .shift))
    grid.key(.down)
    grid.harness.runUntilIdle()
    #expect(grid.view.selection.lead == 86 * 5 && grid.wordGrid.shown.contains("w430"))
    grid.harness.sendEvent(.keyDown(.down, modifiers: [], isRepeat: true))
    grid.key(.up)
    grid.harness.sendEvent(.keyDown(.down, modifiers: [], isRepeat: true))
    grid.harness.run(frames: 1)
    #expect(grid.view.selection.lead == 86 * 5, "a repeat of a key that another key has ended is ignored")
  }

  @Test("The first key focuses a visible item, and scrolling reveals the focused item by the shortest distance")
  func revealing() {
    let grid = makeGrid()
    grid.wordGrid.scroll(to: 510)
    press(grid, [(.down, [])])
    #expect(grid.view.selection.lead == 55 && grid.view.contentOffset == 510)
    press(grid, [(.up, [])])
    #expect(grid.view.selection.lead == 50 && grid.view.contentOffset == 500 - 12)
    #expect(grid.view.focusedIndexPath?.item == 50)
    press(grid, [(.pageDown, [])])
    #expect(grid.view.selection.lead == 80 && grid.view.contentOffset == 488 + 300, "by a page")
    press(grid, [(.end, [])])
    #expect(grid.wordGrid.shown.contains("w202") && grid.view.contentOffset == 41 * 50 - 300)
    #expect(grid.wordGrid.cell(of: "w202")?.configurationState.isFocused == true)
    grid.click("w200")
    #expect(grid.view.focusedIndexPath == nil, "a click hides the focus ring")
  }

  @Test("Keys select nothing if selection does not follow focus, and an item that refuses selection is still focused")
  func selectionFollowsFocus() {
    let grid = makeGrid(follows: false)
    press(grid, [(.right, []), (.right, [])])
    #expect(grid.view.selection.lead == 1 && grid.selected.isEmpty)
    grid.view.selectionFollowsFocus = true
    grid.log.refused = ["select? w2"]
    press(grid, [(.right, [])])
    #expect(grid.view.selection.lead == 2 && grid.selected.isEmpty)
  }

  @Test("Focusing an item from code leaves the selection and its anchor unchanged")
  func focusFromCode() {
    let grid = makeGrid()
    press(grid, [(.right, []), (.right, []), (.character("a"), .control)])
    grid.view.focusItem(at: 150, selects: false, animated: false)
    grid.harness.run(frames: 1)
    #expect(grid.view.selection.items.ranges == [0..<203] && grid.view.selection.anchor == 1)
    #expect(grid.view.focusedIndexPath?.item == 150 && grid.wordGrid.shown.contains("w150"))
    grid.view.focusItem(at: 203, selects: false)
    #expect(grid.view.selection.lead == 150, "no item has this index")
  }

  @Test("Tab is passed on after the last item, and keys are ignored with Alt or without focus")
  func ignoredKeys() {
    let grid = makeGrid(3)
    press(grid, [(.end, [])])
    #expect(!grid.view.handle(InputEvent(time: .zero, kind: .keyDown(.tab, modifiers: [], isRepeat: false))))
    grid.view.allowsFocus = false
    press(grid, [(.home, [])])
    #expect(grid.view.selection.lead == 2)
    let empty = InteractiveGrid(0)
    empty.view.allowsFocus = true
    empty.key(.down)
    #expect(empty.view.selection.lead == nil)
  }

  @Test("A delegate that does not decide on each item is not called for each, and large ranges are stored as runs")
  func delegateWithoutDecisions() {
    final class PassiveDelegate: CollectionViewDelegate {
      let decidesOnEachItem = false
      var shouldSelectCalls = 0
      var changes = 0
      func collectionViewDidChangeSelection(_ view: CollectionView) { changes += 1 }
      func collectionView(_ view: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
        shouldSelectCalls += 1
        return true
      }
    }
    let grid = makeGrid(50_000)
    let delegate = PassiveDelegate()
    grid.view.delegate = delegate
    press(grid, [(.right, []), (.end, .shift), (.character("a"), .control)])
    #expect(delegate.shouldSelectCalls == 0 && delegate.changes == 2)
    #expect(grid.view.selection.items.ranges == [0..<50_000])
  }
}
