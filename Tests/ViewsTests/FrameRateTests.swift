import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("A whole scroll view is where it is at 60 frames a second, at 144 and at none in particular")
struct FrameRateTests {
  /// How long after the frame before one comes, in milliseconds; nothing at no rate in particular.
  nonisolated static let intervals: [Double?] = [1_000.0 / 60, 1_000.0 / 144, nil]

  private typealias Act = (milliseconds: Double, kind: InputEvent.Kind)

  private static let place = Point(x: 100, y: 150)

  private static func wheel(_ delta: Double) -> InputEvent.Kind {
    .wheel(WheelInput(location: place, deltaX: 0, deltaY: -delta))
  }

  private static func touch(_ phase: TouchInput.Phase, _ y: Double) -> InputEvent.Kind {
    .touch(TouchInput(finger: 1, phase: phase, location: Point(x: 100, y: y)))
  }

  private static func key(_ key: Key, isDown: Bool = true) -> InputEvent.Kind {
    isDown ? .keyDown(key, modifiers: [], isRepeat: false) : .keyUp(key, modifiers: [])
  }

  /// A finger that is drawn up and let go in movement.
  private static func swipe(from start: Double) -> [Act] {
    var acts: [Act] = [(start, touch(.began, 280))]
    for step in 1...6 {
      let way = Double(step * step) * 4
      acts.append((start + Double(step) * 7.3, touch(.moved, 280 - way)))
    }
    acts.append((start + 48, touch(.ended, 136)))
    return acts
  }

  /// Deltas of a trackpad, which then says nothing more.
  private static func burst(from start: Double) -> [Act] {
    var acts: [Act] = []
    for step in 0..<9 {
      let delta = 1.37 + Double(step) * 0.113
      acts.append((start + Double(step) * 9.1, wheel(delta)))
    }
    return acts
  }

  private struct Scene {
    var name: String
    var acts: [Act]
    var isPaging = false
    var hasDelegate = false
  }

  private static let scenes = [
    Scene(name: "notches", acts: [(103, wheel(1)), (171, wheel(1)), (205, wheel(1)), (990, wheel(-2))]),
    Scene(name: "a key that is held", acts: [(107, key(.down)), (1_111, key(.down, isDown: false))]),
    Scene(name: "one let go soon", acts: [(107, key(.down)), (431, key(.down, isDown: false))]),
    Scene(
      name: "one taken over by another, and by a wheel",
      acts: [(107, key(.down)), (630, key(.up)), (1_300, wheel(1)), (1_400, key(.up, isDown: false))]),
    Scene(
      name: "pages and ends", acts: [(107, key(.pageDown)), (250, key(.space)), (700, key(.end)), (1_100, key(.up))]),
    Scene(name: "a finger", acts: swipe(from: 111)),
    Scene(name: "a finger over pages", acts: swipe(from: 111) + swipe(from: 1_200), isPaging: true),
    Scene(name: "a finger where a delegate says", acts: swipe(from: 111), hasDelegate: true),
    Scene(name: "a trackpad", acts: burst(from: 103)),
    Scene(name: "a trackpad over pages", acts: burst(from: 103), isPaging: true),
    Scene(name: "a trackpad where a delegate says", acts: burst(from: 103) + burst(from: 1_500), hasDelegate: true),
  ]

  private final class Thirds: ScrollViewDelegate {
    func scrollViewWillEndDragging(
      _ view: ScrollView, withVelocity velocity: Double, targetContentOffset: inout Double
    ) { targetContentOffset = (targetContentOffset / 333).rounded() * 333 }
  }

  /// Where the content is every twelfth of a second, which is a frame at any rate.
  private func path(of scene: Scene, every interval: Double?) -> [Double] {
    let (stage, view) = ScrollViewTests.stage(contentLength: 20_000)
    let delegate = Thirds()
    if scene.hasDelegate { view.scrollDelegate = delegate }
    view.isPagingEnabled = scene.isPaging
    stage.run(milliseconds: 2_000)
    // Rested: from here on the frames are this test's.
    let start = stage.clock.now() + .milliseconds(100)
    var (path, next, frame, number) = ([Double](), 0, 0.0, 0)
    var random = SeededGenerator(seed: 5)
    for sample in 1...36 {
      let due = Double(sample) * 1_000 / 12
      while frame < due {
        number += 1
        frame = min(due, interval.map { $0 * Double(number) } ?? frame + .random(in: 2...50, using: &random))
        if due - frame < 0.001 { frame = due }
        while next < scene.acts.count, scene.acts[next].milliseconds <= frame {
          let act = scene.acts[next]
          stage.window.dispatch(InputEvent(time: start + .milliseconds(act.milliseconds), kind: act.kind))
          next += 1
        }
        view.update(at: start + .milliseconds(frame))
      }
      path.append(view.scroll.offset(at: start + .milliseconds(due)))
    }
    return path
  }

  @Test("Wheels, held keys, fingers, trackpads, pages and delegates: within 0.01 point")
  func hands() {
    for scene in FrameRateTests.scenes {
      let paths = FrameRateTests.intervals.map { path(of: scene, every: $0) }
      #expect(Set(paths[0]).count > 4, "\(scene.name) moves")
      for other in paths.dropFirst() {
        let off = zip(paths[0], other).map { ($0 - $1).magnitude }.max() ?? .infinity
        #expect(off < 0.01, "\(scene.name): \(off)")
      }
    }
  }

  @Test("What the program asks for after a rest goes the same way from the frame that shows it first")
  func program() {
    var paths: [[Double]] = []
    for interval in FrameRateTests.intervals {
      let (stage, view) = ScrollViewTests.stage(contentLength: 20_000)
      stage.run(milliseconds: 9_000)
      let first = stage.clock.now() + .milliseconds(700)
      view.scroll(to: 400, animated: true)
      view.setContentLength(20_100, adjustingOffsetBy: 100)
      view.update(at: first)
      var (path, frame, number) = ([view.scroll.offset(at: first)], 0.0, 0)
      var random = SeededGenerator(seed: 8)
      for sample in 1...12 {
        let due = Double(sample) * 1_000 / 12
        while frame < due - 0.001 {
          number += 1
          frame = min(due, interval.map { $0 * Double(number) } ?? frame + .random(in: 2...50, using: &random))
          view.update(at: first + .milliseconds(frame))
        }
        path.append(view.scroll.offset(at: first + .milliseconds(due)))
      }
      paths.append(path)
    }
    #expect(paths[0].first == 100 && paths[0].last == 500 && Set(paths[0]).count > 4)
    for other in paths.dropFirst() {
      #expect(zip(paths[0], other).allSatisfy { ($0 - $1).magnitude < 0.01 })
    }
  }
}
