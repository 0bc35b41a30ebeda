package import VitrineCollectionEngine
import VitrineDataStructures
package import VitrineFramePacing
package import VitrineViews

/// The owner of registrations and of what preparing their views costs.
///
/// Registrations of cells and supplementary views and classes of decoration views are numbered in the order of their
/// first use. Each number has its own reuse pool and, for every step of preparation (``PreparationStep``), its own
/// estimate: the declared cost until one was measured.
///
/// Invariants:
/// - A registration keeps its number as long as the view exists, and is retained, so that its identity cannot become
///   that of another one.
/// - A measured cost is that of the step itself: without steps inside it, and without the time in which its thread was
///   preempted, so that a busy machine does not raise the estimates.
/// - On a virtual clock, a step takes the declared time.
package final class StepMeter {
  private struct Entry {
    /// The registration, retained.
    let registration: AnyObject?
    /// Creates a cell, or nil for views that are not created ahead.
    let makeCell: (() -> CollectionViewCell)?
    let declared: DeclaredCosts
    let log: PreparationLog?
    /// The numbers of client code in the record of the frame thread's activity.
    var subjects = ClientSubjects()
  }

  private var numbers: [ObjectIdentifier: Int] = [:]
  // Unchecked: nothing that changes them calls client code, so that they cannot be read while they are being modified.
  @exclusivity(unchecked) private var entries: [Entry] = []
  @exclusivity(unchecked) private var costs = StepCostEstimator(interval: .seconds(1.0 / 60))
  /// The time spent on creating cells since ``resetCreationTime()``.
  private var creating = FrameDuration.zero
  @exclusivity(unchecked) private var frameClock: (any FrameClock)?
  @exclusivity(unchecked) private var activity: FrameThreadActivity?
  /// The registrations of the last cells, which predict those of the next.
  private var recent = RecentRegistrations()
  /// The number of preparation steps of the last cell.
  private var lastPartCount = 0.0

  /// Creates a meter without registrations and clock, which measures nothing.
  package init() {}

  // MARK: - Clock

  /// The clock of the frame loop, or nil while no frames are produced.
  ///
  /// Getting it retains the clock.
  package var clock: (any FrameClock)? { frameClock }

  /// Sets the clock when frames begin.
  ///
  /// - Parameters:
  ///   - clock: The clock of the frame loop.
  ///   - activity: Returns the record of the frame thread's activity, in which client code is named.
  package func setClock(_ clock: any FrameClock, activity: () -> FrameThreadActivity? = { nil }) {
    guard frameClock == nil else { return }
    frameClock = clock
    self.activity = activity()
  }

  /// Removes the clock, because no more frames will be produced.
  package func removeClock() { (frameClock, activity) = (nil, nil) }

  /// Calls client code of a registration, which is named in the record of the frame thread's activity.
  ///
  /// - Parameters:
  ///   - kind: What is called, such as `handler`.
  ///   - registration: The number of the registration.
  ///   - type: The type of the view.
  ///   - body: A closure that calls the client.
  @inline(__always)
  func callingClient<Result>(
    _ kind: ClientCall, of registration: Int, _ type: CollectionReusableView.Type, _ body: () -> Result
  ) -> Result {
    guard let activity, entries.indices.contains(registration) else { return body() }
    var subject = entries[registration].subjects[kind]
    if subject < 0 {
      subject = activity.makeSubject("\(kind.rawValue) of \(type)")
      entries[registration].subjects[kind] = subject
    }
    activity.setSubject(subject)
    let result = body()
    activity.setSubject(-1)
    return result
  }

  // MARK: - Registrations

  /// Returns the number of a registration of cells.
  func number<Cell, ItemID>(of registration: CellRegistration<Cell, ItemID>) -> Int {
    number(
      of: ObjectIdentifier(registration),
      Entry(
        registration: registration, makeCell: { Cell() }, declared: registration.declaredCosts, log: registration.log))
  }

  /// Returns the number of a registration of supplementary views.
  func number<View>(of registration: SupplementaryRegistration<View>) -> Int {
    number(
      of: ObjectIdentifier(registration),
      Entry(registration: registration, makeCell: nil, declared: registration.declaredCosts, log: registration.log))
  }

  /// Returns the number of a class of decoration views.
  package func number(ofDecoration type: CollectionReusableView.Type) -> Int {
    number(of: ObjectIdentifier(type), Entry(registration: nil, makeCell: nil, declared: .none, log: nil))
  }

  private func number(of key: ObjectIdentifier, _ entry: @autoclosure () -> Entry) -> Int {
    if let number = numbers[key] { return number }
    let entry = entry()
    let number = entries.count
    numbers[key] = number
    entries.append(entry)
    for step in PreparationStep.allCases where entry.declared[step] > .zero {
      costs.declare(entry.declared[step], for: step, of: number)
    }
    return number
  }

  /// Returns whether cells of a registration can be created ahead.
  package func canCreateCell(of registration: Int) -> Bool {
    entries.indices.contains(registration) && entries[registration].makeCell != nil
  }

  /// Creates a cell of a registration, or returns nil if it is not one of cells.
  func makeCell(of registration: Int) -> CollectionViewCell? {
    guard entries.indices.contains(registration), let make = entries[registration].makeCell else { return nil }
    return measuring(.create, of: registration, make)
  }

  // MARK: - Costs

  /// The time between two frames, for which the estimates are used.
  package var interval: FrameDuration {
    get { costs.interval }
    set { costs.interval = newValue }
  }

  /// Performs a step and records its cost.
  package func measuring<Result>(_ step: PreparationStep, of registration: Int, _ body: () -> Result) -> Result {
    let start = frameClock?.workTimestamp()
    let result = body()
    if let start { record(step, of: registration, since: start) }
    return result
  }

  /// Records the end of a step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - registration: The number of the view's registration.
  ///   - start: The start of the step.
  ///   - inner: The time of other steps inside it. Default: zero.
  package func record(
    _ step: PreparationStep, of registration: Int, since start: WorkTimestamp, less inner: FrameDuration = .zero
  ) {
    guard let clock = frameClock, entries.indices.contains(registration) else { return }
    let entry = entries[registration]
    clock.spendModelledCost(entry.declared[step])
    let took = max(.zero, start.cost(until: clock.workTimestamp()) - inner)
    if step == .create { creating += took }
    costs.record(took, for: step, of: registration)
    entry.log?.record(took, for: step)
  }

  /// Sets the time spent on creating cells to zero, before a provider is called.
  package func resetCreationTime() { creating = .zero }

  /// The time spent on creating cells since the last reset.
  package var creationTime: FrameDuration { creating }

  // MARK: - Expectations

  /// The registration of the last cell, which predicts that of the next.
  package var lastRegistration: Int { recent.last }

  /// Records the registration and the number of preparation steps of a cell that was configured.
  package func recordCell(of registration: Int, partCount: Int) {
    recent.recordRegistration(registration)
    lastPartCount = Double(max(0, partCount))
  }

  /// The expected cost of preparing a cell from the beginning.
  package var expectedCost: FrameDuration {
    recent.meanCost { registration in
      var sum = costs.pessimisticCost(.configure, of: registration)
      for step in [PreparationStep.part, .size, .draw, .upload] where costs.isKnown(step, of: registration) {
        sum += costs.typicalCost(step, of: registration) * (step == .part ? lastPartCount : 1)
      }
      return sum
    }
  }

  /// Returns the expected cost of the next work unit of a cell.
  ///
  /// - Parameters:
  ///   - step: The cell's next step.
  ///   - registration: The registration of the view, or nil for an item without a cell, for which the worst cost of the
  ///     recent registrations is used.
  ///   - isWhole: Whether a work unit is all remaining steps, rather than one.
  package func workUnitCost(from step: PreparationStep, of registration: Int?, isWhole: Bool) -> FrameDuration {
    func cost(_ registration: Int) -> FrameDuration {
      guard isWhole else { return costs.pessimisticCost(step, of: registration) }
      var sum = FrameDuration.zero
      var next: PreparationStep? = step
      while let current = next {
        sum += (costs.meanCost(current, of: registration) ?? .zero) * (current == .part ? lastPartCount : 1)
        next = current.next
      }
      return sum
    }
    if let registration { return cost(registration) }
    return recent.worstCost { cost($0) }
  }
}

/// Client code that prepares a view.
enum ClientCall: String {
  case handler = "the handler"
  case step = "prepare(step:)"
}

/// The numbers of client code in the record of the frame thread's activity, or -1 before the first call.
struct ClientSubjects {
  private var handler = -1
  private var step = -1

  subscript(call: ClientCall) -> Int {
    get { call == .handler ? handler : step }
    set { if call == .handler { handler = newValue } else { step = newValue } }
  }
}
