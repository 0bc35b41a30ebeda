public import Geometry

/// What was on screen and around it before an update; it becomes the way of each element once the update is known.
///
/// A pure machine: places before go in, names follow the update's numbering, and with the places after it tells which
/// element goes where. The model is final all the while: this is about what is shown.
public struct UpdateTransitionPlanner: Sendable {
  /// Where an element was.
  private struct InitialState: Sendable {
    var element: AnimatedElement
    var frame: Rect
    var isSeen: Bool
    var isPinned: Bool
    /// How much it was to hide: 0 for what was fading away.
    var opacity: Double
  }

  /// Where an element is after the update.
  public struct Target: Hashable, Sendable {
    /// Its frame in the content's coordinates.
    public var frame: Rect
    /// Whether it is on screen as far as the model goes.
    public var isSeen: Bool
    /// How much it hides in the end.
    public var opacity: Double
    /// Whether it stands at an edge of the viewport.
    public var isPinned: Bool

    /// Makes a target.
    public init(_ frame: Rect, isSeen: Bool, opacity: Double = 1, isPinned: Bool = false) {
      self.frame = frame
      self.isSeen = isSeen
      self.opacity = opacity
      self.isPinned = isPinned
    }
  }

  /// An element on screen of which it is not known where it was.
  public typealias Arrival = (element: AnimatedElement, frame: Rect, origin: ElementOrigin)

  /// How much an item that is new has still to grow when it is shown first, as a share of its size.
  static let appearanceGrowth = 0.15
  /// Viewports that an element is farther from its former place than where ways are not shown.
  static let maximumTravel = 2.0
  /// More moves than these in one update are not followed.
  public static let maximumMoves = 1_000

  private var initialStates: [InitialState] = []
  private var stateIndices: [AnimatedElement: Int] = [:]
  /// Cells that took another one's place.
  private var replacedElements: Set<AnimatedElement> = []
  /// Elements that were moved among the others.
  private var movedElements: Set<AnimatedElement> = []
  /// What was seen, in the content's coordinates of then.
  private let viewport: Rect
  /// How far the content's coordinates moved with the anchor since.
  private var contentShift = Point.zero
  /// Whether so much changed that ways mean nothing: the new is faded in over the old.
  public var isLarge = false

  /// Begins before an update.
  ///
  /// - Parameter viewport: what is seen, in the content's coordinates.
  public init(viewport: Rect) { self.viewport = viewport }

  /// Whether it is known where an element was.
  ///
  /// - Complexity: O(1).
  public func contains(_ element: AnimatedElement) -> Bool { stateIndices[element] != nil }

  /// Notes where an element is, or is about to go, before the update; one that is known is left as it was noted.
  ///
  /// - Parameters:
  ///   - element: which one.
  ///   - frame: its frame in the content's coordinates.
  ///   - isSeen: whether it is on screen.
  ///   - isPinned: whether it stands at an edge of the viewport.
  ///   - opacity: how much it is to hide.
  public mutating func recordElement(
    _ element: AnimatedElement, at frame: Rect, isSeen: Bool, isPinned: Bool = false, opacity: Double = 1
  ) {
    guard stateIndices[element] == nil else { return }
    stateIndices[element] = initialStates.count
    initialStates.append(
      InitialState(element: element, frame: frame, isSeen: isSeen, isPinned: isPinned, opacity: opacity))
  }

  /// An element that was noted goes, from where a handler had it shown.
  public mutating func setInitialFrame(of element: AnimatedElement, to frame: Rect) {
    if let number = stateIndices[element] { initialStates[number].frame = frame }
  }

  /// Elements have other names after the update.
  ///
  /// - Parameter newName: the new name of an element by its old one, no name twice; nothing for one that is gone and was
  ///   not seen.
  /// - Complexity: O(n) for the elements that were noted.
  public mutating func remapElements(_ newName: (AnimatedElement) -> AnimatedElement?) {
    initialStates = initialStates.compactMap { place in
      newName(place.element).map { name in
        var place = place
        place.element = name
        return place
      }
    }
    stateIndices.removeAll(keepingCapacity: true)
    for (number, place) in initialStates.enumerated() { stateIndices[place.element] = number }
    replacedElements = Set(replacedElements.compactMap(newName))
    movedElements = Set(movedElements.compactMap(newName))
  }

  /// One element has another name.
  public mutating func renameElement(_ element: AnimatedElement, to name: AnimatedElement) {
    guard let number = stateIndices.removeValue(forKey: element) else { return }
    initialStates[number].element = name
    stateIndices[name] = number
  }

  /// An element is shown by another view from now on; what showed it goes the same way under another name, and fades.
  public mutating func replaceElement(_ element: AnimatedElement, leaving name: AnimatedElement) {
    guard let number = stateIndices[element] else { return }
    var place = initialStates[number]
    place.element = name
    stateIndices[name] = initialStates.count
    initialStates.append(place)
    replacedElements.insert(element)
  }

  /// An element went to another place among the others.
  public mutating func recordMove(of element: AnimatedElement) { movedElements.insert(element) }

