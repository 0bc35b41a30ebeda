public import VitrineCollectionLayout
public import VitrineGeometry

/// Plans the transitions of all elements in an animated update.
///
/// The planner records the frames of the elements on screen and around it before the update, maps their identities
/// through the update, and combines them with the frames afterwards. The model is final from the start: transitions
/// affect only what is displayed.
public struct UpdateTransitionPlanner: Sendable {
  /// The geometry of an element before the update.
  private struct InitialState: Sendable {
    var element: AnimatedElement
    var frame: Rect
    var isVisible: Bool
    var isPinned: Bool
    /// The intended opacity: 0 for an element that was fading out.
    var opacity: Double
    /// The intended rotation, which is 0 unless the element was leaving.
    var rotation: Double
  }

  /// The geometry of an element after the update.
  public struct Target: Hashable, Sendable {
    /// The frame in content coordinates.
    public var frame: Rect
    /// Whether the element is on screen according to the model.
    public var isVisible: Bool
    /// The final opacity.
    public var opacity: Double
    /// Whether the element is pinned to an edge of the viewport.
    public var isPinned: Bool
    /// The final rotation in radians, which is 0 unless the element leaves.
    public var rotation: Double

    /// Creates a target.
    public init(
      _ frame: Rect, isVisible: Bool, opacity: Double = 1, isPinned: Bool = false, rotation: Double = 0
    ) {
      self.frame = frame
      self.isVisible = isVisible
      self.opacity = opacity
      self.isPinned = isPinned
      self.rotation = rotation
    }
  }

  /// An element on screen whose geometry before the update is not known.
  public typealias Arrival = (element: AnimatedElement, frame: Rect, origin: ElementOrigin)

  /// The share of its size by which a new item grows while it appears, from `TransitionAttributes.defaultScale`.
  static let appearanceGrowth = 0.15
  /// The distance in viewport lengths beyond which movements are not animated.
  static let maximumTravel = 2.0
  /// The maximum number of moves in one update that are animated.
  public static let maximumMoves = 1_000

  private var initialStates: [InitialState] = []
  private var stateIndices: [AnimatedElement: Int] = [:]
  /// Elements whose view was replaced.
  private var replacedElements: Set<AnimatedElement> = []
  /// Elements that were moved among the others.
  private var movedElements: Set<AnimatedElement> = []
  /// The visible rectangle before the update, in the content coordinates of that time.
  private let viewport: Rect
  /// The shift of the content coordinates since the start.
  private var contentShift = Point.zero
  /// Whether the update changes so much that movements are meaningless.
  ///
  /// The new content is then faded in over the old.
  public var isLarge = false

  /// Creates a planner before an update.
  ///
  /// - Parameter viewport: The visible rectangle, in content coordinates.
  public init(viewport: Rect) { self.viewport = viewport }

  // MARK: - Recording

  /// Returns whether the initial geometry of an element is known.
  ///
  /// - Complexity: O(1).
  public func contains(_ element: AnimatedElement) -> Bool { stateIndices[element] != nil }

  /// Records the geometry of an element before the update.
  ///
  /// An element that is already recorded is not changed.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - frame: The frame that the element has or moves to, in content coordinates.
  ///   - isVisible: Whether the element is on screen.
  ///   - isPinned: Whether the element is pinned to an edge of the viewport.
  ///   - opacity: The intended opacity. Default: 1.
  ///   - rotation: The intended rotation in radians. Default: 0.
  public mutating func recordElement(
    _ element: AnimatedElement, at frame: Rect, isVisible: Bool, isPinned: Bool = false, opacity: Double = 1,
    rotation: Double = 0
  ) {
    guard stateIndices[element] == nil else { return }
    stateIndices[element] = initialStates.count
    initialStates.append(
      InitialState(
        element: element, frame: frame, isVisible: isVisible, isPinned: isPinned, opacity: opacity, rotation: rotation))
  }

  /// Sets the initial frame of a recorded element, as supplied by a handler.
  public mutating func setInitialFrame(of element: AnimatedElement, to frame: Rect) {
    if let index = stateIndices[element] { initialStates[index].frame = frame }
  }

