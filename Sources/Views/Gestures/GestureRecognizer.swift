public import VitrineFramePacing
public import VitrineGeometry

/// The base class of gesture recognizers, which receive the touches of a view and its subviews, and presses of the
/// pointer's primary button.
///
/// While recognizers are undecided, presses are held back from the views, and a finger that has left too. When a gesture
/// is recognized, the views do not receive them, unless ``cancelsTouchesInView`` is false; when all have failed, they do.
/// A recognizer of a view takes precedence over those of its superviews, and over the panning of scroll views.
@MainActor
public class GestureRecognizer {
  /// The state of a recognizer.
  public nonisolated enum State: Hashable, Sendable {
    /// The touches may be the gesture, or there are none.
    case possible
    /// The gesture has begun.
    case began
    /// The gesture has changed.
    case changed
    /// The gesture has ended, or a tap was recognized.
    case ended
    /// The gesture was interrupted.
    case cancelled
    /// The touches are not the gesture.
    case failed
  }

  /// The view whose touches are received.
  public fileprivate(set) final weak var view: View?
  /// The object that is asked before the gesture begins.
  public final weak var delegate: (any GestureRecognizerDelegate)?
  /// The state.
  public internal(set) final var state = State.possible
  /// Whether touches are received.
  ///
  /// Disabling a recognizer cancels its gesture. Default: true.
  public final var isEnabled = true {
    didSet { if !isEnabled { view?.window?.gestures?.cancelGestures(of: self) } }
  }
  /// Whether views do not receive the touches of a recognized gesture.
  ///
  /// Default: true.
  public final var cancelsTouchesInView = true

  /// The recognizers that must fail before this one begins.
  private(set) final var requiredFailures: [WeakRecognizer] = []
  /// What the recognizer waits for.
  final var kind: GestureKind
  /// The recognition, with its location and movement.
  final var machine: GestureMachine
  /// The location of a gesture without touches, or nil.
  final var externalLocation: Point?
  /// Calls the handler.
  private final var handler: (() -> Void)?

  struct WeakRecognizer { weak var recognizer: GestureRecognizer? }

  init(_ kind: GestureKind) {
    self.kind = kind
    machine = GestureMachine(kind)
  }

  final func setHandler(_ handler: @escaping () -> Void) { self.handler = handler }

  /// Makes this recognizer wait until another one has failed, as a tap waits for a double tap.
  public final func require(toFail other: GestureRecognizer) {
    requiredFailures.append(WeakRecognizer(recognizer: other))
  }

  /// Returns the location of the gesture in a view's coordinates; in the window's for nil.
  public final func location(in view: View?) -> Point {
    let location = externalLocation ?? machine.location
    return view?.convertFromWindow(location) ?? location
  }

  /// Changes the state, and calls the handler except for `possible` and `failed`.
  final func changeState(to state: State) {
    self.state = state
    if state != .possible, state != .failed { handler?() }
  }
}

/// The methods that decide whether gestures begin.
@MainActor
public protocol GestureRecognizerDelegate: AnyObject {
  /// Returns whether a gesture that was recognized begins; if not, it fails. By default, it does.
  func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool

  /// Returns whether two gestures may be recognized at the same time. By default, they may not.
  ///
  /// They may if the delegate of either recognizer permits it.
  func gestureRecognizer(
    _ recognizer: GestureRecognizer, shouldRecognizeSimultaneouslyWith other: GestureRecognizer
  ) -> Bool
}

extension GestureRecognizerDelegate {
  /// Returns true.
  public func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool { true }

  /// Returns false.
  public func gestureRecognizer(
    _ recognizer: GestureRecognizer, shouldRecognizeSimultaneouslyWith other: GestureRecognizer
  ) -> Bool { false }
}

// MARK: - Views

extension View {
  /// The gesture recognizers of the view.
  public final var gestureRecognizers: [GestureRecognizer] { effects?.recognizers ?? [] }

