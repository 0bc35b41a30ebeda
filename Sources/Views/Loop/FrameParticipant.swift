public import VitrineFramePacing
public import VitrineGeometry
public import VitrineRendering

/// An object that takes part in every frame, for example to scroll, to deliver finished work, or to prepare content
/// ahead.
///
/// Each method belongs to a phase; the defaults do nothing.
@MainActor
public protocol FrameParticipant: AnyObject {
  /// Whether the participant needs the next frame.
  var needsFrames: Bool { get }
  /// The instant at which the participant needs a frame if nothing else happens, or nil.
  ///
  /// For content that changes in steps, such as the hand of a clock: the loop is idle until then. Queried while the
  /// loop is idle; the resulting frame must change the value to a later instant or nil.
  var nextFrame: FrameInstant? { get }
  /// Whether the participant moves content; such frames can be hitches.
  var isTracked: Bool { get }
  /// The instant at which something arrives for the participant on a simulated clock, or nil.
  var nextArrival: FrameInstant? { get }
  /// Returns whether something has arrived by an instant and waits for a collect phase.
  func hasArrivals(by now: FrameInstant) -> Bool

  /// Called when the object becomes a participant and when the display scale changes.
  func displayScaleDidChange(_ scale: DisplayScale)
  /// Called between frames after a stall during motion, as when the process was stopped or presenting was held back.
  ///
  /// Motion continues from the position that was last shown.
  func didStall(for duration: FrameDuration)
  /// Handles an event before the views do.
  ///
  /// - Returns: Whether the event was handled.
  func intercept(_ event: InputEvent) -> Bool
  /// Phase 2: evaluates motion at the frame's target time.
  func update(at target: FrameInstant)
  /// Phase 3: collects finished work of other threads.
  func collect(_ budget: FrameBudget)
  /// Phase 4: maps the visible rectangle to items.
  func layout()
  /// Phase 5, before drawing: prepares entering content.
  func commit(_ record: inout FrameRecord)
  /// Phase 8: performs a slack step if one fits.
  ///
  /// - Returns: Whether a step was performed.
  func performSlackStep(_ budget: FrameBudget) -> Bool
  /// Returns whether the frame may be redrawn for input that arrived after phase 8 and can only move content.
  ///
  /// Called before the input is dispatched to views; all participants must return true.
  func allowsInputResampling() -> Bool
  /// Evaluates motion for the same target time again, after late input was dispatched to views.
  ///
  /// Other consequences of the input, such as other cells, belong to the next frame.
  ///
  /// - Returns: Whether the result can be drawn; otherwise the frame is shown as drawn before.
  func resampleInput(at target: FrameInstant) -> Bool
  /// Whether ``performDeferredStep(_:)`` is to be called after presenting a frame in motion.
  ///
  /// Queried first, because the loop polls input and reads its clocks before a step that may delay the next frame.
  var hasDeferredSteps: Bool { get }
  /// Performs a step that did not fit before presenting, if it fits before the next deadline minus the predicted
  /// commit.
  ///
  /// Called only if presenting does not wait for the refresh. The step delays the next frame, so all that this frame
  /// needs must be prepared. Called once per frame in motion, if ``hasDeferredSteps`` is true; at rest repeatedly,
  /// until it returns false or there is input or an arrival, because no delay is visible then.
  ///
  /// - Returns: Whether a step was performed.
  func performDeferredStep(_ budget: FrameBudget) -> Bool
  /// Performs a step of preparing the first frames of a motion, while the loop is idle.
  ///
  /// For work that any motion needs, such as creating cells to be configured later. Called repeatedly until it returns
  /// false, there is input, or a frame is needed: a step delays the first input and must be short.
  ///
  /// - Returns: Whether a step was performed.
  func prepareForMotion() -> Bool
  /// Called after presenting, when the frame's record is final.
  func frameDidEnd(_ record: FrameRecord)
  /// Called between frames when memory is low; releases what can be recreated.
  func handleMemoryPressure()
  /// Called once between frames after an idle time; releases memory reserved for further frames that is cheap to
  /// allocate again.
  func releaseIdleResources()
  /// Called when the object takes part in no more frames, so that nothing must wait for one.
  func framesDidEnd()
}

// MARK: - Defaults

extension FrameParticipant {
  /// False.
  public var needsFrames: Bool { false }
  /// Nil.
  public var nextFrame: FrameInstant? { nil }
  /// False.
  public var isTracked: Bool { false }
  /// Nil.
  public var nextArrival: FrameInstant? { nil }
  /// Whether ``nextArrival`` is due.
  public func hasArrivals(by now: FrameInstant) -> Bool { nextArrival.map { $0 <= now } ?? false }
  /// Does nothing.
  public func didStall(for duration: FrameDuration) {}
  /// Does nothing.
  public func displayScaleDidChange(_ scale: DisplayScale) {}
  /// Returns false.
  public func intercept(_ event: InputEvent) -> Bool { false }
  /// Does nothing.
  public func update(at target: FrameInstant) {}
  /// Does nothing.
  public func collect(_ budget: FrameBudget) {}
  /// Does nothing.
  public func layout() {}
  /// Does nothing.
  public func commit(_ record: inout FrameRecord) {}
  /// Returns false.
  public func performSlackStep(_ budget: FrameBudget) -> Bool { false }
  /// Returns true.
  public func allowsInputResampling() -> Bool { true }
  /// Returns true.
  public func resampleInput(at target: FrameInstant) -> Bool { true }
  /// False.
  public var hasDeferredSteps: Bool { false }
  /// Returns false.
  public func performDeferredStep(_ budget: FrameBudget) -> Bool { false }
  /// Returns false.
  public func prepareForMotion() -> Bool { false }
  /// Does nothing.
  public func frameDidEnd(_ record: FrameRecord) {}
  /// Does nothing.
  public func handleMemoryPressure() {}
  /// Does nothing.
  public func releaseIdleResources() {}
  /// Does nothing.
  public func framesDidEnd() {}
}