  /// Updates the identities of the elements after the update.
  ///
  /// Deleted elements are removed.
  ///
  /// - Parameters:
  ///   - map: The map of the update.
  ///   - leaving: The new identities of deleted items whose cells stay on screen, by their old indices. Default: none.
  /// - Complexity: One question to the map for each recorded element.
  public mutating func apply(_ map: IndexMap, leaving: [Int: AnimatedElement] = [:]) {
    initialStates = initialStates.compactMap { state in
      map.newElement(of: state.element, leaving: leaving).map { newElement in
        var state = state
        state.element = newElement
        return state
      }
    }
    stateIndices.removeAll(keepingCapacity: true)
    for (index, state) in initialStates.enumerated() { stateIndices[state.element] = index }
    replacedElements = Set(replacedElements.compactMap { map.newElement(of: $0, leaving: leaving) })
    movedElements = Set(movedElements.compactMap { map.newElement(of: $0, leaving: leaving) })
  }

  /// Changes the identity of one element.
  public mutating func renameElement(_ element: AnimatedElement, to newElement: AnimatedElement) {
    guard let index = stateIndices.removeValue(forKey: element) else { return }
    initialStates[index].element = newElement
    stateIndices[newElement] = index
  }

  /// Records that another view displays an element from now on.
  ///
  /// The previous view makes the same transition under another identity and fades out.
  public mutating func replaceElement(_ element: AnimatedElement, leaving newElement: AnimatedElement) {
    guard let index = stateIndices[element] else { return }
    var state = initialStates[index]
    state.element = newElement
    stateIndices[newElement] = initialStates.count
    initialStates.append(state)
    replacedElements.insert(element)
  }

  /// Records that an element was moved among the others.
  public mutating func recordMove(of element: AnimatedElement) { movedElements.insert(element) }

  /// Records a shift of the content coordinates.
  ///
  /// The displayed positions do not change.
  public mutating func shiftContent(by vector: Point) { contentShift = contentShift + vector }

  // MARK: - Transitions

  /// Returns whether a recorded element that leaves is seen on its way to a frame.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - frame: The frame that it moves to.
  ///   - viewport: The visible rectangle after the update.
  ///   - displacement: The displacement of the element before the update.
  /// - Complexity: O(1).
  public func isSeen(
    _ element: AnimatedElement, movingTo frame: Rect, in viewport: Rect, displacedBy displacement: Displacement
  ) -> Bool {
    guard let index = stateIndices[element] else { return false }
    let start = self.frame(of: initialStates[index], to: Target(frame, isVisible: false), in: viewport)
    let from = displacement.applied(to: start)
    return ViewportClamp(viewport).isCrossed(from: from, to: frame)
  }

