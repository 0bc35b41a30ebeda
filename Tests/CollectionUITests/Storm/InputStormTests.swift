import CollectionLayout
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Input of any kind, in any order and with any numbers")
struct InputStormTests {
  private struct Hands {
    var random: SeededGenerator

    mutating func number(_ range: ClosedRange<Double>) -> Double {
      random.once(in: 6)
        ? HostileNumbers.doubles.randomElement(using: &random) ?? 0 : .random(in: range, using: &random)
    }

    mutating func place() -> Point { Point(x: number(-20...420), y: number(-20...320)) }

    mutating func event() -> InputEvent.Kind {
      let modifiers: KeyModifiers =
        random.once(in: 5) ? [.shift, .control, .alt].randomElement(using: &random) ?? [] : []
      let button: PointerButton = [.primary, .primary, .middle, .secondary].randomElement(using: &random) ?? .primary
      let phase: TouchInput.Phase =
        [.began, .moved, .moved, .ended, .cancelled].randomElement(using: &random) ?? .moved
      let keys: [Key] = [.up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .space, .escape, .enter]
      let key = keys.randomElement(using: &random) ?? .up
      switch Int.random(in: 0..<14, using: &random) {
      case 0, 1:
        return .wheel(
          WheelInput(location: place(), deltaX: number(-3...3), deltaY: number(-9...9), modifiers: modifiers))
      case 2: return .pointerMoved(place())
      case 3:
        return .pointerDown(
          place(), button: button, clicks: .random(in: 0...3, using: &random), modifiers: modifiers)
      case 4: return .pointerUp(place(), button: button, modifiers: modifiers)
      case 5: return random.once(in: 3) ? .pointerLeft : random.once(in: 2) ? .hidden : .shown
      case 6: return .keyDown(key, modifiers: modifiers, isRepeat: random.once(in: 3))
      case 7: return .keyUp(key, modifiers: modifiers)
      case 8:
        return .pinch(PinchInput(phase: phase, location: place(), scale: number(0.2...5)))
      case 9:
        return .pan(PanInput(phase: phase, start: place(), location: place(), translation: place()))
      default:
        return .touch(TouchInput(finger: .random(in: 0..<3, using: &random), phase: phase, location: place()))
      }
    }
  }

  /// What holds after every frame.
  private func check(_ wall: NumberWall, _ what: String) {
    let view = wall.view
    let range = view.scroll.range
    let offset = view.contentOffset
    #expect(offset.isFinite, "\(what)")
    #expect((offset - range.clamp(offset)).magnitude <= range.viewportLength + 1, "\(what)")
    #expect(view.scroll.velocity(at: wall.stage.clock.now()).isFinite, "\(what)")
    for cell in view.visibleCells { #expect(cell.frame.minX.isFinite && cell.frame.minY.isFinite, "\(what)") }
  }

  @Test(
    "No event makes a leap, a number that is none, or a trap, at any size and amid applies", arguments: 1...12)
  func anything(seed: Int) {
    var hands = Hands(random: SeededGenerator(seed: UInt64(seed)))
    let behaviors: [OrthogonalScrollingBehavior] = [
      .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered,
    ]
    let wall = NumberWall(
      [Array(0..<60), Array(100..<400)], layout: Shelves.layout(behaviors[seed % behaviors.count]))
    wall.view.allowsMultipleSelection = true
    wall.view.isPagingEnabled = seed.isMultiple(of: 4)
    var next = 1_000
    for step in 0..<400 {
      for _ in 0..<Int.random(in: 0...4, using: &hands.random) {
        let event = hands.event()
        // Stamps out of order, long ago and of the future.
        let stamp = wall.stage.clock.now() + .milliseconds(Double.random(in: -300...100, using: &hands.random))
        wall.stage.window.dispatch(
          InputEvent(time: hands.random.once(in: 3) ? stamp : wall.stage.clock.now(), kind: event))
      }
      if hands.random.once(in: 25) {
        let sizes = [Size(width: 1, height: 1), Size(width: 400, height: 300), Size(width: 320, height: 2_000), .zero]
        wall.stage.resize(to: sizes.randomElement(using: &hands.random) ?? .zero)
      }
      if hands.random.once(in: 12) {
        next += 3
        wall.apply { snapshot in
          if let first = snapshot.itemIdentifiers(inSection: 1).first, snapshot.numberOfItems > 40 {
            snapshot.deleteItems([first])
          }
          snapshot.appendItems([next, next + 1], toSection: 1)
        }
      }
      if hands.random.once(in: 60) { wall.view.reducesMotion.toggle() }
      wall.stage.run(frames: 1)
      check(wall, "step \(step)")
    }
    // Whatever was held is let go, and all comes to rest within.
    wall.stage.resize(to: Size(width: 400, height: 300))
    wall.stage.send(.hidden)
    wall.stage.send(.shown)
    for key in [Key.up, .down, .left, .right] { wall.stage.send(.keyUp(key, modifiers: [])) }
    for button in [PointerButton.primary, .middle, .secondary] {
      wall.stage.send(.pointerUp(Point(x: 10, y: 10), button: button, modifiers: []))
    }
    wall.stage.run(milliseconds: 60_000)
    #expect(wall.view.scroll.range.contains(wall.view.scroll.projectedOffset))
    #expect(wall.view.scroll.velocity(at: wall.stage.clock.now()) == 0)
    let frames = wall.stage.display.presentedFrames
    wall.stage.run(milliseconds: 10_000)
    #expect(wall.stage.display.presentedFrames == frames, "nothing moves any more")
  }

  @Test("A thousand events in one frame make one layout, and one place that is asked for")
  func oneLayout() {
    final class Counting: CollectionView {
      var (layouts, moves) = (0, 0)
      override func layout() {
        layouts += 1
        super.layout()
      }
      override func contentOffsetDidChange() {
        moves += 1
        super.contentOffsetDidChange()
      }
    }
    let view = Counting(layout: Shelves.layout(.none))
    let stage = Stage(root: view)
    stage.window.addParticipant(view)
    let registration = CellRegistration<NumberWall.Cell, Int> { cell, _, number in cell.number = number }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<10_000))
    source.apply(snapshot)
    stage.settle()
    for number in 0..<1_000 {
      switch number % 4 {
      case 0: stage.send(.wheel(WheelInput(location: Point(x: 50, y: 50), deltaX: 0, deltaY: -1)))
      case 1: stage.send(.wheel(WheelInput(location: Point(x: 50, y: 50), deltaX: 0.01, deltaY: -1.37)))
      case 2: stage.send(.pointerMoved(Point(x: Double(number % 300), y: 60)))
      default: stage.send(.keyDown(.pageDown, modifiers: [], isRepeat: true))
      }
    }
    let (layouts, moves) = (view.layouts, view.moves)
    stage.run(frames: 1)
    #expect(view.layouts == layouts + 1 && view.moves == moves + 1)
    #expect(view.contentOffset > 0)
  }
}
