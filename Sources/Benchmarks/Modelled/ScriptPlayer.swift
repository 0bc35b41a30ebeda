import BenchmarkSupport
import CollectionUI
import FramePacing
import ScrollPhysics
import Views

/// Plays a script of gestures on a view, by refreshes.
@MainActor
final class ScriptPlayer: FrameParticipant {
  private let view: CollectionView
  private let script: GestureScript
  private let interval: FrameDuration
  private var origin: FrameInstant?
  private var next = 0
  /// The refresh of the frame that was begun last, counted from the script's beginning.
  private(set) var refresh = 0

  init(_ script: GestureScript, on view: CollectionView, interval: FrameDuration) {
    (self.script, self.view, self.interval) = (script, view, interval)
  }

  var needsFrames: Bool { true }

  func update(at target: FrameInstant) {
    let start = origin ?? target
    origin = start
    refresh = Int(((target - start).seconds / interval.seconds).rounded())
    for step in script.gestures(upTo: refresh, from: &next) { act(step.gesture, at: target) }
  }

  private func act(_ gesture: ScrollGesture, at target: FrameInstant) {
    let range = view.scroll.range
    func place(_ share: Double) -> Double { range.minimum + (range.maximum - range.minimum) * share }
    switch gesture {
    case .steady(let speed): view.applyScrollEvent(.steady(velocity: speed), at: target)
    case .flick(let speed): view.applyScrollEvent(.flick(velocity: speed, accumulating: false), at: target)
    case .page(let pages): view.applyScrollEvent(.page(by: pages), at: target)
    case .glide(let share): view.applyScrollEvent(.scrollTo(place(share), animated: true), at: target)
    case .jump(let share): view.applyScrollEvent(.jump(to: place(share)), at: target)
    case .stop: view.applyScrollEvent(.stop, at: target)
    }
  }
}
