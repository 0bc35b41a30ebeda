import VitrineFramePacing
import VitrineGeometry
import VitrineRendering

/// The arbitration between the gesture recognizers of the views that are touched.
///
/// It is a value: contacts and times come in, changes of states come out. A recognizer that may begin is a
/// ``pendingQuestion``, which the owner answers at once, because only clients know.
///
/// - A recognizer that begins makes all others fail, except those that it may be recognized with, and taps of more counts.
/// - A recognizer that requires others to fail waits until they have, and fails if one of them does not.
/// - A recognizer cannot begin while another one, with which it may not be recognized, is in progress.
nonisolated struct GestureArbiter: Hashable, Sendable {
  /// A recognizer at the start of a touch.
  struct Participant: Hashable, Sendable {
    /// The identifier.
    var id: Int
    /// The kind.
    var kind: GestureKind
    /// The recognizers that must fail first.
    var requiredFailures: Set<Int>
    /// The recognizers with which it may be recognized.
    var simultaneous: Set<Int>

    /// Creates a participant.
    init(id: Int, kind: GestureKind, requiredFailures: Set<Int> = [], simultaneous: Set<Int> = []) {
      self.id = id
      self.kind = kind
      self.requiredFailures = requiredFailures
      self.simultaneous = simultaneous
    }
  }

  /// A change of the state of a recognizer.
  struct Change: Hashable, Sendable {
    /// The identifier of the recognizer.
    var id: Int
    /// The new state: `ended` for a recognized tap.
    var state: GestureRecognizer.State

    /// Creates a change.
    init(id: Int, state: GestureRecognizer.State) {
      self.id = id
      self.state = state
    }
  }

  private struct Entry: Hashable, Sendable {
    var participant: Participant
    var machine: GestureMachine
    var state = GestureRecognizer.State.possible
    /// Whether the gesture is recognized, but waits for others to fail.
    var isWaiting = false

    var id: Int { participant.id }
    /// Whether the gesture has begun and not ended.
    var isInProgress: Bool { state == .began || state == .changed }
  }

  /// Creates an arbiter without recognizers.
  init() {}

  private var entries: [Entry] = []
  private var contacts: [GestureContact] = []
  /// The recognizers that may begin, in order.
  private var candidates: [Int] = []

  /// The recognizer that may begin if its view and delegate permit it, or nil.
  ///
  /// Answer it before the next event.
  private(set) var pendingQuestion: Int?

  /// Whether any contact is down.
  var hasContacts: Bool { !contacts.isEmpty }
  /// Whether a gesture is in progress.
  var isInProgress: Bool { entries.contains { $0.isInProgress } }
  /// Whether a recognizer has neither begun nor failed.
  var isUndecided: Bool { entries.contains { $0.state == .possible } }
  /// The time at which something is decided without further events, or nil.
  var deadline: FrameInstant? { entries.lazy.filter { $0.state == .possible }.compactMap(\.machine.deadline).min() }

  /// Returns the machine of a recognizer, with its location and movement.
  func machine(of id: Int) -> GestureMachine? { entries.first { $0.id == id }?.machine }

  // MARK: - Events

  /// Begins a touch.
  ///
  /// Recognizers that are undecided since an earlier touch, such as a double tap, continue.
  ///
  /// - Parameter participants: The recognizers of the touched views, innermost first.
  mutating func beginTouch(_ participants: [Participant]) {
    let undecided = entries.filter { $0.state == .possible }
    let known = Set(undecided.map(\.id))
    entries =
      undecided
      + participants.filter { !known.contains($0.id) }.map {
        Entry(participant: $0, machine: GestureMachine($0.kind))
      }
  }

  /// Processes a contact and returns the changes.
  mutating func handle(_ touch: TouchInput, at instant: FrameInstant) -> [Change] {
    let index = contacts.firstIndex { $0.id == touch.finger }
    switch touch.phase {
    case .began:
      guard index == nil else { return cancel() }
      contacts.append(GestureContact(id: touch.finger, location: touch.location))
    case .moved:
      guard let index else { return [] }
      contacts[index].location = touch.location
    case .ended:
      guard let index else { return [] }
      contacts.remove(at: index)
    case .cancelled: return index == nil ? [] : cancel()
    }
    let contacts = contacts
    return process { $0.handle(touch.phase, contacts, at: touch.location, instant) }
  }

  /// Advances the time and returns the changes.
  mutating func advance(to instant: FrameInstant) -> [Change] { process { $0.advance(to: instant) } }

  /// Answers the pending question and returns the changes.
  mutating func answer(_ isPermitted: Bool) -> [Change] {
    guard let id = pendingQuestion, let index = entries.firstIndex(where: { $0.id == id }) else { return [] }
    pendingQuestion = nil
    var changes: [Change] = []
    if isPermitted { begin(index, &changes) } else { fail(index, &changes) }
    resolve(&changes)
    return changes
  }

  /// Cancels the given recognizers, or all, and returns the changes.
  mutating func cancel(_ isIncluded: (Int) -> Bool = { _ in true }) -> [Change] {
    var changes: [Change] = []
    for index in entries.indices where isIncluded(entries[index].id) {
      if entries[index].isInProgress {
        setState(.cancelled, index, &changes)
      } else if entries[index].state == .possible {
        fail(index, &changes)
      }
    }
    if let question = pendingQuestion, isIncluded(question) { pendingQuestion = nil }
    if !isUndecided, !isInProgress { (contacts, candidates) = ([], []) }
    resolve(&changes)
    return changes
  }

  // MARK: - Decisions

  private mutating func process(_ body: (inout GestureMachine) -> GestureMachine.Signal) -> [Change] {
    var changes: [Change] = []
    for index in entries.indices where entries[index].state == .possible || entries[index].isInProgress {
      // What is recognized waits as it is.
      let isTap = entries[index].participant.kind.isDiscrete
      if entries[index].isWaiting, isTap { continue }
      switch body(&entries[index].machine) {
      case .none: break
      case .recognized: candidates.append(entries[index].id)
      case .changed: if entries[index].isInProgress { setState(.changed, index, &changes) }
      case .ended:
        if entries[index].isInProgress { setState(.ended, index, &changes) } else { fail(index, &changes) }
      case .failed:
        if entries[index].isInProgress { setState(.cancelled, index, &changes) } else { fail(index, &changes) }
      }
    }
    resolve(&changes)
    return changes
  }

  /// Decides which candidate is asked for next.
  private mutating func resolve(_ changes: inout [Change]) {
    while pendingQuestion == nil, !candidates.isEmpty {
      let id = candidates.removeFirst()
      guard let index = entries.firstIndex(where: { $0.id == id && $0.state == .possible }) else { continue }
      if entries.contains(where: { $0.isInProgress && !areSimultaneous($0, entries[index]) }) {
        fail(index, &changes)
      } else if requiredFailureIsMissing(index) {
        entries[index].isWaiting = true
      } else {
        pendingQuestion = id
      }
    }
  }

  private mutating func begin(_ index: Int, _ changes: inout [Change]) {
    let entry = entries[index]
    entries[index].isWaiting = false
    setState(entry.participant.kind.isDiscrete ? .ended : .began, index, &changes)
    for other in entries.indices where other != index && entries[other].state == .possible {
      let requiresFailure = entries[other].participant.requiredFailures.contains(entry.id)
      if requiresFailure || !areSimultaneous(entries[other], entry) && !isShorterTap(entry, than: entries[other]) {
        fail(other, &changes)
      }
    }
  }

  private mutating func fail(_ index: Int, _ changes: inout [Change]) {
    guard entries[index].state == .possible else { return }
    entries[index].isWaiting = false
    setState(.failed, index, &changes)
    // Those that waited for it may begin.
    for other in entries.indices where entries[other].isWaiting && !requiredFailureIsMissing(other) {
      entries[other].isWaiting = false
      candidates.append(entries[other].id)
    }
  }

  private mutating func setState(_ state: GestureRecognizer.State, _ index: Int, _ changes: inout [Change]) {
    entries[index].state = state
    changes.append(Change(id: entries[index].id, state: state))
  }

  /// Whether a recognizer that must fail first has not.
  private func requiredFailureIsMissing(_ index: Int) -> Bool {
    let required = entries[index].participant.requiredFailures
    return !required.isEmpty && entries.contains { required.contains($0.id) && $0.state == .possible }
  }

  private func areSimultaneous(_ one: Entry, _ other: Entry) -> Bool {
    one.participant.simultaneous.contains(other.id) || other.participant.simultaneous.contains(one.id)
  }

  private func isShorterTap(_ entry: Entry, than other: Entry) -> Bool {
    guard case .tap(let count) = entry.participant.kind, case .tap(let otherCount) = other.participant.kind else {
      return false
    }
    return count < otherCount
  }
}
