import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import Views

/// Carries out the steps of a script: gives a window the keys and a scroll view the events that a hand would.
///
/// The steps begin with the first frame, each in the first frame that is due when the ones before it have taken their
/// time; after the last the loop may rest.
final class StepDriver: FrameParticipant {
  private let steps: [ScriptStep]
  private weak var window: Window?
  private weak var scrollView: ScrollView?
  private var next = 0
  private var due: FrameInstant?
  private var isSteady = false

  init(_ steps: [ScriptStep], window: Window, scrollView: ScrollView?) {
    self.steps = steps
    self.window = window
    self.scrollView = scrollView
  }

  var needsFrames: Bool { next < steps.count || isSteady }

  func update(at target: FrameInstant) {
    var due = self.due ?? target
    while needsFrames, due <= target {
      if isSteady {
        isSteady = false
        scrollView?.act(.stop, at: target)
      }
      guard next < steps.count else { break }
      due = due + carryOut(steps[next], at: target)
      next += 1
    }
    self.due = due
  }

  /// Does a step.
  ///
  /// - Returns: how long the next one waits for it.
  private func carryOut(_ step: ScriptStep, at target: FrameInstant) -> FrameDuration {
    switch step {
    case .wait(let seconds): return .seconds(seconds)
    case .key(let key):
      window?.dispatch(InputEvent(time: target, kind: .keyDown(key, modifiers: [], isRepeat: false)))
      window?.dispatch(InputEvent(time: target, kind: .keyUp(key, modifiers: [])))
    case .jump(let fraction):
      guard let range = scrollView?.scroll.range else { break }
      scrollView?.act(.jump(to: range.minimum + fraction * range.length), at: target)
    case .zoom(let notches):
      guard let frame = window?.root.frame else { break }
      let wheel = WheelInput(
        location: Point(x: frame.midX, y: frame.midY), deltaX: 0, deltaY: Double(notches), modifiers: .control)
      window?.dispatch(InputEvent(time: target, kind: .wheel(wheel)))
    case .flick(let velocity): scrollView?.act(.flick(velocity: velocity, accumulating: false), at: target)
    case .steady(let velocity, let seconds):
      scrollView?.act(.steady(velocity: velocity), at: target)
      isSteady = true
      return .seconds(seconds)
    }
    return .zero
  }
}
