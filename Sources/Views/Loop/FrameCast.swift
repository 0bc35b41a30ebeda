import FramePacing
import Geometry
import Rendering

/// Those who take part in frames, in their order; never changed, but replaced by another cast.
///
/// A chain of constants rather than an array: asking everybody counts no reference, as nothing of it can go away meanwhile.
final class FrameParticipantChain {
  /// The first to be asked.
  let first: any FrameParticipant
  /// Those behind.
  private let others: FrameParticipantChain?

  private init(_ first: any FrameParticipant, _ others: FrameParticipantChain?) {
    self.first = first
    self.others = others
  }

  /// The cast of some participants; nothing of none.
  static func chain(of participants: [any FrameParticipant]) -> FrameParticipantChain? {
    participants.reversed().reduce(nil) { FrameParticipantChain($1, $0) }
  }

  /// Whether somebody needs the next frame.
  var needsFrames: Bool { first.needsFrames || others?.needsFrames == true }

  /// Whether content moves because of somebody.
  var isTracked: Bool { first.isTracked || others?.isTracked == true }

  /// Whether something that somebody awaited is there by an instant.
  func hasArrivals(by now: FrameInstant) -> Bool {
    first.hasArrivals(by: now) || others?.hasArrivals(by: now) == true
  }

  /// Everybody goes on from where they were.
  func didStall(for duration: FrameDuration) {
    first.didStall(for: duration)
    others?.didStall(for: duration)
  }

  /// Whether somebody takes an event before the views do.
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

  /// Phase 8: whether somebody did a step.
  func performSlackStep(_ budget: FrameBudget) -> Bool {
    first.performSlackStep(budget) || others?.performSlackStep(budget) == true
  }

  /// After phase 8: whether nobody minds that the frame is drawn once more.
  func allowsInputResampling() -> Bool { first.allowsInputResampling() && others?.allowsInputResampling() != false }

  /// What late input moved; whether everybody can be drawn so.
  func resampleInput(at target: FrameInstant) -> Bool {
    first.resampleInput(at: target) && others?.resampleInput(at: target) != false
  }

  /// After presenting: whether somebody may have a step to do.
  var hasDeferredSteps: Bool { first.hasDeferredSteps || others?.hasDeferredSteps == true }

  /// After presenting: whether somebody did a step.
  func performDeferredStep(_ budget: FrameBudget) -> Bool {
    first.performDeferredStep(budget) || others?.performDeferredStep(budget) == true
  }

  /// At rest: whether somebody did a step.
  func prepareForMotion() -> Bool { first.prepareForMotion() || others?.prepareForMotion() == true }

  /// After presenting.
  func frameDidEnd(_ record: FrameRecord) {
    first.frameDidEnd(record)
    others?.frameDidEnd(record)
  }

  /// Between frames.
  func handleMemoryPressure() {
    first.handleMemoryPressure()
    others?.handleMemoryPressure()
  }

  /// Between frames, when none came for a while.
  func releaseIdleResources() {
    first.releaseIdleResources()
    others?.releaseIdleResources()
  }

  /// Everybody is told of the display's scale.
  func displayScaleDidChange(_ scale: DisplayScale) {
    first.displayScaleDidChange(scale)
    others?.displayScaleDidChange(scale)
  }
}
