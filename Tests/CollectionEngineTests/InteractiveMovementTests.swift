import Testing
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport

@Suite("Interactive movement")
struct InteractiveMovementTests {
  private func instant(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  private func makeMovement(_ item: Int = 3) -> InteractiveMovement {
    InteractiveMovement(of: item, at: Point(x: 10, y: 20), center: Point(x: 60, y: 25))
  }

  @Test("The item starts at its original center and follows the drag location")
  func location() {
    var movement = makeMovement()
    #expect(movement.center == Point(x: 60, y: 25))
    movement.updateDragLocation(Point(x: 15, y: 120))
    #expect(movement.center == Point(x: 65, y: 125))
    #expect(movement.frame(of: Size(width: 100, height: 10)) == Rect(x: 15, y: 120, width: 100, height: 10))
    movement.updateDragLocation(Point(x: .nan, y: 0))
    #expect(movement.center == Point(x: 65, y: 125), "NaN is ignored")
    movement.endDrag()
    movement.updateDragLocation(.zero)
    #expect(movement.dragLocation == Point(x: 15, y: 120), "the drag has ended")
  }

  @Test("The item rises from its first frame and settles after the drag ends, without a jump")
  func lift() {
    var movement = makeMovement()
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
    #expect(movement.liftProgress(at: instant(9_000)) == last, "no frame has displayed it yet")
    movement.advance(to: instant(3_000))
    for frame in 0..<60 {
      let now = instant(3_000 + 16 * Double(frame))
      #expect(movement.liftProgress(at: now) <= last)
      last = movement.liftProgress(at: now)
    }
    #expect(last == 0 && movement.hasEnded(by: instant(5_000)))
  }

  @Test("A drag that ends during the lift settles from the current progress")
  func interrupted() {
    var movement = makeMovement()
    movement.advance(to: .zero)
    movement.advance(to: instant(48))
    let height = movement.liftProgress(at: instant(48))
    #expect(height > 0 && height < 1)
    movement.endDrag()
    movement.advance(to: instant(64))
    #expect(movement.liftProgress(at: instant(64)) == height)
  }

  @Test("A movement by key is not lifted, and ends after the first frame")
  func settling() {
    var movement = InteractiveMovement(settling: 2)
    #expect(!movement.isDragging && !movement.needsTargetUpdate && movement.liftProgress(at: instant(5)) == 0)
    #expect(!movement.hasEnded(by: instant(5)))
    movement.advance(to: instant(16))
    #expect(movement.liftProgress(at: instant(16)) == 0 && movement.hasEnded(by: instant(16)))
  }

  @Test("The target is updated once per drag location, and for a limited number of steps while it is unchanged")
  func targetUpdates() {
    var movement = makeMovement()
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

  @Test("No better position is searched near the best one until the content changes")
  func bestPosition() {
    var movement = makeMovement()
    let middle = Point(x: 60, y: 525)
    #expect(!movement.isBestPosition(at: middle))
    movement.recordBestPosition(at: middle, within: 10)
    #expect(movement.isBestPosition(at: middle) && movement.isBestPosition(at: Point(x: 66, y: 518)))
    #expect(!movement.isBestPosition(at: Point(x: 67, y: 533)))
    movement.contentDidScroll()
    movement.contentDidShift()
    #expect(movement.isBestPosition(at: middle), "the center is in content coordinates")
    movement.contentDidChange()
    #expect(!movement.isBestPosition(at: middle))
    movement.recordBestPosition(at: middle, within: 10)
    movement.apply(IndexMap { $0 })
    #expect(!movement.isBestPosition(at: middle), "items were inserted or deleted")
  }

  @Test("The item follows remapping, and is nil once it is deleted")
  func remapping() {
    var movement = makeMovement(3)
    movement.apply(IndexMap { $0 + 2 })
    #expect(movement.item == 5)
    movement.apply(IndexMap { _ in nil })
    #expect(movement.item == nil)
  }
}

@Suite("Content scrolls while an item is dragged near an edge")
struct EdgeAutoscrollTests {
  private let edges = EdgeAutoscroll(from: 20, to: 620)

  @Test("The speed grows towards the edge, is zero in the middle, and has a maximum")
  func speed() {
    let positions = stride(from: 300.0, through: 700, by: 4)
    let speeds = positions.map { edges.velocity(at: $0, from: 300) }
    #expect(zip(speeds, speeds.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(edges.velocity(at: 556, from: 300) == 0 && edges.velocity(at: 557, from: 300) > 0)
    #expect(edges.velocity(at: 620, from: 300) == EdgeAutoscroll.maximumSpeed)
    #expect(edges.velocity(at: 9_000, from: 300) == EdgeAutoscroll.maximumSpeed)
    for position in stride(from: -50.0, through: 700, by: 5) {
      #expect(edges.velocity(at: 640 - position, from: 320) == -edges.velocity(at: position, from: 320))
    }
  }

  @Test("A drag that starts near an edge scrolls only once it moves towards the edge")
  func startNearEdge() {
    #expect(edges.velocity(at: 610, from: 610) == 0)
    #expect(edges.velocity(at: 605, from: 610) == 0)
    #expect(edges.velocity(at: 617.9, from: 610) == 0)
    #expect(edges.velocity(at: 618, from: 610) > 0)
    #expect(edges.velocity(at: 40, from: 610) < 0)
  }

  @Test("The velocity is zero for an empty range and for NaN, and a short range has short edge zones")
  func degenerateRanges() {
    #expect(EdgeAutoscroll(from: 10, to: 10).velocity(at: 50, from: 0) == 0)
    #expect(edges.velocity(at: .nan, from: 0) == 0)
    let low = EdgeAutoscroll(from: 0, to: 40)
    #expect(low.velocity(at: 20, from: 0) == 0 && low.velocity(at: 31, from: 0) > 0)
  }
}