// MARK: - Budget

/// The time budget of a phase: a clock and a limit.
public struct FrameBudget {
  /// The frame's clock.
  public let clock: any FrameClock
  /// The time by which the phase should end.
  public internal(set) var limit: FrameInstant
  /// The target of the frame.
  public let target: FrameInstant
  /// The limits of slack work; nil in other phases.
  public let slack: SlackBudget?

  /// Creates a budget.
  public init(clock: any FrameClock, limit: FrameInstant, target: FrameInstant, slack: SlackBudget? = nil) {
    self.clock = clock
    self.limit = limit
    self.target = target
    self.slack = slack
  }

  /// The remaining time; zero after the limit.
  public var remaining: FrameDuration { max(.zero, limit - clock.now()) }

  /// Returns whether a cost fits before the limit; in slack with a reserve, because work takes longer there than
  /// measured.
  public func allows(_ cost: FrameDuration) -> Bool {
    clock.now() + cost + (slack?.longestReserve ?? .zero) < limit
  }
}

// MARK: - Chain

/// An immutable linked list of the frame participants, replaced when they change.
///
/// Calling all participants through constants counts no references, unlike iterating over an array.
final class FrameParticipantChain {
  /// The first participant.
  let first: any FrameParticipant
  /// The other participants.
  private let others: FrameParticipantChain?

  private init(_ first: any FrameParticipant, _ others: FrameParticipantChain?) {
    self.first = first
    self.others = others
  }

  /// Returns a chain of participants, or nil if there are none.
  static func chain(of participants: [any FrameParticipant]) -> FrameParticipantChain? {
    participants.reversed().reduce(nil) { FrameParticipantChain($1, $0) }
  }

  /// Whether any participant needs the next frame.
  var needsFrames: Bool { first.needsFrames || others?.needsFrames == true }

  /// Whether any participant moves content.
  var isTracked: Bool { first.isTracked || others?.isTracked == true }

  /// Returns whether something has arrived for any participant by an instant.
  func hasArrivals(by now: FrameInstant) -> Bool {
    first.hasArrivals(by: now) || others?.hasArrivals(by: now) == true
  }

  /// Notifies all participants of a stall.
  func didStall(for duration: FrameDuration) {
    first.didStall(for: duration)
    others?.didStall(for: duration)
  }

  /// Returns whether any participant handled an event before the views.
  func intercept(_ event: InputEvent) -> Bool { first.intercept(event) || others?.intercept(event) == true }

  /// Phase 2.
  func update(at target: FrameInstant) {
    first.update(at: target)
    others?.update(at: target)
  }

  /// Phase 3.
  func collect(_ budget: FrameBudget) {
    first.collect(budget)
    others?.collect(budget)
  }

  /// Phase 4.
  func layout() {
    first.layout()
    others?.layout()
  }

  /// Phase 5.
  func commit(_ record: inout FrameRecord) {
    first.commit(&record)
    others?.commit(&record)
  }

  /// Phase 8; returns whether a participant performed a step.
  func performSlackStep(_ budget: FrameBudget) -> Bool {
    first.performSlackStep(budget) || others?.performSlackStep(budget) == true
  }

  /// After phase 8; returns whether all participants allow the frame to be redrawn.
  func allowsInputResampling() -> Bool { first.allowsInputResampling() && others?.allowsInputResampling() != false }

  /// Evaluates motion after late input; returns whether all participants can be drawn.
  func resampleInput(at target: FrameInstant) -> Bool {
    first.resampleInput(at: target) && others?.resampleInput(at: target) != false
  }

  /// Whether any participant may have a step after presenting.
  var hasDeferredSteps: Bool { first.hasDeferredSteps || others?.hasDeferredSteps == true }

  /// After presenting; returns whether a participant performed a step.
  func performDeferredStep(_ budget: FrameBudget) -> Bool {
    first.performDeferredStep(budget) || others?.performDeferredStep(budget) == true
  }

  /// At rest; returns whether a participant performed a step.
  func prepareForMotion() -> Bool { first.prepareForMotion() || others?.prepareForMotion() == true }

  /// After presenting.
  func frameDidEnd(_ record: FrameRecord) {
    first.frameDidEnd(record)
    others?.frameDidEnd(record)
  }

  /// Between frames, when memory is low.
  func handleMemoryPressure() {
    first.handleMemoryPressure()
    others?.handleMemoryPressure()
  }

  /// Between frames, after an idle time.
  func releaseIdleResources() {
    first.releaseIdleResources()
    others?.releaseIdleResources()
  }

  /// Notifies all participants of the display scale.
  func displayScaleDidChange(_ scale: DisplayScale) {
    first.displayScaleDidChange(scale)
    others?.displayScaleDidChange(scale)
  }
}

/// The participants of a window in the current phase, retained across phases so that calling them counts no references.
struct CurrentParticipants {
  /// The participants, or nil if there are none.
  private(set) var chain: FrameParticipantChain?
  private var version = -1

  /// Updates the participants at the start of a phase.
  mutating func refresh(from window: Window) {
    guard version != window.participantChainVersion else { return }
    version = window.participantChainVersion
    chain = window.participantChain
  }
}