  /// The content's coordinates moved with the anchor: everything is shown where it was.
  public mutating func shiftContent(by vector: Point) { contentShift = contentShift + vector }

  /// Tells every element's way.
  ///
  /// - Parameters:
  ///   - viewport: what is seen after the update.
  ///   - current: how far from its place an element was shown.
  ///   - target: where an element is now; nothing for one that is nowhere.
  ///   - arrivals: elements on screen of which it is not known where they were.
  /// - Returns: a transition for each element that is or was on screen, and for those around it whose place is near.
  public func transitions(
    in viewport: Rect, current: (AnimatedElement) -> Displacement, target: (AnimatedElement) -> Target?,
    arrivals: [Arrival], axis: Axis
  ) -> [ElementTransition] {
    let reach = ViewportClamp(viewport)
    let ways = initialStates.compactMap { place in target(place.element).map { (place: place, target: $0) } }
    let isFading = isLarge || exceedsMaximumTravel(ways, arrivals)
    var transitions: [ElementTransition] = []
    for (place, target) in ways {
      let displacement = current(place.element)
      let from = displacement.applied(to: frame(of: place, to: target, in: viewport))
      let opacity = place.opacity + displacement.opacity
      let element = place.element
      var transition = ElementTransition(
        element: element, place: target.frame, opacity: target.opacity,
        level: target.isSeen ? (movedElements.contains(element) ? .moved : .staying) : .disappearing)
      if !target.isSeen, !place.isSeen, reach.clamped(target.frame) != target.frame { continue }
      if !target.isSeen { transition.finalFrame = reach.clamped(target.frame) }
      transition.initialDisplacement = Displacement(
        of: place.isSeen ? from : reach.clamped(from), from: transition.finalFrame, opacity: opacity - target.opacity)
      if replacedElements.contains(element) { transition.initialDisplacement.opacity = -1 }
      if isFading, place.isSeen || target.isSeen {
        convertToFade(&transition, from: from, opacity, wasSeen: place.isSeen)
      }
      transitions.append(transition)
    }
    for arrival in arrivals {
      transitions.append(
        ElementTransition(
          element: arrival.element, place: arrival.frame,
          start: initialDisplacement(of: arrival, isFading: isFading, reach, along: axis),
          level: arrival.origin == .new ? .appearing : movedElements.contains(arrival.element) ? .moved : .staying))
    }
    return transitions
  }

  /// How far from its place an element is shown first of which it is not known where it was.
  private func initialDisplacement(
    of arrival: Arrival, isFading: Bool, _ reach: ViewportClamp, along axis: Axis
  ) -> Displacement {
    let frame = arrival.frame
    switch (arrival.element, arrival.origin) {
    case (.item, .new) where !isFading:
      let growth = UpdateTransitionPlanner.appearanceGrowth
      return Displacement(width: frame.width * -growth, height: frame.height * -growth, opacity: -1)
    case (_, .beforeViewport) where !isFading:
      return Displacement(of: reach.frameBeforeViewport(frame, along: axis), from: frame)
    case (_, .afterViewport) where !isFading:
      return Displacement(of: reach.frameAfterViewport(frame, along: axis), from: frame)
    default: return Displacement(opacity: -1)
    }
  }

  /// Where an element was, in the content's coordinates of now.
  private func frame(of place: InitialState, to target: Target, in now: Rect) -> Rect {
    // What stands at an edge of the viewport goes with it, however the content was scrolled meanwhile.
    place.frame.offset(by: place.isPinned && target.isPinned ? now.origin - viewport.origin : contentShift)
  }

  /// An element does not go its way: it fades in at the end of it, and out at its beginning.
  private func convertToFade(_ transition: inout ElementTransition, from: Rect, _ opacity: Double, wasSeen: Bool) {
    guard transition.initialDisplacement != .zero, transition.opacity > 0 || transition.level != .disappearing else {
      return
    }
    if transition.level == .disappearing {
      transition.finalFrame = from
      transition.opacity = 0
      transition.initialDisplacement = Displacement(opacity: opacity)
    } else if transition.finalFrame != from {
      transition.initialDisplacement = Displacement(opacity: -1)
      transition.level = .appearing
      if wasSeen { transition.fadingCopy = from }
    }
  }

  /// Whether most of what stays and is or was on screen is far from where it was.
  private func exceedsMaximumTravel(
    _ ways: [(place: InitialState, target: Target)], _ arrivals: [Arrival]
  ) -> Bool {
    var (near, far) = (0, 0)
    for (place, target) in ways where (place.isSeen || target.isSeen) && target.opacity == 1 {
      if case .element = place.element { continue }
      let way = Displacement(of: frame(of: place, to: target, in: viewport), from: target.frame)
      let isFar =
        way.x.magnitude > UpdateTransitionPlanner.maximumTravel * viewport.width
        || way.y.magnitude > UpdateTransitionPlanner.maximumTravel * viewport.height
      if isFar { far += 1 } else { near += 1 }
    }
    far += arrivals.count { $0.origin != .new }
    return far > near
  }
}
