@testable import CollectionUI
import Testing
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Input events of any kind, in any order and with any numbers")
struct InputStressTests {
  private struct RandomInput {
    var random: SeededGenerator

    mutating func number(_ range: ClosedRange<Double>) -> Double {
      random.chance(oneIn: 6)
        ? EdgeCaseNumbers.doubles.randomElement(using: &random) ?? 0 : .random(in: range, using: &random)
    }

    mutating func point() -> Point { Point(x: number(-20...420), y: number(-20...320)) }

    mutating func event() -> InputEvent.Kind {
      let modifiers: KeyModifiers =
        random.chance(oneIn: 5) ? [.shift, .control, .alt].randomElement(using: &random) ?? [] : []
      let button: PointerButton = [.primary, .primary, .middle, .secondary].randomElement(using: &random) ?? .primary
      let phase: TouchInput.Phase =
        [.began, .moved, .moved, .ended, .cancelled].randomElement(using: &random) ?? .moved
      let keys: [Key] = [.up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .space, .escape, .enter]
      let key = keys.randomElement(using: &random) ?? .up
      switch Int.random(in: 0..<14, using: &random) {
      case 0, 1:
        return .wheel(
          WheelInput(location: point(), deltaX: number(-3...3), deltaY: number(-9...9), modifiers: modifiers))
      case 2: return .pointerMoved(point())
      case 3:
        return .pointerDown(
          point(), button: button, clicks: .random(in: 0...3, using: &random), modifiers: modifiers)
      case 4: return .pointerUp(point(), button: button, modifiers: modifiers)
      case 5: return random.chance(oneIn: 3) ? .pointerLeft : random.chance(oneIn: 2) ? .hidden : .shown
      case 6: return .keyDown(key, modifiers: modifiers, isRepeat: random.chance(oneIn: 3))
      case 7: return .keyUp(key, modifiers: modifiers)
      case 8:
        return .pinch(PinchInput(phase: phase, location: point(), scale: number(0.2...5)))
      case 9:
        return .pan(PanInput(phase: phase, start: point(), location: point(), translation: point()))
      default:
        return .touch(TouchInput(finger: .random(in: 0..<3, using: &random), phase: phase, location: point()))
      }
    }
  }

  /// Checks the invariants of every frame.
  private func check(_ grid: NumberGrid, _ context: String) {
    let view = grid.view
    let range = view.scroll.range
    let offset = view.contentOffset
    #expect(offset.isFinite, "\(context)")
    #expect((offset - range.clamp(offset)).magnitude <= range.viewportLength + 1, "\(context)")
    #expect(view.scroll.velocity(at: grid.harness.clock.now()).isFinite, "\(context)")
    for cell in view.visibleCells { #expect(cell.frame.minX.isFinite && cell.frame.minY.isFinite, "\(context)") }
  }

  /// Returns whether an event may move the content immediately.
  ///
  /// Other events may only change its later movement.
  private func movesImmediately(_ kind: InputEvent.Kind, _ view: CollectionView) -> Bool {
    switch kind {
    case .wheel, .touch, .pan, .pinch: return true
    case .pointerMoved(let point), .pointerDown(let point, _, _, _), .pointerUp(let point, _, _):
      // The thumb follows the pointer, and the pointer sets the velocity of a middle-button scroll retroactively.
      return view.scroll.isThumbHeld(at: view.lastInstant) || view.window?.grabber != nil || !(point.x < 340)
    // A key press with an old timestamp may have moved the content by now.
    case .keyDown(let key, _, _): return key != .escape && key != .enter
    default: return false
    }
  }

  /// The maximum distance of a frame from the extrapolated offset, in points.
  ///
  /// Held keys, snapping and autoscroll near an edge can move the content that far in the time of a frame.
  private static let maximumDrift = 80.0

  @Test(
    "No event causes a jump, an invalid number or a trap, at any size and during updates",
    arguments: TestScale.seeds(1...12))
  func randomEvents(seed: Int) {
    var input = RandomInput(random: SeededGenerator(seed: UInt64(seed)))
    let behaviors: [OrthogonalScrollingBehavior] = [
      .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered,
    ]
    let grid = NumberGrid(
      [Array(0..<60), Array(100..<400)], layout: TestLayouts.orthogonal(behaviors[seed % behaviors.count]))
    grid.view.allowsMultipleSelection = true
    grid.view.allowsRubberBandSelection = true
    grid.view.isPagingEnabled = seed.isMultiple(of: 4)
    var next = 1_000
    var checkedFrames = 0
    for step in 0..<400 {
      var isSmooth = true
      for _ in 0..<Int.random(in: 0...4, using: &input.random) {
        let event = input.event()
        isSmooth = isSmooth && !movesImmediately(event, grid.view)
        // Timestamps are out of order and long ago, through the event queue, or in the future, dispatched directly.
        let stamp = grid.harness.clock.now() + .milliseconds(Double.random(in: -300...100, using: &input.random))
        if stamp > grid.harness.clock.now(), input.random.chance(oneIn: 3) {
          grid.harness.window.dispatch(InputEvent(time: stamp, kind: event))
        } else {
          grid.harness.events.append(event, at: min(stamp, grid.harness.clock.now()))
        }
      }
      if input.random.chance(oneIn: 25) {
        isSmooth = false
        let sizes = [Size(width: 1, height: 1), Size(width: 400, height: 300), Size(width: 320, height: 2_000), .zero]
        grid.harness.resize(to: sizes.randomElement(using: &input.random) ?? .zero)
      }
      if input.random.chance(oneIn: 12) {
        isSmooth = false
        next += 3
        grid.apply { snapshot in
          if let first = snapshot.itemIdentifiers(inSection: 1).first, snapshot.numberOfItems > 40 {
            snapshot.deleteItems([first])
          }
          snapshot.appendItems([next, next + 1], toSection: 1)
        }
      }
      if input.random.chance(oneIn: 60) {
        isSmooth = false
        grid.view.reducesMotion.toggle()
      }
      let (before, scroll) = (grid.view.contentOffset, grid.view.scroll)
      grid.harness.run(frames: 1)
      check(grid, "step \(step)")
      if isSmooth {
        checkedFrames += 1
        let expected = (scroll.offset(at: grid.view.lastInstant) - before).magnitude
        #expect(
          (grid.view.contentOffset - before).magnitude <= expected + InputStressTests.maximumDrift, "step \(step)")
      }
    }
    #expect(checkedFrames > 40)
    // No event ends a gesture that is still active: hiding the window does, and the content stops within its range.
    grid.harness.resize(to: Size(width: 400, height: 300))
    grid.harness.sendEvent(.hidden)
    grid.harness.run(milliseconds: 100)
    grid.harness.sendEvent(.shown)
    grid.harness.run(milliseconds: 60_000)
    #expect(grid.view.scroll.range.contains(grid.view.scroll.projectedOffset))
    #expect(grid.view.scroll.velocity(at: grid.harness.clock.now()) == 0 && !grid.view.isTracked)
    #expect(grid.harness.window.grabber == nil && grid.view.rubberBandFrame == nil)
    let (frames, offset) = (grid.harness.display.presentedFrames, grid.view.contentOffset)
    grid.harness.run(milliseconds: 10_000)
    #expect(grid.harness.display.presentedFrames == frames, "nothing moves any more")
    for x in stride(from: 0.0, through: 400, by: 8) {
      grid.harness.sendEvent(.pointerMoved(Point(x: x, y: 300 - x / 2)))
      grid.harness.run(frames: 1)
    }
    #expect(grid.view.contentOffset == offset, "a pointer without a button moves nothing")
  }

