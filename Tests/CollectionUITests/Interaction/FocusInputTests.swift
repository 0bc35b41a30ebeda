import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Keys take the keyboard from item to item")
struct FocusInputTests {
  /// Five columns; rows of 50 points, six of them on screen.
  private func wall(_ count: Int = 203, follows: Bool = true) -> ItemWall {
    let wall = ItemWall(count, columns: 5)
    wall.view.allowsFocus = true
    wall.view.selectionFollowsFocus = follows
    return wall
  }

  private func press(_ wall: ItemWall, _ keys: [(Key, KeyModifiers)]) {
    for (key, modifiers) in keys {
      wall.key(key, modifiers)
      wall.stage.runUntilIdle()
    }
  }

  /// Each line of the contract: keys, where the keyboard is then, and what is selected.
  nonisolated static let lines: [(keys: [(Key, KeyModifiers)], lead: Int, selected: [Range<Int>])] = [
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

  @Test("Line by line", arguments: lines.indices)
  func contract(line: Int) {
    let wall = wall()
    press(wall, Self.lines[line].keys)
    #expect(wall.view.selection.lead == Self.lines[line].lead)
    #expect(wall.view.selection.items.ranges == Self.lines[line].selected)
  }

  /// How keys follow each other that do not wait for the content: within one frame, as a held key repeats, and slowly.
  nonisolated static let paces: [(keys: Int, milliseconds: Double)] = [(5, 0), (1, 33), (1, 100), (2, 16), (1, 500)]

  @Test("Pages add up, however fast they follow each other", arguments: paces.indices)
  func pages(pace: Int) {
    let (together, pause) = Self.paces[pace]
    let wall = wall()
    func send(_ key: Key, _ modifiers: KeyModifiers = [], times: Int) {
      for number in 1...times {
        wall.stage.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: number > 1))
        if number.isMultiple(of: together) || number == times { wall.stage.run(milliseconds: max(1, pause)) }
      }
    }
    wall.key(.home)
    send(.pageDown, times: 5)
    #expect(wall.view.selection.lead == 5 * 30 && wall.selected == ["w150"])
    wall.stage.runUntilIdle()
    #expect(wall.view.contentOffset == 1_500 && wall.grid.shown.contains("w150"))
    send(.pageDown, .shift, times: 1)
    wall.stage.runUntilIdle()
    send(.pageUp, .shift, times: 3)
    #expect(wall.view.selection.lead == 90 && wall.view.selection.items.ranges == [90..<151])
    wall.stage.runUntilIdle()
    #expect(wall.grid.shown.contains("w90"))
    // What the wheel leaves behind is left: pages begin with what is seen.
    wall.view.applyScrollEvent(.advance(by: 900), at: wall.stage.clock.now())
    wall.stage.runUntilIdle()
    let first = Int(wall.view.contentOffset / 50) * 5
    send(.pageUp, times: 1)
    #expect(wall.view.selection.lead.map { $0 < first && $0 >= first - 35 } == true)
  }

  @Test("An arrow that is held goes on by time, however often the system repeats it", arguments: [10, 20, 50, 100])
  func held(every repeats: Int) {
    let wall = wall(10_000)
    wall.key(.right)
    let start = wall.stage.clock.now()
    func down(_ milliseconds: Int, isRepeat: Bool = true) {
      wall.stage.events.append(
        .keyDown(.down, modifiers: .shift, isRepeat: isRepeat), at: start + .milliseconds(Double(milliseconds)))
    }
    down(0, isRepeat: false)
    for time in stride(from: 500, through: 3_300, by: repeats) { down(time) }
    // Frame by frame: a rest is over at once, with all that was to come in it.
    wall.stage.run(frames: 220)
    #expect(wall.view.selection.lead == 85 * 5 && wall.view.selection.items.ranges == [0..<426])
    // Let go and pressed again it begins anew, and so it does after another key.
    wall.stage.sendEvent(.keyUp(.down, modifiers: .shift))
    wall.key(.down)
    wall.stage.runUntilIdle()
    #expect(wall.view.selection.lead == 86 * 5 && wall.grid.shown.contains("w430"))
    wall.stage.sendEvent(.keyDown(.down, modifiers: [], isRepeat: true))
    wall.key(.up)
    wall.stage.sendEvent(.keyDown(.down, modifiers: [], isRepeat: true))
    wall.stage.run(frames: 1)
    #expect(wall.view.selection.lead == 86 * 5, "a repetition of a key that another one ended means nothing")
  }

  @Test("The first key goes to what is seen, and the item is brought into view by the least scrolling")
  func revealing() {
    let wall = wall()
    wall.grid.scroll(to: 510)
    press(wall, [(.down, [])])
    #expect(wall.view.selection.lead == 55 && wall.view.contentOffset == 510)
    press(wall, [(.up, [])])
    #expect(wall.view.selection.lead == 50 && wall.view.contentOffset == 500 - 12)
    #expect(wall.view.focusedIndexPath?.item == 50)
    press(wall, [(.pageDown, [])])
    #expect(wall.view.selection.lead == 80 && wall.view.contentOffset == 488 + 300, "by a page")
    press(wall, [(.end, [])])
    #expect(wall.grid.shown.contains("w202") && wall.view.contentOffset == 41 * 50 - 300)
    #expect(wall.grid.cell(of: "w202")?.configurationState.isFocused == true)
    wall.click("w200")
    #expect(wall.view.focusedIndexPath == nil, "a click shows no ring")
  }

  @Test("Where selection does not follow, keys select nothing; a refused item still has the keyboard")
  func following() {
    let wall = wall(follows: false)
    press(wall, [(.right, []), (.right, [])])
    #expect(wall.view.selection.lead == 1 && wall.selected.isEmpty)
    wall.view.selectionFollowsFocus = true
    wall.log.refused = ["select? w2"]
    press(wall, [(.right, [])])
    #expect(wall.view.selection.lead == 2 && wall.selected.isEmpty)
  }

  @Test("A program moves the keyboard and leaves the selection as it is, with its anchor")
  func alone() {
    let wall = wall()
    press(wall, [(.right, []), (.right, []), (.character("a"), .control)])
    wall.view.focusItem(at: 150, selects: false, animated: false)
    wall.stage.run(frames: 1)
    #expect(wall.view.selection.items.ranges == [0..<203] && wall.view.selection.anchor == 1)
    #expect(wall.view.focusedIndexPath?.item == 150 && wall.grid.shown.contains("w150"))
    wall.view.focusItem(at: 203, selects: false)
    #expect(wall.view.selection.lead == 150, "nothing is there")
  }

  @Test("Alone among views Tab goes on at the end; arrows with Alt and without focus mean something else")
  func declined() {
    let wall = wall(3)
    press(wall, [(.end, [])])
    #expect(!wall.view.handle(InputEvent(time: .zero, kind: .keyDown(.tab, modifiers: [], isRepeat: false))))
    wall.view.allowsFocus = false
    press(wall, [(.home, [])])
    #expect(wall.view.selection.lead == 2)
    let empty = ItemWall(0)
    empty.view.allowsFocus = true
    empty.key(.down)
    #expect(empty.view.selection.lead == nil)
  }

  @Test("A delegate that does not decide on each item is asked of none, and a million cost a run")
  func undecided() {
    final class Quiet: CollectionViewDelegate, CollectionViewInteractionDelegate {
      let decidesOnEachItem = false
      var asked = 0
      var changes = 0
      func collectionViewDidChangeSelection(_ view: CollectionView) { changes += 1 }
      func collectionView(_ view: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
        asked += 1
        return true
      }
    }
    let wall = wall(50_000)
    let quiet = Quiet()
    wall.view.delegate = quiet
    press(wall, [(.right, []), (.end, .shift), (.character("a"), .control)])
    #expect(quiet.asked == 0 && quiet.changes == 2)
    #expect(wall.view.selection.items.ranges == [0..<50_000])
  }
}
