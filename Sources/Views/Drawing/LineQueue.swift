import FramePacing

/// Labels whose line of type may come some frames after the rest: what a frame has no time for is painted in slack.
///
/// Shaping and painting a line costs more than the rest of a cell. Where a screen of cells comes in one frame, as by a jump
/// or under a dragged thumb, that frame's time belongs to their pictures.
public final class DeferredLineQueue {
  /// The part of a frame's time after which lines wait: of that from its start to its deadline, less what drawing the last
  /// frame's commands took.
  public static let frameTimeShare = 0.5

  private var waiting: [Label] = []
  /// When lines begin to wait in the frame that draws; nil where none do.
  private var paintLimit: FrameInstant?
  /// The loop's, taken once: a frame is not to retain anything.
  private var clock: (any FrameClock)?
  private var cost = CostEstimate()

  /// What painting a line has to have time for.
  private var expectedCost: FrameDuration { cost.conservative ?? .microseconds(300) }

  /// Whether no label waits.
  public var isEmpty: Bool { waiting.isEmpty }

  /// How many labels wait.
  public var count: Int { waiting.count }

  /// A frame draws: lines that may wait are painted until an instant.
  func beginFrame(_ clock: any FrameClock, until instant: FrameInstant) {
    if self.clock == nil { self.clock = clock }
    paintLimit = instant
  }

  /// The frame was drawn: what is drawn ahead of its being seen is drawn whole.
  func endFrame() {
    paintLimit = nil
  }

  /// Whether a line that may wait is painted now.
  func canPaintLine() -> Bool {
    guard let paintLimit else { return true }
    if let clock, clock.now() < paintLimit { return true }
    // Once the time is up it stays so.
    self.paintLimit = .distantPast
    return false
  }

  /// A label waits for its line.
  func addLabel(_ label: Label) {
    guard !label.isAwaitingLine else { return }
    label.isAwaitingLine = true
    waiting.append(label)
  }

  /// Paints the line of the label that waits longest, if that fits; the frame after shows it.
  ///
  /// - Parameters:
  ///   - budget: the time that the frame has left.
  ///   - isAtRest: whether nothing moves; then one line is painted whatever it costs.
  /// - Returns: whether a line was painted.
  func paintNextLine(_ budget: FrameBudget, isAtRest: Bool) -> Bool {
    while let label = waiting.first {
      guard label.window != nil, !label.isHidden else {
        label.isAwaitingLine = false
        waiting.removeFirst()
        continue
      }
      guard isAtRest || budget.allows(expectedCost) else { return false }
      label.isAwaitingLine = false
      waiting.removeFirst()
      let start = budget.clock.workTimestamp()
      label.paintLine()
      cost.record(start.cost(until: budget.clock.workTimestamp()))
      return true
    }
    return false
  }
}
