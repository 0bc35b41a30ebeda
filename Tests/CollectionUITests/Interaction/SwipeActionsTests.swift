import CollectionUI
import Testing
import VitrineTestSupport

@Suite("Swipe actions")
struct SwipeActionsTests {
  private final class Delegate: CollectionViewDelegate {
    var performed: [String] = []
    var queried = 0
    var allowsFullSwipe = true
    var onDelete: (IndexPath) -> Void = { _ in }
    var completesAtOnce = true

    func collectionView(
      _ view: CollectionView, trailingSwipeActionsConfigurationForItemAt indexPath: IndexPath
    ) -> SwipeActionsConfiguration? {
      queried += 1
      let delete = ContextualAction(style: .destructive, title: "Delete") { _, _, completion in
        self.performed.append("Delete \(indexPath.item)")
        self.onDelete(indexPath)
        if self.completesAtOnce { completion(true) }
      }
      let flag = ContextualAction(style: .normal, title: "Flag") { _, _, completion in
        self.performed.append("Flag \(indexPath.item)")
        if self.completesAtOnce { completion(true) }
      }
      flag.backgroundColor = Color(hex: 0xFF9500)
      var configuration = SwipeActionsConfiguration(actions: [delete, flag])
      configuration.performsFirstActionWithFullSwipe = allowsFullSwipe
      return configuration
    }

    func collectionView(
      _ view: CollectionView, leadingSwipeActionsConfigurationForItemAt indexPath: IndexPath
    ) -> SwipeActionsConfiguration? {
      guard indexPath.item != 0 else { return nil }
      var configuration = SwipeActionsConfiguration(actions: [
        ContextualAction(style: .normal, title: "Read") { _, _, completion in
          self.performed.append("Read \(indexPath.item)")
          completion(true)
        }
      ])
      configuration.performsFirstActionWithFullSwipe = false
      return configuration
    }
  }

  /// A list of words in rows of 50 points, 400 points wide.
  private final class Fixture {
    let grid = WordGrid(WordGrid.words(0..<40))
    let delegate = Delegate()
    var view: CollectionView { grid.view }
    private var location = Point.zero

    init() { grid.view.delegate = delegate }

    func pan(_ phase: TouchInput.Phase, by distance: Double = 0, frames: Int = 1) {
      grid.harness.sendEvent(
        .pan(
          PanInput(
            phase: phase, start: location, location: location, translation: Point(x: distance, y: 0))))
      grid.harness.run(frames: frames)
    }

    /// Swipes an item with a finger that rests before it is lifted.
    func swipe(_ item: Int, by distance: Double, releases: Bool = true) {
      location = Point(x: 200, y: Double(item) * 50 + 25)
      let step = distance / 10
      pan(.began, by: step)
      for _ in 1..<10 { pan(.moved, by: step) }
      guard releases else { return }
      pan(.moved, by: 0, frames: 6)
      pan(.ended)
    }

    func click(_ x: Double, _ y: Double) {
      grid.harness.sendEvent(.pointerDown(Point(x: x, y: y), button: .primary, clicks: 1, modifiers: []))
      grid.harness.sendEvent(.pointerUp(Point(x: x, y: y), button: .primary, modifiers: []))
      grid.harness.run(frames: 1)
    }

