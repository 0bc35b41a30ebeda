import VitrineDataStructures
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineThreads

/// A loader of text lines that another thread lays out and renders: those with several fonts, directions or colors.
///
/// Finished lines are delivered in the collect phase of a frame, within its budget, and the labels that display them
/// are redrawn. Until then such a label is empty.
///
/// On a simulated clock a line arrives at a modelled time that depends only on the requests and their times. If the
/// thread has not finished by then, the loop waits, uncounted.
final class BackgroundLineLoader {
  /// The modelled costs of a line, of each of its characters and of each color emoji, measured at about 50, 5 and 220 µs.
  private static let (lineCost, characterCost, emojiCost) = (
    FrameDuration.microseconds(50), FrameDuration.microseconds(5), FrameDuration.microseconds(250)
  )

  /// Returns the modelled cost of a line.
  static func modelledCost(of text: String) -> FrameDuration {
    lineCost + characterCost * Double(text.unicodeScalars.count)
      + emojiCost * Double(TextComplexity.colorEmojiCount(in: text))
  }

  /// The time that a frame needs to redraw a label.
  private static let labelDrawingCost = FrameDuration.microseconds(30)

  private struct Pending {
    var labels: [Label]
    let due: FrameInstant
    let finish: (RenderedLine?) -> Void
  }

  /// The lines that the rendering thread has finished, by number; nil for a line that cannot be rendered.
  private struct Finished {
    var lines: [UInt64: RenderedLine?] = [:]
    /// The numbers in the order of completion.
    var order = Deque<UInt64>()
  }

  private let finished = Lock(Finished())
  private var pending: [UInt64: Pending] = [:]
  /// The numbers of the requests, in order.
  private var requestedNumbers = Deque<UInt64>()
  private var nextNumber: UInt64 = 0
  /// The time at which the modelled thread has finished all requests.
  private var modelledEnd = FrameInstant.zero
  private var clock: (any FrameClock)?
  private var executor: (any LoopExecutor)?
  private var waker: (any LoopWaker)?

  /// Whether no line is pending.
  var isEmpty: Bool { pending.isEmpty }

  /// The number of pending lines.
  var count: Int { pending.count }

  /// The time at which the next line arrives in a simulation; nil if none is pending and in real time, where the loop is
  /// woken.
  var nextArrival: FrameInstant? {
    guard let due = requestedNumbers.first.flatMap({ pending[$0]?.due }) else { return nil }
    return executor?.arrival(ofWorkEndingAt: due)
  }

  /// Whether a finished line waits for a collect phase, in real time.
  var hasArrivals: Bool {
    guard !pending.isEmpty, nextArrival == nil else { return false }
    return finished.withLock { !$0.order.isEmpty }
  }

  /// Starts the delivery of lines to a loop.
  func startDelivery(on clock: any FrameClock, _ executor: any LoopExecutor, waker: any LoopWaker) {
    self.clock = clock
    self.executor = executor
    self.waker = waker
  }

  /// Requests a line.
  ///
  /// - Parameters:
  ///   - text: The text, which determines the modelled cost.
  ///   - label: The label to redraw when the line arrives, or nil for a line rendered ahead.
  ///   - start: Starts rendering; the completion can be called on any thread.
  ///   - finish: Called in a collect phase, before the labels are redrawn.
  /// - Returns: The number of the request, or nil if the line is not rendered on the thread.
  func requestLine(
    for text: String, label: Label?, start: (@escaping @Sendable (RenderedLine?) -> Void) -> Bool,
    finish: @escaping (RenderedLine?) -> Void
  ) -> UInt64? {
    let number = nextNumber
    let (finished, waker) = (finished, waker)
    let isStarted = start { bitmap in
      finished.withLock {
        $0.lines[number] = .some(bitmap)
        $0.order.append(number)
      }
      finished.wakeAll()
      waker?.wake()
    }
    guard isStarted else { return nil }
    nextNumber += 1
    let now = clock?.now() ?? .zero
    modelledEnd = max(now, modelledEnd) + BackgroundLineLoader.modelledCost(of: text)
    pending[number] = Pending(labels: label.map { [$0] } ?? [], due: modelledEnd, finish: finish)
    requestedNumbers.append(number)
    return number
  }

  /// Adds a label to redraw when a pending line arrives.
  func addLabel(_ label: Label, to number: UInt64) {
    guard pending[number]?.labels.contains(where: { $0 === label }) == false else { return }
    pending[number]?.labels.append(label)
  }

