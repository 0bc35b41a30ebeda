import CollectionEngine
import FramePacing
import Geometry
import TestSupport
import Testing

@Suite("An item in a hand")
struct ItemMovementTests {
  private func instant(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  private func held(_ item: Int = 3) -> InteractiveMovement {
    InteractiveMovement(of: item, by: Point(x: 10, y: 20), middle: Point(x: 60, y: 25))
  }

  @Test("is shown where it was taken, and goes with the hand")
  func place() {
    var movement = held()
    #expect(movement.center == Point(x: 60, y: 25))
    movement.updateDragLocation(Point(x: 15, y: 120))
    #expect(movement.center == Point(x: 65, y: 125))
    #expect(movement.frame(of: Size(width: 100, height: 10)) == Rect(x: 15, y: 120, width: 100, height: 10))
    movement.updateDragLocation(Point(x: .nan, y: 0))
    #expect(movement.center == Point(x: 65, y: 125), "no place")
    movement.endDrag()
    movement.updateDragLocation(.zero)
    #expect(movement.dragLocation == Point(x: 15, y: 120), "let go")
  }

  @Test("rises from the first frame that shows it, and goes down once it is let go, without a jump")
  func lift() {
    var movement = held()
    #expect(movement.liftProgress(at: instant(5_000)) == 0 && movement.isLifting(at: instant(5_000)))
    var last = 0.0
    for frame in 0..<60 {
      let now = instant(1_000 + 16 * Double(frame))
      movement.advance(to: now)
      #expect(movement.liftProgress(at: now) >= last)
      last = movement.liftProgress(at: now)
    }
    #expect(last > 0.99 && !movement.isLifting(at: instant(3_000)) && !movement.hasEnded(by: instant(3_000)))
    movement.endDrag()
    #expect(movement.liftProgress(at: instant(9_000)) == last, "no frame showed it yet")
    movement.advance(to: instant(3_000))
    for frame in 0..<60 {
      let now = instant(3_000 + 16 * Double(frame))
      #expect(movement.liftProgress(at: now) <= last)
      last = movement.liftProgress(at: now)
    }
    #expect(last == 0 && movement.hasEnded(by: instant(5_000)))
  }

  @Test("let go while it rises, it goes on from there")
  func interrupted() {
    var movement = held()
    movement.advance(to: .zero)
    movement.advance(to: instant(48))
    let height = movement.liftProgress(at: instant(48))
    #expect(height > 0 && height < 1)
    movement.endDrag()
    movement.advance(to: instant(64))
    #expect(movement.liftProgress(at: instant(64)) == height)
  }

  @Test("moved by a key it is over the others at once, and down as soon as a frame showed it")
  func settling() {
    var movement = InteractiveMovement(settling: 2)
    #expect(!movement.isDragging && !movement.needsTargetUpdate && movement.liftProgress(at: instant(5)) == 0)
    #expect(!movement.hasEnded(by: instant(5)))
    movement.advance(to: instant(16))
    #expect(movement.liftProgress(at: instant(16)) == 0 && movement.hasEnded(by: instant(16)))
  }

  @Test("is asked once for every place of the hand, and for a few steps while the hand is still")
  func asking() {
    var movement = held()
    #expect(movement.needsTargetUpdate)
    movement.didUpdateTarget()
    movement.updateDragLocation(movement.dragLocation)
    #expect(!movement.needsTargetUpdate)
    movement.updateDragLocation(.zero)
    var steps = 0
    while movement.needsTargetUpdate, steps < 100 {
      movement.didUpdateTarget()
      movement.recordStep()
      steps += 1
    }
    #expect(steps == InteractiveMovement.maximumSteps)
    movement.contentDidChange()
    #expect(!movement.needsTargetUpdate)
    movement.contentDidScroll()
    #expect(movement.needsTargetUpdate)
    movement.endDrag()
    #expect(!movement.needsTargetUpdate)
  }

  @Test("has no better place near where none was found, until something is elsewhere")
  func best() {
    var movement = held()
    let middle = Point(x: 60, y: 525)
    #expect(!movement.isBestPosition(at: middle))
    movement.recordBestPosition(at: middle, within: 10)
    #expect(movement.isBestPosition(at: middle) && movement.isBestPosition(at: Point(x: 66, y: 518)))
    #expect(!movement.isBestPosition(at: Point(x: 67, y: 533)))
    movement.contentDidScroll()
    movement.contentDidShift()
    #expect(movement.isBestPosition(at: middle), "its middle is told in the content's coordinates")
    movement.contentDidChange()
    #expect(!movement.isBestPosition(at: middle))
    movement.recordBestPosition(at: middle, within: 10)
    movement.remapIndices { $0 }
    #expect(!movement.isBestPosition(at: middle), "others have come or gone")
  }

  @Test("follows its number, and is none once it is gone")
  func numbers() {
    var movement = held(3)
    movement.remapIndices { $0 + 2 }
    #expect(movement.item == 5)
    movement.remapIndices { _ in nil }
    #expect(movement.item == nil)
  }
}
