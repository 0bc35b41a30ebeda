import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@testable import CollectionUI

@Suite("A section that scrolls across is where it is at any number of frames a second")
struct AcrossFrameRateTests {
  private typealias Act = (milliseconds: Double, kind: InputEvent.Kind)

  private static func wheel(_ delta: Double) -> InputEvent.Kind {
    .wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: delta, deltaY: 0))
  }

  private static func touch(_ phase: TouchInput.Phase, _ x: Double) -> InputEvent.Kind {
    .touch(TouchInput(finger: 1, phase: phase, location: Point(x: x, y: 50)))
  }

  private static func swipe(from start: Double) -> [Act] {
    var acts: [Act] = [(start, touch(.began, 380))]
    for step in 1...6 {
      let way = Double(step * step) * 4
      acts.append((start + Double(step) * 7.3, touch(.moved, 380 - way)))
    }
    acts.append((start + 48, touch(.ended, 236)))
    return acts
  }

  private static func burst(from start: Double) -> [Act] {
    var acts: [Act] = []
    for step in 0..<9 {
      let delta = 1.37 + Double(step) * 0.113
      acts.append((start + Double(step) * 9.1, wheel(delta)))
    }
    return acts
  }

  private static let notches: [Act] = [(103, wheel(1)), (140, wheel(1))]

  private static let keys: [Act] = [
    (103, .pointerMoved(Point(x: 300, y: 50))),
    (110, .keyDown(.right, modifiers: [], isRepeat: false)),
    (150, .keyDown(.right, modifiers: [], isRepeat: true)),
  ]

  private static let scenes: [(name: String, acts: [Act])] = [
    ("notches", notches), ("a trackpad", burst(from: 103)),
    ("two swipes", swipe(from: 111) + swipe(from: 700)), ("the pointer and a key", keys),
  ]

  /// Where the section is every twelfth of a second, with frames so many milliseconds apart, or at no particular rate.
  private func path(_ behavior: OrthogonalScrollingBehavior, _ acts: [Act], every interval: Double?) -> [Double] {
    let wall = NumberWall([Array(0..<50), Array(100..<140)], layout: Shelves.layout(behavior))
    let start = wall.stage.clock.now() + .milliseconds(100)
    var (path, next, frame, number) = ([Double](), 0, 0.0, 0)
    var random = SeededGenerator(seed: 5)
    for sample in 1...30 {
      let due = Double(sample) * 1_000 / 12
      while frame < due {
        number += 1
        frame = min(due, interval.map { $0 * Double(number) } ?? frame + .random(in: 2...50, using: &random))
        if due - frame < 0.001 { frame = due }
        while next < acts.count, acts[next].milliseconds <= frame {
          wall.stage.window.dispatch(
            InputEvent(time: start + .milliseconds(acts[next].milliseconds), kind: acts[next].kind))
          next += 1
        }
        wall.view.update(at: start + .milliseconds(frame))
      }
      path.append(wall.view.orthogonal.offset(of: 0, at: start + .milliseconds(due)))
    }
    wall.view.update(at: start + .seconds(20))
    #expect(wall.view.orthogonal.activeCount == 0, "it rests, and is looked at no more")
    return path
  }

  @Test(
    "By every device and to every place to rest at, within 0.01 point",
    arguments: [
      .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered,
    ] as [OrthogonalScrollingBehavior])
  func rates(behavior: OrthogonalScrollingBehavior) {
    for scene in AcrossFrameRateTests.scenes {
      let paths = [1_000.0 / 60, 1_000.0 / 144, nil].map { path(behavior, scene.acts, every: $0) }
      #expect(Set(paths[0]).count > 2, "\(scene.name) moves")
      for other in paths.dropFirst() {
        let off = zip(paths[0], other).map { ($0 - $1).magnitude }.max() ?? .infinity
        #expect(off < 0.01, "\(scene.name): \(off)")
      }
    }
  }
}