  /// Phase 3: delivers as many finished lines as the frame has time to draw, at least one.
  func deliverLines(_ budget: FrameBudget) {
    guard !pending.isEmpty else { return }
    let isScheduled = nextArrival != nil
    let now = budget.clock.now()
    var remaining = budget.remaining
    repeat {
      guard let (number, rendered) = isScheduled ? nextDue(by: now, budget.clock) : nextFinished() else { return }
      remaining = remaining - BackgroundLineLoader.labelDrawingCost
      guard let line = pending.removeValue(forKey: number) else { continue }
      line.finish(rendered)
      // A label whose line cannot be rendered would request it again.
      if rendered != nil { line.labels.forEach { $0.lineDidArrive() } }
    } while remaining > .zero
  }

  /// Discards all requests, after a change of the display scale.
  func removeAll() {
    pending.removeAll()
    requestedNumbers.removeAll()
    finished.withLock { $0 = Finished() }
  }

  private func nextFinished() -> (UInt64, RenderedLine?)? {
    let next = finished.withLock { finished -> (UInt64, RenderedLine?)? in
      guard let number = finished.order.popFirst(), let bitmap = finished.lines.removeValue(forKey: number) else {
        return nil
      }
      return (number, bitmap)
    }
    if requestedNumbers.first == next?.0 { _ = requestedNumbers.popFirst() }
    return next
  }

  private func nextDue(by now: FrameInstant, _ clock: any FrameClock) -> (UInt64, RenderedLine?)? {
    guard let number = requestedNumbers.first, let due = pending[number]?.due, due <= now else { return nil }
    _ = requestedNumbers.popFirst()
    let finished = finished
    let bitmap = clock.performUncounted {
      finished.wait { state -> RenderedLine?? in
        guard let bitmap = state.lines.removeValue(forKey: number) else { return nil }
        // Includes lines that were discarded in the meantime.
        while let first = state.order.first, first <= number {
          state.lines[first] = nil
          _ = state.order.popFirst()
        }
        return .some(bitmap)
      }
    }
    return (number, bitmap)
  }
}

// MARK: - Deferred lines

/// A queue of labels whose text can appear a few frames later; it is rendered in slack when a frame has no time for it.
///
/// Shaping and rendering a line costs more than the rest of a cell. When a screen of cells appears in a single frame,
/// as after a jump or while scrubbing, that frame's time belongs to their images.
@MainActor
public final class DeferredLineQueue {
  /// The fraction of a frame's time after which lines are deferred.
  ///
  /// The time is that from the frame's start to its deadline, minus the cost of drawing the last frame's commands.
  public static let frameTimeShare = 0.5

  private var waiting: [Label] = []
  /// The time after which the current frame defers lines, or nil if it defers none.
  private var paintLimit: FrameInstant?
  /// The loop's clock, stored once so that frames retain nothing.
  private var clock: (any FrameClock)?
  private var cost = CostEstimate()

  /// The pessimistic cost of rendering a line.
  private var expectedCost: FrameDuration { cost.conservative ?? .microseconds(300) }

  /// Whether no label is waiting.
  public var isEmpty: Bool { waiting.isEmpty }

  /// The number of waiting labels.
  public var count: Int { waiting.count }

  /// Begins a frame, in which deferrable lines are rendered until an instant.
  func beginFrame(_ clock: any FrameClock, until instant: FrameInstant) {
    if self.clock == nil { self.clock = clock }
    paintLimit = instant
  }

  /// Ends the frame; views drawn ahead defer no lines.
  func endFrame() {
    paintLimit = nil
  }

  /// Returns whether a deferrable line is rendered now.
  func canPaintLine() -> Bool {
    guard let paintLimit else { return true }
    if let clock, clock.now() < paintLimit { return true }
    // Once the time is over, the rest of the frame skips the clock.
    self.paintLimit = .distantPast
    return false
  }

  /// Adds a label that waits for its line.
  func addLabel(_ label: Label) {
    guard !label.isAwaitingLine else { return }
    label.isAwaitingLine = true
    waiting.append(label)
  }

  /// Renders the line of the label that has waited longest if the budget allows it; the next frame displays it.
  ///
  /// - Parameters:
  ///   - budget: The remaining time of the frame.
  ///   - isAtRest: Whether nothing moves; a line is then rendered whatever its cost.
  /// - Returns: Whether a line was rendered.
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
