import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import Views

/// Carries out the steps of a script: gives a window the keys and a scroll view the events that a hand would.
///
/// The steps begin with the first frame, each in the first frame that is due when the ones before it have taken their
/// time; after the last the loop may rest.
final class ScriptStepDriver: FrameParticipant {
  private let steps: [ScriptStep]
  private weak var window: Window?
  private weak var scrollView: ScrollView?
  private let environment: (any ScriptEnvironment)?
  private var nextStepIndex = 0
  private var nextStepInstant: FrameInstant?
  private var isSteady = false
  /// Where the pointer is, and where it goes.
  private var pointerLocation = Point.zero
  private var pointerMotion: (from: Point, to: Point, begin: FrameInstant, seconds: Double)?

  init(_ steps: [ScriptStep], window: Window, scrollView: ScrollView?, stagehand: (any ScriptEnvironment)? = nil) {
    self.environment = stagehand
    self.steps = steps
    self.window = window
    self.scrollView = scrollView
  }

  var needsFrames: Bool { nextStepIndex < steps.count || isSteady || pointerMotion != nil }

  func update(at target: FrameInstant) {
    var due = self.nextStepInstant ?? target
    while needsFrames, due <= target {
      movePointer(to: due, at: target)
      if isSteady {
        isSteady = false
        scrollView?.applyScrollEvent(.stop, at: target)
      }
      guard nextStepIndex < steps.count else { break }
      due = due + perform(steps[nextStepIndex], from: due, at: target)
      nextStepIndex += 1
    }
    movePointer(to: target, at: target)
    self.nextStepInstant = due
  }

  /// The pointer goes on as far as it has come by an instant, at the latest where it goes.
  private func movePointer(to instant: FrameInstant, at target: FrameInstant) {
    guard let pointerMotion else { return }
    let share =
      pointerMotion.seconds > 0 ? min(1, max(0, (instant - pointerMotion.begin).seconds / pointerMotion.seconds)) : 1
    if share >= 1 { self.pointerMotion = nil }
    pointerLocation = Point(
      x: pointerMotion.from.x + (pointerMotion.to.x - pointerMotion.from.x) * share,
      y: pointerMotion.from.y + (pointerMotion.to.y - pointerMotion.from.y) * share)
    window?.dispatch(InputEvent(time: target, kind: .pointerMoved(pointerLocation)))
  }

  /// Does a step.
  ///
  /// - Returns: how long the next one waits for it.
  private func perform(_ step: ScriptStep, from due: FrameInstant, at target: FrameInstant) -> FrameDuration {
    switch step {
    case .wait(let seconds): return .seconds(seconds)
    case .key(let key, let modifiers):
      window?.dispatch(InputEvent(time: target, kind: .keyDown(key, modifiers: modifiers, isRepeat: false)))
      if let text = ScriptStepDriver.text(of: key, modifiers) {
        window?.dispatch(InputEvent(time: target, kind: .text(text)))
      }
      window?.dispatch(InputEvent(time: target, kind: .keyUp(key, modifiers: modifiers)))
    case .press(let place):
      pointerLocation = place
      window?.dispatch(InputEvent(time: target, kind: .pointerMoved(place)))
      window?.dispatch(
        InputEvent(time: target, kind: .pointerDown(place, button: .primary, clicks: 1, modifiers: [])))
    case .move(let place, let seconds):
      pointerMotion = (pointerLocation, place, due, seconds)
      return .seconds(seconds)
    case .release:
      window?.dispatch(InputEvent(time: target, kind: .pointerUp(pointerLocation, button: .primary, modifiers: [])))
    case .jump(let fraction):
      guard let range = scrollView?.scroll.range else { break }
      scrollView?.applyScrollEvent(.jump(to: range.minimum + fraction * range.length), at: target)
    case .wheel(let notches): sendWheel(by: notches, at: target)
    case .zoom(let notches): sendWheel(by: Double(notches), .control, at: target)
    case .flick(let velocity): scrollView?.applyScrollEvent(.flick(velocity: velocity, accumulating: false), at: target)
    case .steady(let velocity, let seconds):
      scrollView?.applyScrollEvent(.steady(velocity: velocity), at: target)
      isSteady = true
      return .seconds(seconds)
    case .resize(let size): environment?.resize(to: size)
    case .shuffle: environment?.shuffleItems()
    case .refresh(let hertz): environment?.changeRefreshRate(to: hertz)
    case .fault(let fault): environment?.injectFault(fault)
    }
    return .zero
  }

  /// The signs on an American keyboard, and what Shift makes of them.
  private static let (plain, shifted) = ("`1234567890-=[]\\;',./", "~!@#$%^&*()_+{}|:\"<>?")

  /// What a key types; nothing for one that means something else.
  private static func text(of key: Key, _ modifiers: KeyModifiers) -> String? {
    guard modifiers.isSubset(of: .shift) else { return nil }
    switch key {
    case .character(let character):
      guard !modifiers.isEmpty else { return String(character) }
      return zip(plain, shifted).first { $0.0 == character }.map { String($0.1) } ?? character.uppercased()
    case .space: return " "
    default: return nil
    }
  }

  /// Turns the wheel in the middle of the window, away from the hand where positive.
  private func sendWheel(by notches: Double, _ modifiers: KeyModifiers = [], at target: FrameInstant) {
    guard let frame = window?.root.frame else { return }
    let wheel = WheelInput(
      location: Point(x: frame.midX, y: frame.midY), deltaX: 0, deltaY: notches, modifiers: modifiers)
    window?.dispatch(InputEvent(time: target, kind: .wheel(wheel)))
  }
}
