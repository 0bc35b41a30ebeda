public import Geometry

/// What was on screen and around it before an update; it becomes the way of each element once the update is known.
///
/// A pure machine: places before go in, names follow the update's numbering, and with the places after it tells which
/// element goes where. The model is final all the while: this is about what is shown.
public struct UpdateTransaction: Sendable {
  /// Where an element was.
  private struct Place: Sendable {
    var element: MovingElement
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
  public typealias Arrival = (element: MovingElement, frame: Rect, origin: ElementOrigin)

  /// How much an item that is new has still to grow when it is shown first, as a share of its size.
  static let growth = 0.15
  /// Viewports that an element is farther from its former place than where ways are not shown.
  static let longestWay = 2.0
  /// More moves than these in one update are not followed.
  public static let mostMoves = 1_000

  private var places: [Place] = []
  private var numbers: [MovingElement: Int] = [:]
  /// Cells that took another one's place.
  private var replaced: Set<MovingElement> = []
  /// Elements that were moved among the others.
  private var moved: Set<MovingElement> = []
  /// What was seen, in the content's coordinates of then.
  private let viewport: Rect
  /// How far the content's coordinates moved with the anchor since.
  private var shift = Point.zero
  /// Whether so much changed that ways mean nothing: the new is faded in over the old.
  public var isLarge = false

  /// Begins before an update.
  ///
  /// - Parameter viewport: what is seen, in the content's coordinates.
  public init(viewport: Rect) { self.viewport = viewport }

  /// Whether it is known where an element was.
  ///
  /// - Complexity: O(1).
  public func knows(_ element: MovingElement) -> Bool { numbers[element] != nil }

  /// Notes where an element is, or is about to go, before the update; one that is known is left as it was noted.
  ///
  /// - Parameters:
  ///   - element: which one.
  ///   - frame: its frame in the content's coordinates.
  ///   - isSeen: whether it is on screen.
  ///   - isPinned: whether it stands at an edge of the viewport.
  ///   - opacity: how much it is to hide.
  public mutating func note(
    _ element: MovingElement, at frame: Rect, isSeen: Bool, isPinned: Bool = false, opacity: Double = 1
  ) {
    guard numbers[element] == nil else { return }
    numbers[element] = places.count
    places.append(Place(element: element, frame: frame, isSeen: isSeen, isPinned: isPinned, opacity: opacity))
  }

  /// An element that was noted goes, from where a handler had it shown.
  public mutating func correct(_ element: MovingElement, to frame: Rect) {
    if let number = numbers[element] { places[number].frame = frame }
  }

  /// Elements have other names after the update.
  ///
  /// - Parameter newName: the new name of an element by its old one, no name twice; nothing for one that is gone and was
  ///   not seen.
  /// - Complexity: O(n) for the elements that were noted.
  public mutating func rename(_ newName: (MovingElement) -> MovingElement?) {
    places = places.compactMap { place in
      newName(place.element).map { name in
        var place = place
        place.element = name
        return place
      }
    }
    numbers.removeAll(keepingCapacity: true)
    for (number, place) in places.enumerated() { numbers[place.element] = number }
    replaced = Set(replaced.compactMap(newName))
    moved = Set(moved.compactMap(newName))
  }

  /// One element has another name.
  public mutating func rename(_ element: MovingElement, to name: MovingElement) {
    guard let number = numbers.removeValue(forKey: element) else { return }
    places[number].element = name
    numbers[name] = number
  }

  /// An element is shown by another view from now on; what showed it goes the same way under another name, and fades.
  public mutating func replace(_ element: MovingElement, leaving name: MovingElement) {
    guard let number = numbers[element] else { return }
    var place = places[number]
    place.element = name
    numbers[name] = places.count
    places.append(place)
    replaced.insert(element)
  }

  /// An element went to another place among the others.
  public mutating func noteMove(of element: MovingElement) { moved.insert(element) }

  /// The content's coordinates moved with the anchor: everything is shown where it was.
  public mutating func shift(by vector: Point) { shift = shift + vector }

