import CollectionLayout
import DiffableData
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@testable import CollectionUI

@Suite("Input of any kind, in any order and with any numbers")
struct InputStormTests {
  private struct Hands {
    var random: SeededGenerator

    mutating func number(_ range: ClosedRange<Double>) -> Double {
      random.chance(oneIn: 6)
        ? EdgeCaseNumbers.doubles.randomElement(using: &random) ?? 0 : .random(in: range, using: &random)
    }

    mutating func place() -> Point { Point(x: number(-20...420), y: number(-20...320)) }

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
          WheelInput(location: place(), deltaX: number(-3...3), deltaY: number(-9...9), modifiers: modifiers))
      case 2: return .pointerMoved(place())
      case 3:
        return .pointerDown(
          place(), button: button, clicks: .random(in: 0...3, using: &random), modifiers: modifiers)
      case 4: return .pointerUp(place(), button: button, modifiers: modifiers)
      case 5: return random.chance(oneIn: 3) ? .pointerLeft : random.chance(oneIn: 2) ? .hidden : .shown
      case 6: return .keyDown(key, modifiers: modifiers, isRepeat: random.chance(oneIn: 3))
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

  /// Whether an event may take the content elsewhere at once; what does not may only change how it goes on.
  private func movesAtOnce(_ kind: InputEvent.Kind, _ view: CollectionView) -> Bool {
    switch kind {
    case .wheel, .touch, .pan, .pinch: return true
    case .pointerMoved(let place), .pointerDown(let place, _, _, _), .pointerUp(let place, _, _):
      // The thumb goes where the pointer is, and a pressed wheel says how fast content went since.
      return view.scroll.isThumbHeld(at: view.lastInstant) || view.window?.grabber != nil || !(place.x < 340)
    // What was pressed long ago has led there by now.
    case .keyDown(let key, _, _): return key != .escape && key != .enter
    default: return false
    }
  }

