import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineScrollPhysics
import VitrineViews

/// A frame participant that performs the steps of a script file by sending input to a window and a scroll view.
///
/// The steps start with the first frame. Each is performed in the first frame after the durations of the preceding
/// steps. After the last step, the loop may become idle.
final class ScriptStepDriver: FrameParticipant {
  private let steps: [ScriptStep]
  private weak var window: Window?
  private weak var scrollView: ScrollView?
  private let environment: (any ScriptEnvironment)?
  private var nextStepIndex = 0
  private var nextStepInstant: FrameInstant?
  private var isSteady = false
  /// The pointer's location, and its motion if it is moving.
  private var pointerLocation = Point.zero
  private var pointerMotion: (from: Point, to: Point, begin: FrameInstant, seconds: Double)?

  init(
    _ steps: [ScriptStep], window: Window, scrollView: ScrollView?,
    environment: (any ScriptEnvironment)? = nil
  ) {
    self.environment = environment
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

  /// Moves the pointer to its location at an instant.
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

  /// Performs a step.
  ///
  /// - Returns: The delay before the next step.
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

  /// The symbol keys of an American keyboard, and their symbols with Shift.
  private static let (plain, shifted) = ("`1234567890-=[]\\;',./", "~!@#$%^&*()_+{}|:\"<>?")

  /// Returns the text that a key types, or nil if it types none.
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

  /// Turns the wheel in the middle of the window.
  ///
  /// Positive values scroll toward the start.
  private func sendWheel(by notches: Double, _ modifiers: KeyModifiers = [], at target: FrameInstant) {
    guard let frame = window?.rootView.frame else { return }
    let wheel = WheelInput(
      location: Point(x: frame.midX, y: frame.midY), deltaX: 0, deltaY: notches, modifiers: modifiers)
    window?.dispatch(InputEvent(time: target, kind: .wheel(wheel)))
  }
}

/// The actions of a script that concern the environment of the scroll view.
protocol ScriptEnvironment: AnyObject {
  /// Resizes the window. The size is in points.
  func resize(to size: Size)
  /// Changes the display's refresh rate.
  func changeRefreshRate(to hertz: Double)
  /// Simulates a fault.
  func injectFault(_ fault: ScriptFault)
  /// Shuffles the items with an animated update.
  func shuffleItems()
}

/// The script environment of a host's window.
final class HostScriptEnvironment: ScriptEnvironment {
  private let window: SDLDisplay
  private weak var loop: CommitLoop?
  private let faultInjector: FaultInjector?
  private let onShuffle: (() -> Void)?

  init(_ window: SDLDisplay, _ loop: CommitLoop, _ faultInjector: FaultInjector?, onShuffle: (() -> Void)?) {
    self.window = window
    self.loop = loop
    self.faultInjector = faultInjector
    self.onShuffle = onShuffle
  }

  func resize(to size: Size) {
    window.resize(to: size)
    // Without a window system, no event reports the change.
    loop?.displaySizeDidChange()
  }

  func changeRefreshRate(to hertz: Double) {
    faultInjector?.display.refreshHz = hertz
    loop?.displayRateDidChange()
  }

  func injectFault(_ fault: ScriptFault) {
    switch fault {
    case .stop(let milliseconds): faultInjector?.clock.stall(for: .milliseconds(milliseconds))
    case .present(let milliseconds): faultInjector?.display.presentDelay = .milliseconds(milliseconds)
    case .wake(let milliseconds): faultInjector?.clock.delayNextWake(by: .milliseconds(milliseconds))
    case .cost(let milliseconds): faultInjector?.clock.exceedNextCost(by: .milliseconds(milliseconds))
    }
  }

  func shuffleItems() { onShuffle?() }
}