  /// Tells every element's way.
  ///
  /// - Parameters:
  ///   - viewport: what is seen after the update.
  ///   - current: how far from its place an element was shown.
  ///   - target: where an element is now; nothing for one that is nowhere.
  ///   - arrivals: elements on screen of which it is not known where they were.
  /// - Returns: a transition for each element that is or was on screen, and for those around it whose place is near.
  public func transitions(
    in viewport: Rect, current: (MovingElement) -> Displacement, target: (MovingElement) -> Target?,
    arrivals: [Arrival], axis: Axis
  ) -> [ElementTransition] {
    let reach = ViewportReach(viewport)
    let ways = places.compactMap { place in target(place.element).map { (place: place, target: $0) } }
    let isFading = isLarge || isMostlyFar(ways, arrivals)
    var transitions: [ElementTransition] = []
    for (place, target) in ways {
      let displacement = current(place.element)
      let from = displacement.applied(to: frame(of: place, to: target, in: viewport))
      let opacity = place.opacity + displacement.opacity
      let element = place.element
      var transition = ElementTransition(
        element: element, place: target.frame, opacity: target.opacity,
        level: target.isSeen ? (moved.contains(element) ? .moved : .staying) : .leaving)
      if !target.isSeen, !place.isSeen, reach.clamped(target.frame) != target.frame { continue }
      if !target.isSeen { transition.place = reach.clamped(target.frame) }
      transition.start = Displacement(
        of: place.isSeen ? from : reach.clamped(from), from: transition.place, opacity: opacity - target.opacity)
      if replaced.contains(element) { transition.start.opacity = -1 }
      if isFading, place.isSeen || target.isSeen { fade(&transition, from: from, opacity, wasSeen: place.isSeen) }
      transitions.append(transition)
    }
    for arrival in arrivals {
      transitions.append(
        ElementTransition(
          element: arrival.element, place: arrival.frame,
          start: start(of: arrival, isFading: isFading, reach, along: axis),
          level: arrival.origin == .new ? .arriving : moved.contains(arrival.element) ? .moved : .staying))
    }
    return transitions
  }

  /// How far from its place an element is shown first of which it is not known where it was.
  private func start(
    of arrival: Arrival, isFading: Bool, _ reach: ViewportReach, along axis: Axis
  ) -> Displacement {
    let frame = arrival.frame
    switch (arrival.element, arrival.origin) {
    case (.item, .new) where !isFading:
      let growth = UpdateTransaction.growth
      return Displacement(width: frame.width * -growth, height: frame.height * -growth, opacity: -1)
    case (_, .before) where !isFading: return Displacement(of: reach.justBefore(frame, along: axis), from: frame)
    case (_, .behind) where !isFading: return Displacement(of: reach.justBehind(frame, along: axis), from: frame)
    default: return Displacement(opacity: -1)
    }
  }

  /// Where an element was, in the content's coordinates of now.
  private func frame(of place: Place, to target: Target, in now: Rect) -> Rect {
    // What stands at an edge of the viewport goes with it, however the content was scrolled meanwhile.
    place.frame.offset(by: place.isPinned && target.isPinned ? now.origin - viewport.origin : shift)
  }

  /// An element does not go its way: it fades in at the end of it, and out at its beginning.
  private func fade(_ transition: inout ElementTransition, from: Rect, _ opacity: Double, wasSeen: Bool) {
    guard transition.start != .zero, transition.opacity > 0 || transition.level != .leaving else { return }
    if transition.level == .leaving {
      transition.place = from
      transition.opacity = 0
      transition.start = Displacement(opacity: opacity)
    } else if transition.place != from {
      transition.start = Displacement(opacity: -1)
      transition.level = .arriving
      if wasSeen { transition.fadingCopy = from }
    }
  }

  /// Whether most of what stays and is or was on screen is far from where it was.
  private func isMostlyFar(
    _ ways: [(place: Place, target: Target)], _ arrivals: [Arrival]
  ) -> Bool {
    var (near, far) = (0, 0)
    for (place, target) in ways where (place.isSeen || target.isSeen) && target.opacity == 1 {
      if case .element = place.element { continue }
      let way = Displacement(of: frame(of: place, to: target, in: viewport), from: target.frame)
      let isFar =
        way.x.magnitude > UpdateTransaction.longestWay * viewport.width
        || way.y.magnitude > UpdateTransaction.longestWay * viewport.height
      if isFar { far += 1 } else { near += 1 }
    }
    far += arrivals.count { $0.origin != .new }
    return far > near
  }
}
