internal import VitrineDataStructures
public import VitrineGeometry

/// Handlers with which a section has a say in where scrolling ends, and from where its elements come.
///
/// In UIKit, these are methods of a subclass of the layout. Here a layout is a value: a section of groups or of a list
/// has handlers, and a ``SectionLayout`` has requirements. A handler of a section with a ``SectionLayout`` receives the
/// answer of the layout.
extension CollectionLayoutSection {
  /// Returns the offset at which scrolling ends.
  ///
  /// - Parameters:
  ///   - proposed: The offset at which it would end otherwise, as in
  ///     ``SectionLayout/targetContentOffset(forProposedContentOffset:withScrollingVelocity:)``.
  ///   - velocity: The velocity at the end of the gesture, in points per second.
  ///   - frames: The frames of the section's items.
  public typealias TargetContentOffsetHandler =
    @Sendable (_ proposed: Double, _ velocity: Double, _ frames: SectionFrames) -> Double

  /// Changes the attributes from which an element appears, or to which it disappears.
  ///
  /// - Parameters:
  ///   - element: The element, with its index in the update's new items if it appears, and in the old ones if it
  ///     disappears.
  ///   - attributes: The attributes that the element has otherwise, in the coordinates of the content.
  ///   - environment: The environment of the layout.
  public typealias TransitionHandler =
    @Sendable (_ element: VisibleItem.Name, _ attributes: inout TransitionAttributes, _ environment: LayoutEnvironment)
    -> Void

  /// A closure that decides where a drag or a fling of the content ends, for example at the start of an item, or nil.
  ///
  /// It is called as ``SectionLayout/targetContentOffset(forProposedContentOffset:withScrollingVelocity:)`` is.
  ///
  /// Default: nil.
  public var targetContentOffsetHandler: TargetContentOffsetHandler? {
    get { handlers?.targetContentOffset }
    set { setHandlers { $0.targetContentOffset = newValue } }
  }

  /// A closure that decides from where inserted items and new views come in an animated update, or nil.
  ///
  /// New views are, for example, the headers of inserted sections and the separators of inserted rows.
  ///
  /// It is called once for each such element on screen.
  ///
  /// Default: nil, with which items fade in and grow, and views fade in.
  public var initialLayoutAttributesHandler: TransitionHandler? {
    get { handlers?.initialAttributes }
    set { setHandlers { $0.initialAttributes = newValue } }
  }

  /// A closure that decides where deleted items and their views, and those of deleted sections, go in an animated update, or
  /// nil.
  ///
  /// It is called once for each such element on screen, before the update.
  ///
  /// Default: nil, with which they fade out.
  public var finalLayoutAttributesHandler: TransitionHandler? {
    get { handlers?.finalAttributes }
    set { setHandlers { $0.finalAttributes = newValue } }
  }

  private mutating func setHandlers(_ change: (inout SectionHandlers) -> Void) {
    var handlers = handlers ?? SectionHandlers()
    change(&handlers)
    self.handlers = handlers.isEmpty ? nil : handlers
  }
}

/// The handlers of a section that few sections have, stored apart so that other sections stay small.
struct SectionHandlers: Sendable {
  private final class Storage: Sendable {
    let target: CollectionLayoutSection.TargetContentOffsetHandler?
    let initial: CollectionLayoutSection.TransitionHandler?
    let final: CollectionLayoutSection.TransitionHandler?

    init(
      _ target: CollectionLayoutSection.TargetContentOffsetHandler?,
      _ initial: CollectionLayoutSection.TransitionHandler?, _ final: CollectionLayoutSection.TransitionHandler?
    ) {
      (self.target, self.initial, self.final) = (target, initial, final)
    }
  }

  private var storage = Storage(nil, nil, nil)

  /// Whether there are no handlers.
  var isEmpty: Bool { storage.target == nil && storage.initial == nil && storage.final == nil }

  /// Decides where scrolling ends.
  var targetContentOffset: CollectionLayoutSection.TargetContentOffsetHandler? {
    get { storage.target }
    set { storage = Storage(newValue, storage.initial, storage.final) }
  }
  /// Decides from where elements come.
  var initialAttributes: CollectionLayoutSection.TransitionHandler? {
    get { storage.initial }
    set { storage = Storage(storage.target, newValue, storage.final) }
  }
  /// Decides where elements go.
  var finalAttributes: CollectionLayoutSection.TransitionHandler? {
    get { storage.final }
    set { storage = Storage(storage.target, storage.initial, newValue) }
  }
}

/// The frames of a section's items, for a handler that decides where scrolling ends.
///
/// Frames are in points from the top left corner of the section's items, left to right, as those of a
/// ``SectionLayout``. Frames of self-sizing items far outside the viewport may be estimates.
public struct SectionFrames: Sendable {
  private let body: any SectionBody
  private let container: SectionContainer
  /// The space in which the section places its items.
  public let environment: SectionLayoutEnvironment

  init(_ body: any SectionBody, in container: SectionContainer, visibleLength: Double) {
    (self.body, self.container) = (body, container)
    var size = container.size
    size[container.flow] = visibleLength
    environment = SectionLayoutEnvironment(
      containerSize: size, flowAxis: container.flow, interGroupSpacing: container.interGroupSpacing,
      scale: container.scale)
  }

  /// The number of items.
  public var itemCount: Int { body.itemCount }

  /// The length of all items along the flow axis, in points.
  public var contentLength: Double { Double(body.length) / container.scale.pixelsPerPoint }

  /// Returns the frame of an item, in points.
  ///
  /// - Precondition: The item exists.
  public func frame(ofItem item: Int) -> Rect {
    checkPrecondition((0..<itemCount).contains(item), "There is no item \(item) among \(itemCount) of the section.")
    return ContentSpace(pixelsPerPoint: container.scale.pixelsPerPoint).rect(body.frame(ofItem: item))
  }

  /// Returns the items that intersect a rectangle, in ascending order.
  public func items(in rect: Rect) -> [Int] {
    guard let pixels = ContentSpace(pixelsPerPoint: container.scale.pixelsPerPoint).pixels(touching: rect) else {
      return []
    }
    var items: [Int] = []
    body.visitRuns(in: pixels) { items += $0 }
    return items
  }

  /// Returns the item whose start along the flow axis is nearest to an offset, or nil if there are no items.
  ///
  /// Items farther than the visible length are not considered, unless there are no others.
  public func item(nearestTo offset: Double) -> Int? {
    guard itemCount > 0 else { return nil }
    let (flow, reach) = (environment.flowAxis, max(1, environment.visibleLength))
    var rect = Rect(x: 0, y: 0, width: 1e9, height: 1e9)
    let line = max(0, min(offset, contentLength))
    rect.origin[flow] = line - reach
    rect.size[flow] = 2 * reach
    let found = items(in: rect).min { first, second in
      let (a, b) = (frame(ofItem: first).origin[flow], frame(ofItem: second).origin[flow])
      return ((a - offset).magnitude, first) < ((b - offset).magnitude, second)
    }
    return found ?? (offset > 0 ? itemCount - 1 : 0)
  }
}
