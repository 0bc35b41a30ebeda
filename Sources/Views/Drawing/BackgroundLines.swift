import DataStructures
import FramePacing
import Geometry
import Rendering
import Threads

/// Lines of type that another thread paints, as emoji in colour are: what was asked for, and what came back.
///
/// They come as decoded pictures do: in the collect phase of a frame, within its budget, and the labels that show them are
/// drawn again. Until then such a label shows nothing.
///
/// On a simulated clock a line comes at a modelled time that depends on what was asked for and when, and on nothing else.
/// Where the thread has not painted it by then the loop waits, uncounted.
final class BackgroundLineLoader {
  /// What a line of one character costs on the modelled thread; as measured, some 220 µs.
  static let modelledCost = FrameDuration.microseconds(250)
  /// What a frame has to have time for to draw a label again.
  private static let labelDrawingCost = FrameDuration.microseconds(30)

  private struct Pending {
    var labels: [Label]
    let due: FrameInstant
    let finish: (Bitmap?) -> Void
  }

  /// What the painting thread has made, by number; nil stands for a line that cannot be painted.
  private struct Finished {
    var lines: [UInt64: Bitmap?] = [:]
    /// In the order in which they were made.
    var order = Deque<UInt64>()
  }

  private let finished = Lock(Finished())
  private var pending: [UInt64: Pending] = [:]
  /// The numbers of what was asked for, in that order.
  private var requestedNumbers = Deque<UInt64>()
  private var nextNumber: UInt64 = 0
  /// When the modelled thread has painted all that it was asked for.
  private var modelledEnd = FrameInstant.zero
  private var clock: (any FrameClock)?
  private var waker: (any LoopWaker)?

  /// Whether no line is awaited.
  var isEmpty: Bool { pending.isEmpty }

  /// How many lines are awaited.
  var count: Int { pending.count }

  /// When the next line comes on a simulated clock; nil where none is awaited, and in real time, where the loop is woken.
  var nextArrival: FrameInstant? {
    guard clock?.kind.isSimulated == true else { return nil }
    return requestedNumbers.first.flatMap { pending[$0]?.due }
  }

  /// Whether a line waits for a collect phase, in real time.
  var hasArrivals: Bool {
    guard !pending.isEmpty, clock?.kind.isSimulated != true else { return false }
    return finished.withLock { !$0.order.isEmpty }
  }

  /// A loop draws: lines come on its clock, and wake it.
  func startDelivery(on clock: any FrameClock, waker: any LoopWaker) {
    self.clock = clock
    self.waker = waker
  }

  /// Asks for a line.
  ///
  /// - Parameters:
  ///   - text: how long the line is says what it costs on the modelled thread.
  ///   - label: drawn again when the line is there; nil where it is painted ahead.
  ///   - start: starts to paint; calls back on any thread.
  ///   - finish: called in a collect phase, before the labels are drawn again.
  /// - Returns: the number by which labels are added; nil where the line is not painted so.
  func requestLine(
    for text: String, label: Label?, start: (@escaping @Sendable (Bitmap?) -> Void) -> Bool,
    finish: @escaping (Bitmap?) -> Void
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
    modelledEnd = max(now, modelledEnd) + BackgroundLineLoader.modelledCost * Double(text.count)
    pending[number] = Pending(labels: label.map { [$0] } ?? [], due: modelledEnd, finish: finish)
    requestedNumbers.append(number)
    return number
  }

  /// Has a label drawn again when an awaited line is there.
  func addLabel(_ label: Label, to number: UInt64) {
    guard pending[number]?.labels.contains(where: { $0 === label }) == false else { return }
    pending[number]?.labels.append(label)
  }

  /// Phase 3: hands out lines that are there, as many as the frame has time to draw; one at least.
  func deliverLines(_ budget: FrameBudget) {
    guard !pending.isEmpty else { return }
    let isSimulated = budget.clock.kind.isSimulated
    let now = budget.clock.now()
    var left = budget.remaining
    repeat {
      guard let (number, bitmap) = isSimulated ? nextDue(by: now, budget.clock) : nextFinished() else { return }
      left = left - BackgroundLineLoader.labelDrawingCost
      guard let line = pending.removeValue(forKey: number) else { continue }
      line.finish(bitmap)
      // A label whose line cannot be painted would ask for it again.
      if bitmap != nil { line.labels.forEach { $0.lineDidArrive() } }
    } while left > .zero
  }

  /// Forgets what was asked for: it is to have another size.
  func removeAll() {
    pending.removeAll()
    requestedNumbers.removeAll()
    finished.withLock { $0 = Finished() }
  }

  private func nextFinished() -> (UInt64, Bitmap?)? {
    let next = finished.withLock { finished -> (UInt64, Bitmap?)? in
      guard let number = finished.order.popFirst(), let bitmap = finished.lines.removeValue(forKey: number) else {
        return nil
      }
      return (number, bitmap)
    }
    if requestedNumbers.first == next?.0 { _ = requestedNumbers.popFirst() }
    return next
  }

  private func nextDue(by now: FrameInstant, _ clock: any FrameClock) -> (UInt64, Bitmap?)? {
    guard let number = requestedNumbers.first, let due = pending[number]?.due, due <= now else { return nil }
    _ = requestedNumbers.popFirst()
    let finished = finished
    let bitmap = clock.performUncounted {
      finished.wait { state -> Bitmap?? in
        guard let bitmap = state.lines.removeValue(forKey: number) else { return nil }
        // Among others of lines that were forgotten meanwhile.
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