  @Test("A thousand events in one frame query the layout as often as one event, and move the content once")
  func oneLayoutPerFrame() {
    let stack = NumberStack(
      [("a", Array(0..<300)), ("b", Array(300..<600))], layout: StackLayout(hasHeaders: true, hasBackgrounds: true))
    stack.harness.window.firstResponder = stack.view
    stack.harness.sendEvent(.pointerMoved(Point(x: 50, y: 50)))
    let counter = ScrollCounter()
    stack.view.scrollDelegate = counter
    /// Returns the numbers of layout queries and of content movements in a frame.
    func work(_ send: () -> Void) -> [Int] {
      stack.harness.runUntilIdle()
      let (before, scrolls, plans) = (stack.layout.facts.current, counter.count, stack.view.layoutCounts.queries)
      send()
      stack.harness.run(frames: 1)
      let after = stack.layout.facts.current
      return [
        after.itemQueries - before.itemQueries, after.elementQueries - before.elementQueries,
        after.solveCount - before.solveCount, after.updates.count - before.updates.count, counter.count - scrolls,
        stack.view.layoutCounts.queries - plans,
      ]
    }
    let point = Point(x: 50, y: 50)
    let one = work { stack.harness.sendEvent(.wheel(WheelInput(location: point, deltaX: 0, deltaY: -2.37))) }
    let thousand = work {
      for number in 0..<1_000 {
        switch number % 4 {
        case 0: stack.harness.sendEvent(.wheel(WheelInput(location: point, deltaX: 0, deltaY: -1)))
        case 1: stack.harness.sendEvent(.wheel(WheelInput(location: point, deltaX: 0.01, deltaY: -1.37)))
        case 2: stack.harness.sendEvent(.pointerMoved(Point(x: Double(number % 300), y: 60)))
        default: stack.harness.sendEvent(.keyDown(.down, modifiers: [], isRepeat: number > 3))
        }
      }
    }
    // Items are queried for the visible ones and for the offsets at which they stay visible. Supplementary views are
    // queried in the same way, more often after a small movement.
    #expect(one[0] == 2 && thousand[0] == 2 && thousand[1] <= one[1], "\(thousand), \(one)")
    #expect(Array(one[2...]) == [0, 0, 1, 1] && Array(thousand[2...]) == [0, 0, 1, 1], "\(thousand), \(one)")
    #expect(stack.view.contentOffset > 1_000)
    // Each page queries its first row and the views pinned above it.
    let pages = work {
      for _ in 0..<10 { stack.harness.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false)) }
    }
    #expect(zip(pages, thousand).map { $0 - $1 } == [10, 10, 0, 0, 0, 0], "\(pages), \(thousand)")
  }

  /// A delegate that counts scroll notifications.
  private final class ScrollCounter: ScrollViewDelegate {
    var count = 0
    func scrollViewDidScroll(_ view: ScrollView) { count += 1 }
  }
}
