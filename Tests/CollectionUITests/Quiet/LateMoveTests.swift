import CollectionEngine
import CollectionLayout
import CollectionUI
import DataStructures
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("Content that is moved once more before its frame is shown has the cells that belong where it is")
struct LateMoveTests {
  /// Numbers in a layout on a clock that is moved by hand.
  private final class Scene {
    let view: CollectionView
    let stage: TimerWindowHarness
    let source: DiffableDataSource<Int, Int>

    init(_ layout: any CollectionLayout) {
      let view = CollectionView(layout: layout)
      self.view = view
      stage = TimerWindowHarness(root: view)
      stage.window.addParticipant(view)
      let registration = CellRegistration<NumberWall.Cell, Int> { cell, _, number in cell.number = number }
      source = DiffableDataSource(collectionView: view) { view, path, item in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
      }
      var snapshot = source.snapshot()
      for section in 0..<6 {
        snapshot.appendSections([section])
        snapshot.appendItems(Array(section * 40..<(section + 1) * 40), toSection: section)
      }
      source.apply(snapshot)
      stage.run(frames: 30)
    }

    func turn(by notches: Double, after wait: FrameDuration) {
      let wheel = WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -notches)
      stage.events.append(.wheel(wheel), at: stage.clock.now() + wait)
    }
  }

  @Test("Whatever the layout, what is shown is what the layout has there", arguments: QuietFrameTests.Kind.allCases)
  func law(kind: QuietFrameTests.Kind) {
    var random = SplitMix64(seed: 77)
    let scene = Scene(kind.layout)
    scene.view.notchDistance = 24
    let sections = (0..<6).map { _ in 40 }
    var solution = kind.layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 400, height: 300), scale: .one), for: ItemCounts(sections))
    while !solution.isSettled { _ = solution.refine(atMost: 1_000) }
    var (late, forward) = (0, true)
    for _ in 0..<240 {
      if scene.view.contentOffset > scene.view.contentLength - 700 { forward = false }
      if scene.view.contentOffset < 100 { forward = true }
      scene.turn(by: forward ? 1 : -1, after: .milliseconds(.random(in: 1...15, using: &random)))
      let made = scene.view.statistics
      scene.stage.run(frames: 1)
      let record = scene.stage.loop.history.record(atAge: 0)
      // Where it could not be moved once more the next frame shows it.
      if record.isInputResampled { late += 1 } else { scene.stage.run(frames: 1) }
      if record.cellsEntered == 0 { #expect(scene.view.statistics.preparedForced == made.preparedForced) }
      let drawn = Set(
        (scene.stage.display.frames.last?.commands ?? []).map(\.description).filter { $0.hasPrefix("fill") }
          .map { $0.prefix { $0 != "#" } })
      let origin = scene.view.contentOrigin
      solution.visitItems(in: Rect(origin: origin, size: scene.view.bounds.size)) { items in
        for item in items {
          let place = DisplayScale.one.pixelRect(solution.frame(ofItem: item).offset(by: Point.zero - origin))
          #expect(drawn.contains("fill \(place.x),\(place.y) \(place.width)x\(place.height) "))
        }
      }
    }
    #expect(late > 20)
  }

  @Test("A row that would come in leaves the frame as it was drawn, and comes with the next")
  func declines() {
    let scene = Scene(StackLayout(facts: .init(heights: Array(repeating: 50, count: 240))))
    scene.view.notchDistance = 400
    scene.turn(by: 1, after: .zero)
    scene.stage.run(frames: 2)
    var declined = 0
    for _ in 0..<6 {
      let time = scene.stage.clock.now() + .milliseconds(6)
      scene.turn(by: 1, after: .milliseconds(6))
      scene.stage.run(frames: 1)
      let record = scene.stage.loop.history.record(atAge: 0)
      #expect(record.hitch == .zero)
      if !record.isInputResampled {
        declined += 1
        scene.stage.run(frames: 1)
        #expect(scene.stage.loop.history.record(atAge: 0).inputInstant == time)
      }
    }
    #expect(declined > 0)
    let first = Int(scene.view.contentOffset / 50)
    #expect(scene.view.visibleCells.compactMap { ($0 as? NumberWall.Cell)?.number }.first == first)
  }

  @Test("The delegate is told where the content is shown, in the frame that shows it")
  func told() {
    let scene = Scene(QuietFrameTests.Kind.list.layout)
    let teller = Teller()
    scene.view.delegate = teller
    scene.view.notchDistance = 12
    var late = 0
    for _ in 0..<40 {
      scene.turn(by: 1, after: .milliseconds(8))
      scene.stage.run(frames: 1)
      guard scene.stage.loop.history.record(atAge: 0).isInputResampled else { continue }
      late += 1
      #expect(teller.offset == scene.view.contentOffset)
    }
    #expect(late > 5)
  }

  private final class Teller: CollectionViewDelegate, CollectionViewScrollDelegate {
    var offset = 0.0

    func collectionViewDidScroll(_ collectionView: CollectionView) { offset = collectionView.contentOffset }
  }
}