  /// Returns the transitions of the update.
  ///
  /// - Parameters:
  ///   - viewport: The visible rectangle after the update.
  ///   - current: Returns the displacement of an element before the update.
  ///   - target: Returns the geometry of an element after the update, or nil if the element no longer exists.
  ///   - arrivals: The elements on screen whose initial geometry is not known.
  ///   - axis: The scrolling axis.
  ///   - appearance: Returns the attributes from which a new element comes, or nil for the default. It is not called if
  ///     the new content fades in. Default: nil for all elements.
  /// - Returns: A transition for each element that is or was on screen, and for elements around it whose target is
  ///   near.
  public func transitions(
    in viewport: Rect, current: (AnimatedElement) -> Displacement, target: (AnimatedElement) -> Target?,
    arrivals: [Arrival], axis: Axis, appearance: (AnimatedElement) -> TransitionAttributes? = { _ in nil }
  ) -> [ElementTransition] {
    let clamp = ViewportClamp(viewport)
    let pairs = initialStates.compactMap { state in target(state.element).map { (state: state, target: $0) } }
    let isFading = isLarge || exceedsMaximumTravel(pairs, arrivals)
    var transitions: [ElementTransition] = []
    for (state, target) in pairs {
      let displacement = current(state.element)
      let from = displacement.applied(to: frame(of: state, to: target, in: viewport))
      let opacity = state.opacity + displacement.opacity
      let rotation = state.rotation + displacement.rotation
      let element = state.element
      var transition = ElementTransition(
        element: element, finalFrame: target.frame, opacity: target.opacity, rotation: target.rotation,
        level: target.isVisible ? (movedElements.contains(element) ? .moved : .staying) : .disappearing)
      if !target.isVisible, !state.isVisible, clamp.clamped(target.frame) != target.frame { continue }
      // What was seen before and was scrolled away since.
      if !target.isVisible, state.isVisible, !clamp.isCrossed(from: from, to: target.frame) { continue }
      if !target.isVisible { transition.finalFrame = clamp.clamped(target.frame) }
      transition.initialDisplacement = Displacement(
        of: state.isVisible ? from : clamp.clamped(from), from: transition.finalFrame,
        opacity: opacity - target.opacity, rotation: rotation - target.rotation)
      if replacedElements.contains(element) { transition.initialDisplacement.opacity = -1 }
      if isFading, state.isVisible || target.isVisible {
        convertToFade(&transition, from: from, opacity, rotation, wasSeen: state.isVisible)
      }
      transitions.append(transition)
    }
    for arrival in arrivals {
      transitions.append(
        ElementTransition(
          element: arrival.element, finalFrame: arrival.frame,
          initialDisplacement: initialDisplacement(of: arrival, isFading: isFading, clamp, along: axis, appearance),
          level: arrival.origin == .new ? .appearing : movedElements.contains(arrival.element) ? .moved : .staying))
    }
    return transitions
  }

  /// Returns the initial displacement of an element whose geometry before the update is not known.
  private func initialDisplacement(
    of arrival: Arrival, isFading: Bool, _ clamp: ViewportClamp, along axis: Axis,
    _ appearance: (AnimatedElement) -> TransitionAttributes?
  ) -> Displacement {
    let frame = arrival.frame
    if arrival.origin == .new, !isFading, let attributes = appearance(arrival.element) {
      return Displacement(of: attributes, from: frame)
    }
    switch (arrival.element, arrival.origin) {
    case (.item, .new) where !isFading:
      let growth = UpdateTransitionPlanner.appearanceGrowth
      return Displacement(width: frame.width * -growth, height: frame.height * -growth, opacity: -1)
    case (_, .beforeViewport) where !isFading:
      return Displacement(of: clamp.frameBeforeViewport(frame, along: axis), from: frame)
    case (_, .afterViewport) where !isFading:
      return Displacement(of: clamp.frameAfterViewport(frame, along: axis), from: frame)
    default: return Displacement(opacity: -1)
    }
  }

  /// Returns the frame of an element before the update, in current content coordinates.
  private func frame(of state: InitialState, to target: Target, in now: Rect) -> Rect {
    // A pinned element moves with the viewport, however the content was scrolled meanwhile.
    state.frame.offset(by: state.isPinned && target.isPinned ? now.origin - viewport.origin : contentShift)
  }

  /// Replaces the movement of an element by a fade-in at its end or a fade-out at its start.
  private func convertToFade(
    _ transition: inout ElementTransition, from: Rect, _ opacity: Double, _ rotation: Double, wasSeen: Bool
  ) {
    guard transition.initialDisplacement != .zero, transition.opacity > 0 || transition.level != .disappearing else {
      return
    }
    if transition.level == .disappearing {
      transition.finalFrame = from
      transition.opacity = 0
      transition.rotation = rotation
      transition.initialDisplacement = Displacement(opacity: opacity)
    } else if transition.finalFrame != from {
      transition.initialDisplacement = Displacement(opacity: -1)
      transition.level = .appearing
      if wasSeen { transition.fadingCopy = from }
    }
  }