  /// Adds a recognizer, removing it from its former view.
  public final func addGestureRecognizer(_ recognizer: GestureRecognizer) {
    recognizer.view?.removeGestureRecognizer(recognizer)
    makeEffects().recognizers.append(recognizer)
    recognizer.view = self
  }

  /// Removes a recognizer and cancels its gesture.
  public final func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
    guard recognizer.view === self else { return }
    window?.gestures?.cancelGestures(of: recognizer)
    effects?.recognizers.removeAll { $0 === recognizer }
    recognizer.view = nil
  }
}

// MARK: - Kinds

/// A recognizer of one or several taps with a finger, or clicks.
@MainActor
public final class TapGestureRecognizer: GestureRecognizer {
  /// The number of taps.
  ///
  /// Default: 1.
  public var numberOfTapsRequired = 1 {
    didSet { kind = .tap(count: max(1, numberOfTapsRequired)) }
  }

  /// Creates a recognizer.
  ///
  /// - Parameter action: Called when the taps are recognized.
  public init(_ action: @escaping (TapGestureRecognizer) -> Void) {
    super.init(.tap(count: 1))
    setHandler { [unowned self] in action(self) }
  }
}

/// A recognizer of a finger, or pressed pointer, that stays in place for a time.
///
/// It begins when the time is over; the finger can then move.
@MainActor
public final class LongPressGestureRecognizer: GestureRecognizer {
  /// The time after which it begins.
  ///
  /// Default: 0.5 s.
  public var minimumPressDuration = TouchRecognizer.longPress {
    didSet { updateKind() }
  }
  /// The distance in points that the finger may move before.
  ///
  /// Default: 8.
  public var allowableMovement = TouchRecognizer.slop {
    didSet { updateKind() }
  }

  /// Creates a recognizer.
  ///
  /// - Parameter action: Called when the press begins, moves and ends.
  public init(_ action: @escaping (LongPressGestureRecognizer) -> Void) {
    super.init(.longPress(duration: TouchRecognizer.longPress, movement: TouchRecognizer.slop))
    setHandler { [unowned self] in action(self) }
  }

  private func updateKind() { kind = .longPress(duration: minimumPressDuration, movement: allowableMovement) }
}

/// A recognizer of fingers, or a pressed pointer, that move.
@MainActor
public final class PanGestureRecognizer: GestureRecognizer {
  /// The smallest number of fingers.
  ///
  /// Default: 1.
  public var minimumNumberOfTouches = 1 {
    didSet { updateKind() }
  }
  /// The largest number of fingers.
  ///
  /// Default: any.
  public var maximumNumberOfTouches = Int.max {
    didSet { updateKind() }
  }

  /// Creates a recognizer.
  ///
  /// - Parameter action: Called when the movement begins, continues and ends.
  public init(_ action: @escaping (PanGestureRecognizer) -> Void) {
    super.init(.pan(minimumTouches: 1, maximumTouches: .max))
    setHandler { [unowned self] in action(self) }
  }

  /// The movement since the touch, in points of the window.
  public var translation: Point { machine.translation }

  /// The velocity over the last tenth of a second, in points of the window per second.
  public var velocity: Point { machine.velocity }

  private func updateKind() {
    kind = .pan(minimumTouches: max(1, minimumNumberOfTouches), maximumTouches: max(1, maximumNumberOfTouches))
  }
}

/// A recognizer of two fingers that move apart or together, of a trackpad's pinch, and of the wheel with Control pressed.
@MainActor
public final class PinchGestureRecognizer: GestureRecognizer {
  /// The scale of a trackpad's pinch or of the wheel, or nil.
  var trackpadScale: Double?

  /// Creates a recognizer.
  ///
  /// - Parameter action: Called when the pinch begins, changes and ends.
  public init(_ action: @escaping (PinchGestureRecognizer) -> Void) {
    super.init(.pinch)
    setHandler { [unowned self] in action(self) }
  }

  /// The factor by which the distance of the fingers has grown since the pinch began.
  public var scale: Double { trackpadScale ?? machine.scale }
}