  /// How far a frame may be from where the content was to be by itself, in points: what a held key, a place to rest at and
  /// a band near an edge make of a frame's time.
  private static let slip = 80.0

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
    wall.view.allowsRubberBandSelection = true
    wall.view.isPagingEnabled = seed.isMultiple(of: 4)
    var next = 1_000
    var held = 0
    for step in 0..<400 {
      var isSmooth = true
      for _ in 0..<Int.random(in: 0...4, using: &hands.random) {
        let event = hands.event()
        isSmooth = isSmooth && !movesAtOnce(event, wall.view)
        // Stamps out of order and long ago, by the loop's own way in; and past it of the future.
        let stamp = wall.stage.clock.now() + .milliseconds(Double.random(in: -300...100, using: &hands.random))
        if stamp > wall.stage.clock.now(), hands.random.chance(oneIn: 3) {
          wall.stage.window.dispatch(InputEvent(time: stamp, kind: event))
        } else {
          wall.stage.events.append(event, at: min(stamp, wall.stage.clock.now()))
        }
      }
      if hands.random.chance(oneIn: 25) {
        isSmooth = false
        let sizes = [Size(width: 1, height: 1), Size(width: 400, height: 300), Size(width: 320, height: 2_000), .zero]
        wall.stage.resize(to: sizes.randomElement(using: &hands.random) ?? .zero)
      }
      if hands.random.chance(oneIn: 12) {
        isSmooth = false
        next += 3
        wall.apply { snapshot in
          if let first = snapshot.itemIdentifiers(inSection: 1).first, snapshot.numberOfItems > 40 {
            snapshot.deleteItems([first])
          }
          snapshot.appendItems([next, next + 1], toSection: 1)
        }
      }
      if hands.random.chance(oneIn: 60) {
        isSmooth = false
        wall.view.reducesMotion.toggle()
      }
      let (before, course) = (wall.view.contentOffset, wall.view.scroll)
      wall.stage.run(frames: 1)
      check(wall, "step \(step)")
      if isSmooth {
        held += 1
        let way = (course.offset(at: wall.view.lastInstant) - before).magnitude
        #expect((wall.view.contentOffset - before).magnitude <= way + InputStormTests.slip, "step \(step)")
      }
    }
    #expect(held > 40)
    // Whatever is held, nobody lets go of it: the window is hidden, and all comes to rest within.
    wall.stage.resize(to: Size(width: 400, height: 300))
    wall.stage.sendEvent(.hidden)
    wall.stage.run(milliseconds: 100)
    wall.stage.sendEvent(.shown)
    wall.stage.run(milliseconds: 60_000)
    #expect(wall.view.scroll.range.contains(wall.view.scroll.projectedOffset))
    #expect(wall.view.scroll.velocity(at: wall.stage.clock.now()) == 0 && !wall.view.isTracked)
    #expect(wall.stage.window.grabber == nil && wall.view.rubberBandFrame == nil)
    let (frames, offset) = (wall.stage.display.presentedFrames, wall.view.contentOffset)
    wall.stage.run(milliseconds: 10_000)
    #expect(wall.stage.display.presentedFrames == frames, "nothing moves any more")
    for x in stride(from: 0.0, through: 400, by: 8) {
      wall.stage.sendEvent(.pointerMoved(Point(x: x, y: 300 - x / 2)))
      wall.stage.run(frames: 1)
    }
    #expect(wall.view.contentOffset == offset, "a pointer without a button moves nothing")
  }

  @Test("A thousand events in one frame ask the layout what one does, once, and make the content move once")
  func oneLayout() {
    let stack = StackStage(
      [("a", Array(0..<300)), ("b", Array(300..<600))], layout: StackLayout(hasHeaders: true, hasBackgrounds: true))
    stack.stage.window.firstResponder = stack.view
    stack.stage.sendEvent(.pointerMoved(Point(x: 50, y: 50)))
    let moves = Moves()
    stack.view.scrollDelegate = moves
    /// What a frame asks of the layout, and how often the content moves in it.
    func work(_ send: () -> Void) -> [Int] {
      stack.stage.runUntilIdle()
      let (before, told, plans) = (stack.layout.facts.now, moves.count, stack.view.layoutState.plans)
      send()
      stack.stage.run(frames: 1)
      let after = stack.layout.facts.now
      return [
        after.questions - before.questions, after.elementQuestions - before.elementQuestions,
        after.solved - before.solved, after.updates.count - before.updates.count, moves.count - told,
        stack.view.layoutState.plans - plans,
      ]
    }
    let place = Point(x: 50, y: 50)
    let one = work { stack.stage.sendEvent(.wheel(WheelInput(location: place, deltaX: 0, deltaY: -2.37))) }
    let thousand = work {
      for number in 0..<1_000 {
        switch number % 4 {
        case 0: stack.stage.sendEvent(.wheel(WheelInput(location: place, deltaX: 0, deltaY: -1)))
        case 1: stack.stage.sendEvent(.wheel(WheelInput(location: place, deltaX: 0.01, deltaY: -1.37)))
        case 2: stack.stage.sendEvent(.pointerMoved(Point(x: Double(number % 300), y: 60)))
        default: stack.stage.sendEvent(.keyDown(.down, modifiers: [], isRepeat: number > 3))
        }
      }
    }
    // Of items what is seen, and how far it stays so; of views the same, more often the less was moved.
    #expect(one[0] == 2 && thousand[0] == 2 && thousand[1] <= one[1], "\(thousand), \(one)")
    #expect(Array(one[2...]) == [0, 0, 1, 1] && Array(thousand[2...]) == [0, 0, 1, 1], "\(thousand), \(one)")
    #expect(stack.view.contentOffset > 1_000)
    // A page asks which row it begins with, and what is pinned over it, each time.
    let pages = work { for _ in 0..<10 { stack.stage.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false)) } }
    #expect(zip(pages, thousand).map { $0 - $1 } == [10, 10, 0, 0, 0, 0], "\(pages), \(thousand)")
  }

  /// Counts how often it is told that content moved.
  private final class Moves: ScrollViewDelegate {
    var count = 0
    func scrollViewDidScroll(_ view: ScrollView) { count += 1 }
  }
}