    func wheel(_ deltaX: Double, _ deltaY: Double = 0, y: Double = 75) {
      grid.harness.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: y), deltaX: deltaX, deltaY: deltaY)))
      grid.harness.run(frames: 1)
    }

    /// The distance by which an item is displaced, in points.
    func displacement(_ item: Int) -> Double {
      view.cellForItem(at: IndexPath(item: item, section: 0))?.transform.tx ?? 0
    }

    func color(_ x: Int, _ y: Int) throws -> Color { try grid.harness.display.readPixels().color(x, y) }
  }

  @Test("A swipe follows the finger, opens beyond half of the actions, and an action closes it")
  func opening() throws {
    let fixture = Fixture()
    fixture.swipe(1, by: -60, releases: false)
    #expect(fixture.displacement(1) == -60 && fixture.delegate.queried == 1)
    #expect(try fixture.color(399, 52) == Color(hex: 0xC7322A), "the first action is at the edge")
    #expect(try fixture.color(342, 52) == Color(hex: 0xFF9500))
    #expect(try fixture.color(399, 48) != Color(hex: 0xC7322A) && fixture.displacement(0) == 0)
    fixture.pan(.moved, by: -30, frames: 6)
    fixture.pan(.ended)
    fixture.grid.harness.runUntilIdle()
    let extent = -fixture.displacement(1)
    #expect(fixture.view.isShowingSwipeActions && extent >= 148)
    fixture.click(410 - extent, 75)
    #expect(fixture.delegate.performed == ["Flag 1"])
    fixture.grid.harness.runUntilIdle()
    #expect(fixture.displacement(1) == 0 && !fixture.view.isShowingSwipeActions)
    #expect(fixture.view.subviews.count == 1, "only the scroll bar")
  }

  @Test("A short swipe closes again, without a jump, and can be taken up on the way")
  func interruption() {
    let fixture = Fixture()
    fixture.swipe(2, by: -50)
    let first = fixture.displacement(2)
    #expect(first < -20)
    fixture.grid.harness.run(frames: 2)
    let second = fixture.displacement(2)
    #expect(second > first && second < 0)
    fixture.pan(.began, by: -6)
    #expect((fixture.displacement(2) - second + 6).magnitude < 15, "no jump")
    for _ in 0..<12 { fixture.pan(.moved, by: -10) }
    fixture.pan(.moved, by: 0, frames: 6)
    fixture.pan(.ended)
    fixture.grid.harness.runUntilIdle()
    #expect(fixture.view.isShowingSwipeActions && fixture.displacement(2) <= -148)
  }

  @Test("One item is open at a time; a click elsewhere, Escape and scrolling close it, and the click selects nothing")
  func closing() {
    let fixture = Fixture()
    fixture.swipe(1, by: -120)
    fixture.swipe(3, by: 60)
    fixture.grid.harness.runUntilIdle()
    #expect(fixture.displacement(1) == 0 && fixture.displacement(3) == 74)
    fixture.click(200, 225)
    #expect(!fixture.view.isShowingSwipeActions && fixture.view.selection.items.isEmpty)
    for close in [
      { fixture.grid.harness.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false)) },
      { fixture.view.setContentOffset(30, animated: false) }, { fixture.view.hideSwipeActions() },
    ] {
      fixture.grid.harness.runUntilIdle()
      fixture.swipe(3, by: -120)
      #expect(fixture.view.isShowingSwipeActions)
      close()
      fixture.grid.harness.run(frames: 2)
      #expect(!fixture.view.isShowingSwipeActions)
      fixture.view.setContentOffset(0, animated: false)
      fixture.grid.harness.runUntilIdle()
      #expect(fixture.displacement(3) == 0)
    }
  }

  @Test("A full swipe deletes the item: the client's update animates it out, and its cell is reused in place")
  func fullSwipe() throws {
    let fixture = Fixture()
    fixture.delegate.onDelete = { path in
      fixture.grid.apply { $0.deleteItems([$0.itemIdentifiers[path.item]]) }
    }
    fixture.swipe(1, by: -260, releases: false)
    fixture.grid.harness.run(frames: 30)
    #expect(try fixture.color(160, 52) == Color(hex: 0xC7322A), "the first action covers the others")
    fixture.pan(.ended)
    #expect(fixture.delegate.performed == ["Delete 1"])
    fixture.grid.harness.runUntilIdle()
    #expect(fixture.grid.source.snapshot().itemIdentifiers.prefix(2) == ["w0", "w2"])
    #expect(fixture.view.subviews.count == 1 && !fixture.view.isShowingSwipeActions)
    for _ in 0..<30 {
      fixture.view.setContentOffset(fixture.view.contentOffset + 100, animated: false)
      fixture.grid.harness.run(frames: 2)
    }
    #expect(fixture.view.visibleCells.allSatisfy { $0.transform == .identity })
  }

  @Test("Without full swipes the item resists beyond its actions; at an edge without actions it does not move")
  func resistance() {
    let fixture = Fixture()
    fixture.delegate.allowsFullSwipe = false
    fixture.swipe(1, by: -390, releases: false)
    #expect(fixture.displacement(1) > -200 && fixture.displacement(1) < -148)
    fixture.pan(.ended)
    #expect(fixture.delegate.performed.isEmpty)
    fixture.swipe(0, by: 100, releases: false)
    #expect(fixture.displacement(0) == 0, "the first item has no leading actions")
  }

  @Test("A trackpad swipes, and its pause releases; a wheel and a vertical movement do not swipe")
  func trackpad() {
    let fixture = Fixture()
    for _ in 0..<12 { fixture.wheel(1.13) }
    #expect(fixture.displacement(1) < -130)
    fixture.grid.harness.runUntilIdle()
    #expect(fixture.view.isShowingSwipeActions && fixture.displacement(1) <= -148)
    fixture.wheel(0.01, -3.3)
    fixture.grid.harness.runUntilIdle()
    #expect(fixture.displacement(1) == 0 && fixture.view.contentOffset > 0)
    let second = Fixture()
    for _ in 0..<5 { second.wheel(1) }
    #expect(second.displacement(1) == 0 && second.delegate.queried == 0)
  }

  @Test("A finger on the screen swipes an item; a vertical movement scrolls and closes it; a tap performs an action")
  func touches() {
    let fixture = Fixture()
    func touch(_ phase: TouchInput.Phase, _ x: Double, _ y: Double, frames: Int = 1) {
      fixture.grid.harness.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: x, y: y))))
      fixture.grid.harness.run(frames: frames)
    }
    func swipe() {
      touch(.began, 300, 75)
      for step in 1...12 { touch(.moved, 300 - Double(step) * 10, 75, frames: step == 12 ? 6 : 1) }
      touch(.ended, 180, 75)
      fixture.grid.harness.runUntilIdle()
    }
    swipe()
    #expect(fixture.displacement(1) <= -148)
    touch(.began, 100, 200)
    for step in 1...6 { touch(.moved, 100, 200 - Double(step) * 10) }
    touch(.ended, 100, 140)
    fixture.grid.harness.runUntilIdle()
    #expect(fixture.view.contentOffset > 20 && fixture.displacement(1) == 0)
    fixture.view.setContentOffset(0, animated: false)
    fixture.grid.harness.runUntilIdle()
    swipe()
    touch(.began, 395, 75, frames: 3)
    touch(.ended, 395, 75)
    #expect(fixture.delegate.performed == ["Delete 1"])
  }

  @Test("In a right-to-left layout the leading actions are at the right")
  func rightToLeft() {
    let fixture = Fixture()
    fixture.view.layoutDirection = .rightToLeft
    fixture.grid.harness.runUntilIdle()
    fixture.swipe(1, by: -60)
    fixture.grid.harness.runUntilIdle()
    #expect(fixture.displacement(1) == -74)
    fixture.swipe(0, by: 100)
    fixture.grid.harness.runUntilIdle()
    #expect(fixture.displacement(0) >= 148)
  }

  @Test("The context menu has the same actions, for the pointer and the menu key")
  func contextMenu() {
    let fixture = Fixture()
    fixture.view.allowsSelection = true
    fixture.grid.harness.sendEvent(
      .pointerDown(Point(x: 100, y: 75), button: .secondary, clicks: 1, modifiers: []))
    fixture.grid.harness.run(frames: 2)
    #expect(fixture.grid.harness.window.isMenuShown)
    let menu = fixture.grid.harness.window.accessibility.elements(.menu).first
    #expect(menu?.children.map(\.label) == ["Read", "Delete", "Flag"])
    for key: Key in [.end, .enter] {
      fixture.grid.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      fixture.grid.harness.run(frames: 1)
    }
    #expect(fixture.delegate.performed == ["Flag 1"])
  }

  @Test("A swipe ends although its delegate is gone")
  func goneDelegate() {
    let fixture = Fixture()
    fixture.swipe(1, by: -60, releases: false)
    fixture.view.delegate = nil
    fixture.pan(.moved, by: 0, frames: 6)
    fixture.pan(.ended)
    #expect(fixture.grid.harness.runUntilIdle() < 200)
    fixture.click(100, 225)
    #expect(fixture.grid.harness.runUntilIdle() < 200)
    #expect(fixture.displacement(1) == 0 && !fixture.view.isShowingSwipeActions)
  }

  @Test("With reduced motion items are open and closed at once")
  func reducedMotion() {
    let fixture = Fixture()
    fixture.view.reducesMotion = true
    fixture.swipe(1, by: -120)
    fixture.grid.harness.run(frames: 1)
    #expect(fixture.displacement(1) <= -148)
    fixture.view.hideSwipeActions()
    fixture.grid.harness.run(frames: 1)
    #expect(fixture.displacement(1) == 0)
  }

  @Test("A swipe in progress survives updates of other items, and frames after it cost nothing")
  func updates() {
    let fixture = Fixture()
    fixture.swipe(3, by: -120)
    fixture.grid.harness.runUntilIdle()
    fixture.grid.apply { $0.deleteItems(["w1"]) }
    fixture.grid.harness.runUntilIdle()
    #expect(fixture.displacement(2) <= -148, "the item moved up")
    fixture.view.hideSwipeActions()
    fixture.grid.harness.runUntilIdle()
    #expect(fixture.displacement(2) == 0)
    let before = fixture.grid.harness.display.presentedFrames
    fixture.grid.harness.run(milliseconds: 1_000)
    #expect(fixture.grid.harness.display.presentedFrames == before)
  }
}
