public import VitrineCollectionLayout
public import VitrineFramePacing

/// A state machine for the animations of all elements that move to their model geometry.
///
/// All animations are functions of the time since their common start, so that equal events produce equal frames. An
/// element without an animation is displayed at its model geometry.
public struct ElementAnimator: Sendable {
  private typealias Entry = (motion: ElementAnimation, level: ElementTransition.Level)

  private var entries: [AnimatedElement: Entry] = [:]
  private var startTime = FrameInstant.zero
  private var endTime = FrameInstant.zero

  /// Creates an animator without animations.
  public init() {}

  /// Whether any element is animated.
  public var isRunning: Bool { !entries.isEmpty }

  /// The number of animated elements.
  public var count: Int { entries.count }

  /// Returns whether all animations have ended by an instant.
  ///
  /// Returns false if there are none.
  public func hasEnded(by instant: FrameInstant) -> Bool { isRunning && instant >= endTime }

  /// Returns the displacement of an element at an instant.
  ///
  /// - Complexity: O(1).
  public func displacement(of element: AnimatedElement, at instant: FrameInstant) -> Displacement {
    entries[element]?.motion.displacement(after: seconds(at: instant)) ?? .zero
  }

  /// Returns whether an element is animated.
  ///
  /// - Complexity: O(1).
  public func isMoving(_ element: AnimatedElement) -> Bool { entries[element] != nil }

  /// Returns the stacking level of an element while it is animated.
  ///
  /// - Complexity: O(1).
  public func level(of element: AnimatedElement) -> ElementTransition.Level { entries[element]?.level ?? .staying }

  /// Returns a function that gives the displacement of any element at one instant, for use in a frame.
  public func displacements(at instant: FrameInstant) -> (AnimatedElement) -> Displacement {
    let moment = ElementAnimation.Moment(seconds(at: instant))
    return { element in entries[element]?.motion.displacement(at: moment) ?? .zero }
  }

  /// Starts the animations of an update and removes all others.
  ///
  /// An element that is already moving keeps its velocity.
  ///
  /// - Parameters:
  ///   - transitions: The transitions of the elements, each element at most once.
  ///   - instant: The start time.
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

  /// Changes the model geometry or the identity of an animated element without a jump in its displayed position.
  ///
  /// - Parameters:
  ///   - element: The current identity.
  ///   - newElement: The new identity.
  ///   - jump: The displacement of the old model geometry from the new one.
  ///   - instant: The time of the change.
  public mutating func retarget(
    _ element: AnimatedElement, to newElement: AnimatedElement, by jump: Displacement, at instant: FrameInstant
  ) {
    guard var entry = entries.removeValue(forKey: element) else { return }
    // The animation keeps the common start time. An animation that has already ended stays at the model geometry.
    if instant >= endTime {
      entry.motion = ElementAnimation(from: .zero)
    } else if jump != .zero {
      entry.motion = entry.motion.retargeted(by: jump, after: seconds(at: instant))
    }
    entries[newElement] = entry
    updateEndTime()
  }

  /// Updates the identities of the elements after an update of the items.
  ///
  /// The animations of deleted elements are removed.
  ///
  /// - Parameters:
  ///   - map: The map of the update.
  ///   - leaving: The new identities of deleted items whose cells stay on screen, by their old indices. Default: none.
  public mutating func apply(_ map: IndexMap, leaving: [Int: AnimatedElement] = [:]) {
    var next: [AnimatedElement: Entry] = [:]
    for (element, entry) in entries {
      if let newElement = map.newElement(of: element, leaving: leaving) { next[newElement] = entry }
    }
    entries = next
  }

  /// Removes the animation of an element, because it is displayed by other means.
  public mutating func removeAnimation(of element: AnimatedElement) { entries[element] = nil }

  /// Removes all animations.
  public mutating func removeAll() { entries.removeAll() }

  private func seconds(at instant: FrameInstant) -> Double { max(.zero, instant - startTime).seconds }

  private mutating func updateEndTime() {
    endTime = startTime + .seconds(ElementAnimation.duration(of: entries.values.lazy.map(\.motion)))
  }
}

/// The identity of an element that can be animated.
public enum AnimatedElement: Hashable, Sendable {
  /// The cell of an item, by the item's flat index.
  case item(Int)
  /// A supplementary or decoration view.
  case element(ElementIdentity)
  /// A view that is no longer part of the model, by its identifier.
  case disappearing(Int)
}
