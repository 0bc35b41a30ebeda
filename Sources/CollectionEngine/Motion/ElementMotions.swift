public import FramePacing

/// The motions of all elements that are on their way to their places: a pure machine.
///
/// Every one is a function of the time since all were sent on their way together, so equal events make equal frames.
/// What is not known here stands at its place.
public struct ElementAnimator: Sendable {
  private typealias Entry = (motion: ElementAnimation, level: ElementTransition.Level)

  private var entries: [AnimatedElement: Entry] = [:]
  private var startTime = FrameInstant.zero
  private var endTime = FrameInstant.zero

  /// Nothing moves.
  public init() {}

  /// Whether something is on its way.
  public var isRunning: Bool { !entries.isEmpty }

  /// How many are on their way.
  public var count: Int { entries.count }

  /// Whether all that was on its way is at its place by an instant; not where nothing was.
  public func hasEnded(by instant: FrameInstant) -> Bool { isRunning && instant >= endTime }

  /// How far an element is from its place, as it is shown at an instant.
  ///
  /// - Complexity: O(1).
  public func displacement(of element: AnimatedElement, at instant: FrameInstant) -> Displacement {
    entries[element]?.motion.displacement(after: seconds(at: instant)) ?? .zero
  }

  /// Whether an element is on its way.
  ///
  /// - Complexity: O(1).
  public func isMoving(_ element: AnimatedElement) -> Bool { entries[element] != nil }

  /// What an element lies over while it moves.
  ///
  /// - Complexity: O(1).
  public func level(of element: AnimatedElement) -> ElementTransition.Level { entries[element]?.level ?? .staying }

  /// The displacements at one instant, by element: for a frame, which asks for many.
  public func displacements(at instant: FrameInstant) -> (AnimatedElement) -> Displacement {
    let moment = ElementAnimation.Moment(seconds(at: instant))
    return { element in entries[element]?.motion.displacement(at: moment) ?? .zero }
  }

  /// Sends elements on their way; what is not among them stands at its place from now on.
  ///
  /// An element that moves already goes on as fast as it went.
  ///
  /// - Parameters:
  ///   - transitions: where they are shown at the instant, and where they go; no element twice.
  ///   - instant: when.
  public mutating func startTransitions(_ transitions: [ElementTransition], at instant: FrameInstant) {
    let elapsed = seconds(at: instant)
    var next: [AnimatedElement: Entry] = [:]
    for transition in transitions {
      let velocity = entries[transition.element]?.motion.velocity(after: elapsed) ?? .zero
      guard transition.initialDisplacement != .zero || velocity != .zero else { continue }
      next[transition.element] = (
        ElementAnimation(from: transition.initialDisplacement, velocity: velocity), transition.level
      )
    }
    entries = next
    startTime = instant
    updateEndTime()
  }

  /// An element's place is another one, or it is known by another name: it is shown where it was, and goes on.
  ///
  /// - Parameters:
  ///   - element: what is known now.
  ///   - name: as what it is known from now on.
  ///   - jump: how far its former place is from its new one.
  ///   - instant: when.
  public mutating func retarget(
    _ element: AnimatedElement, to name: AnimatedElement, by jump: Displacement, at instant: FrameInstant
  ) {
    guard var entry = entries.removeValue(forKey: element) else { return }
    // As if it had begun with the others, so that all have one beginning.
    // What is at its place long since stands at its new one.
    if instant >= endTime {
      entry.motion = ElementAnimation(from: .zero)
    } else if jump != .zero {
      entry.motion = entry.motion.retargeted(by: jump, after: seconds(at: instant))
    }
    entries[name] = entry
    updateEndTime()
  }

  /// Elements have other names: those that have none any more are forgotten.
  ///
  /// - Parameter newName: the new name of an element by its old one, no name twice.
  public mutating func remapElements(_ newName: (AnimatedElement) -> AnimatedElement?) {
    var next: [AnimatedElement: Entry] = [:]
    for (element, entry) in entries { if let name = newName(element) { next[name] = entry } }
    entries = next
  }

  /// An element is shown by other means from now on: what is known of its way counts no more.
  public mutating func removeAnimation(of element: AnimatedElement) { entries[element] = nil }

  /// Everything stands at its place.
  public mutating func removeAll() { entries.removeAll() }

  private func seconds(at instant: FrameInstant) -> Double { max(.zero, instant - startTime).seconds }

  private mutating func updateEndTime() {
    endTime = startTime + .seconds(ElementAnimation.duration(of: entries.values.lazy.map(\.motion)))
  }
}