  /// Returns whether most of the remaining elements on screen are far from their previous positions.
  private func exceedsMaximumTravel(
    _ pairs: [(state: InitialState, target: Target)], _ arrivals: [Arrival]
  ) -> Bool {
    var (near, far) = (0, 0)
    for (state, target) in pairs where (state.isVisible || target.isVisible) && target.opacity == 1 {
      if case .element = state.element { continue }
      let travel = Displacement(of: frame(of: state, to: target, in: viewport), from: target.frame)
      let isFar =
        travel.x.magnitude > UpdateTransitionPlanner.maximumTravel * viewport.width
        || travel.y.magnitude > UpdateTransitionPlanner.maximumTravel * viewport.height
      if isFar { far += 1 } else { near += 1 }
    }
    far += arrivals.count { $0.origin != .new }
    return far > near
  }
}

// MARK: - Transition types

/// The transition of an element in an animated update.
public struct ElementTransition: Hashable, Sendable {
  /// The stacking level of an element during an update, from back to front.
  public enum Level: Int, Hashable, Comparable, Sendable {
    /// The element leaves.
    case disappearing
    /// The element stays or makes way for others.
    case staying
    /// The element was moved among the others.
    case moved
    /// The element is new.
    case appearing

    /// Returns whether the first level is behind the second.
    public static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
  }

  /// The element.
  public var element: AnimatedElement
  /// The final frame, in content coordinates.
  public var finalFrame: Rect
  /// The final opacity: 0 for an element that fades out, otherwise 1.
  public var opacity: Double
  /// The final rotation in radians, which is 0 unless the element leaves.
  public var rotation: Double
  /// The displacement from the final geometry at the start of the update.
  public var initialDisplacement: Displacement
  /// The stacking level.
  public var level: Level
  /// The frame at which a copy of the element fades out, or nil if there is none.
  public var fadingCopy: Rect?

  /// Creates a transition.
  public init(
    element: AnimatedElement, finalFrame: Rect, opacity: Double = 1, rotation: Double = 0,
    initialDisplacement: Displacement = .zero, level: Level = .staying
  ) {
    self.element = element
    self.finalFrame = finalFrame
    self.opacity = opacity
    self.rotation = rotation
    self.initialDisplacement = initialDisplacement
    self.level = level
  }
}

/// The position of a visible item before an update.
public enum ElementOrigin: Hashable, Sendable {
  /// The item did not exist.
  case new
  /// The item was before the viewport.
  case beforeViewport
  /// The item was after the viewport.
  case afterViewport
}

// MARK: - Clamping

/// Clamps the frames of moving elements to one viewport length beyond the edges of the viewport.
///
/// Elements that come from farther away would move too fast to be noticed.
private struct ViewportClamp {
  private let viewport: Rect

  init(_ viewport: Rect) { self.viewport = viewport }

  /// Returns whether an element may be in the viewport while it moves from one frame to another.
  func isCrossed(from start: Rect, to end: Rect) -> Bool {
    min(start.minX, end.minX) < viewport.maxX && viewport.minX < max(start.maxX, end.maxX)
      && min(start.minY, end.minY) < viewport.maxY && viewport.minY < max(start.maxY, end.maxY)
  }

  /// Returns a frame clamped along both axes.
  func clamped(_ frame: Rect) -> Rect {
    var frame = frame
    for axis in [Axis.horizontal, .vertical] {
      let least = minimumOrigin(of: frame, along: axis)
      let most = maximumOrigin(of: frame, along: axis)
      frame.origin[axis] = max(least, min(most, frame.origin[axis]))
    }
    return frame
  }

  /// Returns a frame moved along an axis to the farthest position before the viewport.
  func frameBeforeViewport(_ frame: Rect, along axis: Axis) -> Rect {
    var frame = frame
    frame.origin[axis] = minimumOrigin(of: frame, along: axis)
    return frame
  }

  /// Returns a frame moved along an axis to the farthest position after the viewport.
  func frameAfterViewport(_ frame: Rect, along axis: Axis) -> Rect {
    var frame = frame
    frame.origin[axis] = maximumOrigin(of: frame, along: axis)
    return frame
  }

  private func minimumOrigin(of frame: Rect, along axis: Axis) -> Double {
    viewport.origin[axis] - viewport.size[axis] - frame.size[axis]
  }

  private func maximumOrigin(of frame: Rect, along axis: Axis) -> Double {
    viewport.origin[axis] + 2 * viewport.size[axis]
  }
}
