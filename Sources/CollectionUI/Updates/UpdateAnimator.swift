package import struct FoundationEssentials.IndexPath
package import VitrineCollectionEngine
package import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
package import VitrineGeometry
import VitrineScrollPhysics
import VitrineViews

/// What ``UpdateAnimator`` needs from the collection view.
package protocol UpdateAnimatorHost: ControllerHost {
  /// A displayed supplementary or decoration view, and the frame in which it is displayed.
  typealias Element = (attributes: ElementAttributes, view: CollectionReusableView?, frame: Rect)

  /// Whether frames are produced that can show an animation.
  var canAnimateUpdates: Bool { get }
  /// The displayed cells with the indices of their items, ascending.
  var displayedItems: [(index: Int, cell: CollectionViewCell)] { get }
  /// The displayed supplementary and decoration views.
  var displayedElements: [Element] { get }
  /// Returns the displayed cell of an item, or nil if it has none.
  func displayedCell(at index: Int) -> CollectionViewCell?
  /// Returns a displayed supplementary or decoration view, or nil if it is not displayed.
  func displayedElement(_ identity: ElementIdentity) -> Element?
  /// The dragged item, or nil if none is.
  var draggedItem: Int? { get }
  /// Returns the frame in which a dragged item is displayed, in the content's coordinates, or nil if it is not dragged.
  func draggedFrame(ofItem index: Int) -> Rect?

  /// Positions a cell that is displayed again.
  func restoreCell(_ cell: CollectionViewCell, at index: Int)
  /// Ends the display of a cell, which may wait for its item.
  func endDisplaying(_ cell: CollectionViewCell, at path: IndexPath, waitingFor index: Int?)
  /// Ends the display of a supplementary or decoration view.
  func endDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity?, mayWait: Bool)
  /// Draws all views at their final frames, because no animation runs.
  func updateAnimationDidEnd()
}

/// The owner of animated updates: the views that are displayed away from their final frames.
///
/// An animated update has three parts. ``begin()`` records where every element is displayed before anything changes.
/// The update then changes the items, and views that leave are handed over (``retain(_:at:)`` and others) and stay on
/// screen. The coming frame, when all visible views are displayed, starts a transition for each element from its
/// displayed to its final frame (``advance()``). Several updates before that frame are one animation.
///
/// Invariants:
/// - The model is ahead of the screen: the view's properties return final frames at any time. Only drawing asks where
///   an element is displayed (``displacements``).
/// - A transition starts where its element is displayed, with its velocity, also if it interrupts another one.
/// - A view that leaves is retained only while it is seen: one that was scrolled away ends with the next transitions, so
///   that updates in quick succession do not accumulate views.
/// - A retained view is in no other store. It leaves exactly once: it is displayed again, or its end action is performed
///   when its motion ends, or all animations are ended.
/// - Without frames, or with reduced motion, nothing is retained.
package final class UpdateAnimator {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any UpdateAnimatorHost)!

  // Unchecked: nothing that changes it calls client code, so that it cannot be read while it is being modified.
  /// The recorded elements, until the coming frame.
  @exclusivity(unchecked) private var planner: UpdateTransitionPlanner?
  @exclusivity(unchecked) private var animator = ElementAnimator()
  /// In the order in which they left.
  private var disappearing: [DisappearingView] = []
  /// The maps of the updates since the beginning of the animation, in order.
  private var maps: [IndexMap] = []
  /// The first visible item at the beginning of the animation.
  private var firstVisible: Int?
  private var lastID = 0
  private var isMotionReduced = false

  /// The maximum number of elements around the viewport that are recorded before an update.
  private static let maximumNeighbours = 2_000

  /// Creates an animator of no elements.
  package init() {}

  // MARK: - State

  /// Whether elements are animated, or will be in the coming frame.
  package var isRunning: Bool { planner != nil || animator.isRunning }

  /// Whether the coming frame begins an animation.
  package var isPlanned: Bool { planner != nil }

  /// Whether elements are displayed away from their final frames.
  package var isMoving: Bool { animator.isRunning }

  /// Whether changes are displayed without animation.
  package var isReduced: Bool { isMotionReduced }

  /// Sets whether changes are displayed without animation, and ends running animations if they are.
  package func setReduced(_ isReduced: Bool) {
    isMotionReduced = isReduced
    if isReduced { host.performWhenReady { self.end() } }
  }

  /// The displacements of all elements at the time of the current frame.
  package var displacements: (AnimatedElement) -> Displacement { animator.displacements(at: host.lastInstant) }

  /// Returns the displacement of one element at the time of the current frame.
  package func displacement(of element: AnimatedElement) -> Displacement {
    animator.displacement(of: element, at: host.lastInstant)
  }

  /// Returns the front-to-back order of an element.
  package func level(of element: AnimatedElement) -> ElementTransition.Level { animator.level(of: element) }

  /// Returns whether an item is animated to its final frame.
  package func isAnimating(item index: Int) -> Bool { animator.isMoving(.item(index)) }

  /// The views that left the model and are still drawn, in the order in which they left.
  ///
  /// A copy whose view was reused is not drawn any more, and not contained.
  var retainedViews: [DisappearingView] {
    disappearing.filter { entry in
      if case .copy(let generation) = entry.endAction { return entry.view.generation == generation }
      return true
    }
  }

  /// Returns the cell that is still bound to an off-screen item, or nil if there is none.
  package func retainedCell(at index: Int) -> CollectionViewCell? {
    guard !disappearing.isEmpty else { return nil }
    return disappearing.first { $0.boundItem == index }?.view as? CollectionViewCell
  }

  /// Calls a closure for each retained cell that is bound to an off-screen item.
  package func forEachBoundCell(_ body: (_ item: Int, _ cell: CollectionViewCell) -> Void) {
    for entry in disappearing {
      if let item = entry.boundItem, let cell = entry.view as? CollectionViewCell { body(item, cell) }
    }
  }

  /// Calls a closure for each retained view of an element that the layout still contains.
  package func forEachElementView(_ body: (_ identity: ElementIdentity, _ view: CollectionReusableView) -> Void) {
    for entry in disappearing {
      if case .endsElement(let identity?) = entry.endAction { body(identity, entry.view) }
    }
  }

  // MARK: - Beginning an animation

  /// Records the displayed elements before changes to be animated.
  ///
  /// If no frames are produced or motion is reduced, nothing is animated, and running animations end.
  package func begin() {
    // Deferred, because ending calls the delegate, which must not happen during an update or within another such call.
    guard host.canAnimateUpdates, !isMotionReduced else { return host.performWhenReady { self.end() } }
    guard planner == nil else { return }
    let layout = host.solution
    var planner = UpdateTransitionPlanner(viewport: host.visibleRect)
    for entry in disappearing {
      planner.recordElement(
        .disappearing(entry.id), at: entry.frame, isVisible: true, opacity: entry.opacity, rotation: entry.rotation)
    }
    let items = host.displayedItems
    for (index, _) in items where index < host.itemCount {
      planner.recordElement(.item(index), at: layout.frame(ofItem: index), isVisible: true)
    }
    for element in host.displayedElements where element.view != nil {
      planner.recordElement(
        .element(element.attributes.identity), at: element.frame, isVisible: true,
        isPinned: element.attributes.isPinned)
    }
    recordNeighbours(in: &planner)
    self.planner = planner
    maps = []
    firstVisible = items.first?.index
    host.setNeedsDisplay()
  }

  /// Begins an animation in which an item moves from a frame of the content to its place, as after a drag.
  package func beginSettling(_ index: Int, from frame: Rect) {
    begin()
    // From its displayed frame, not from the gap that was left for it.
    animator.removeAnimation(of: .item(index))
    planner?.setInitialFrame(of: .item(index), to: frame)
    planner?.recordMove(of: .item(index))
  }

  /// Records the elements within one viewport.
  ///
  /// Elements farther away do not appear from there.
  private func recordNeighbours(in planner: inout UpdateTransitionPlanner) {
    let (screen, layout) = (host.visibleRect, host.solution)
    let around = Rect(
      x: screen.minX - screen.width, y: screen.minY - screen.height, width: 3 * screen.width,
      height: 3 * screen.height)
    var count = 0
    layout.visitItems(in: around) { run in
      for index in run where count < UpdateAnimator.maximumNeighbours {
        count += 1
        planner.recordElement(.item(index), at: layout.frame(ofItem: index), isVisible: false)
      }
    }
    var neighbours: [ElementAttributes] = []
    layout.appendElements(in: around, to: &neighbours)
    for element in neighbours {
      planner.recordElement(.element(element.identity), at: element.frame, isVisible: false)
    }
  }

  // MARK: - Updates

  /// Updates the indices of animated elements after an update, before the layout is updated.
  ///
  /// - Parameters:
  ///   - map: The map of the update.
  ///   - removed: The cells of deleted items, by their old indices.
  /// - Returns: The cells whose display ends immediately.
  package func apply(
    _ map: IndexMap, removed: [(index: Int, cell: CollectionViewCell)]
  ) -> [(index: Int, cell: CollectionViewCell)] {
    guard isRunning else { return removed }
    var leaving: [Int: AnimatedElement] = [:]
    if planner != nil {
      for (index, cell) in removed {
        cell.itemIndex = nil
        let endAction = DisappearingView.EndAction.recycles(path: host.indexPath(at: index), item: nil)
        let dragFrame = host.draggedFrame(ofItem: index)
        if dragFrame != nil { animator.removeAnimation(of: .item(index)) }
        planner?.setInitialFrame(of: .item(index), to: dragFrame ?? cell.frame)
        // The layout still contains the item.
        let attributes = host.solution.finalLayoutAttributes(forDisappearing: .item(index), at: cell.frame)
        leaving[index] = add(cell, endAction, at: attributes ?? .transparent(at: dragFrame ?? cell.frame))
      }
    }
    planner?.apply(map, leaving: leaving)
    animator.apply(map, leaving: leaving)
    for position in disappearing.indices { remap(&disappearing[position], map) }
    return planner == nil ? removed : []
  }

  private func remap(_ entry: inout DisappearingView, _ map: IndexMap) {
    switch entry.endAction {
    case .keepsPrepared(let item):
      if let new = map.newIndex(ofItem: item) {
        entry.endAction = .keepsPrepared(item: new)
      } else {
        entry.endAction = .recycles(path: host.indexPath(at: item), item: nil)
        entry.opacity = 0
      }
      (entry.view as? CollectionViewCell)?.itemIndex = entry.boundItem
    case .recycles(let path, let item?):
      entry.endAction = .recycles(path: path, item: map.newIndex(ofItem: item))
    case .endsElement(let identity?): entry.endAction = .endsElement(map.newIdentity(of: identity))
    case .recycles, .endsElement, .copy: break
    }
  }

  /// Records the items that an update moved, after the layout was updated.
  ///
  /// - Parameters:
  ///   - map: The map of the update.
  ///   - count: The number of moved items.
  package func recordMoves(_ map: IndexMap, count: Int) {
    guard planner != nil else { return }
    maps.append(map)
    if count > UpdateTransitionPlanner.maximumMoves { planner?.isLarge = true }
    // Now, because another update may change their indices. Moved items that become visible by then are recorded in the
    // frame.
    recordMovedItems()
  }

  private func recordMovedItems() {
    guard let map = maps.last else { return }
    for (index, _) in host.displayedItems where map.isMoved(item: index) { planner?.recordMove(of: .item(index)) }
  }

  /// Shifts animated elements after the origin of the content's coordinates moved with the anchor.
  package func shiftContent(by vector: Point) {
    guard vector != .zero, isRunning else { return }
    planner?.shiftContent(by: vector)
    for position in disappearing.indices {
      disappearing[position].frame = disappearing[position].frame.offset(by: vector)
    }
  }

  // MARK: - Frames

  /// Phase 5, when all visible views are displayed: starts transitions, and ends finished ones.
  package func advance() {
    if planner != nil { recordMovedItems() }
    if let planner {
      self.planner = nil
      startTransitions(planner)
    }
    if animator.hasEnded(by: host.lastInstant) { end() }
  }

  private func startTransitions(_ planner: UpdateTransitionPlanner) {
    let now = host.lastInstant
    let transitions = planner.transitions(
      in: host.visibleRect, current: animator.displacements(at: now), target: { self.target(of: $0) },
      arrivals: arrivals(in: planner), axis: host.scrollAxis, appearance: { self.initialAttributes(of: $0) })
    var started = transitions
    for transition in transitions {
      if case .disappearing(let id) = transition.element,
        let position = disappearing.firstIndex(where: { $0.id == id })
      {
        disappearing[position].frame = transition.finalFrame
        disappearing[position].opacity = transition.opacity
        disappearing[position].rotation = transition.rotation
      }
      // A dragged item is displayed only under the pointer.
      let isDragged = host.draggedItem.map { transition.element == .item($0) } ?? false
      if let frame = transition.fadingCopy, !isDragged, let view = view(of: transition.element) {
        let copy = add(view, .copy(generation: view.generation), at: frame, opacity: 0)
        started.append(
          ElementTransition(
            element: copy, finalFrame: frame, opacity: 0, initialDisplacement: Displacement(opacity: 1),
            level: .disappearing))
      }
    }
    animator.startTransitions(started, at: now)
    let finished = disappearing.filter { !animator.isMoving(.disappearing($0.id)) }
    disappearing.removeAll { !animator.isMoving(.disappearing($0.id)) }
    performEndActions(finished)
    if !animator.isRunning { end() }
  }

  /// Returns the attributes from which the layout lets a new element appear, or nil for the default.
  private func initialAttributes(of element: AnimatedElement) -> TransitionAttributes? {
    let layout = host.solution
    switch element {
    case .item(let index):
      return layout.initialLayoutAttributes(forAppearing: .item(index), at: layout.frame(ofItem: index))
    case .element(let identity):
      return host.displayedElement(identity).flatMap {
        layout.initialLayoutAttributes(forAppearing: .element(identity), at: $0.frame)
      }
    case .disappearing: return nil
    }
  }

  /// Returns the visible elements whose former frames were not recorded.
  private func arrivals(in planner: UpdateTransitionPlanner) -> [UpdateTransitionPlanner.Arrival] {
    var arrivals: [UpdateTransitionPlanner.Arrival] = []
    for (index, _) in host.displayedItems where !planner.contains(.item(index)) {
      var origin = ElementOrigin.new
      // The index at the beginning of the animation, or nil if the item was inserted since.
      if let original = maps.reversed().reduce(index as Int?, { index, map in index.flatMap(map.oldIndex(ofItem:)) }) {
        origin = firstVisible.map { original < $0 ? .beforeViewport : .afterViewport } ?? .new
      }
      arrivals.append((.item(index), host.solution.frame(ofItem: index), origin))
    }
    for element in host.displayedElements where !planner.contains(.element(element.attributes.identity)) {
      arrivals.append((.element(element.attributes.identity), element.attributes.frame, .new))
    }
    return arrivals
  }

  /// Returns the final frame of an element.
  private func target(of element: AnimatedElement) -> UpdateTransitionPlanner.Target? {
    let layout = host.solution
    switch element {
    case .item(let index):
      guard index < host.itemCount else { return nil }
      return UpdateTransitionPlanner.Target(
        layout.frame(ofItem: index), isVisible: host.displayedCell(at: index) != nil)
    case .element(let identity):
      let displayed = host.displayedElement(identity)?.attributes
      return (displayed ?? layout.attributes(of: identity, in: host.visibleRect)).map {
        UpdateTransitionPlanner.Target($0.frame, isVisible: displayed != nil, isPinned: $0.isPinned)
      }
    case .disappearing(let id):
      guard let entry = disappearing.first(where: { $0.id == id }) else { return nil }
      switch entry.endAction {
      case .keepsPrepared(let item), .recycles(_, let item?):
        return UpdateTransitionPlanner.Target(layout.frame(ofItem: item), isVisible: false, opacity: entry.opacity)
      case .endsElement(let identity?):
        if let attributes = layout.attributes(of: identity, in: host.visibleRect) {
          return UpdateTransitionPlanner.Target(attributes.frame, isVisible: false, isPinned: attributes.isPinned)
        }
        return UpdateTransitionPlanner.Target(entry.frame, isVisible: false, opacity: 0)
      case .recycles, .endsElement, .copy:
        return UpdateTransitionPlanner.Target(
          entry.frame, isVisible: false, opacity: entry.opacity, rotation: entry.rotation)
      }
    }
  }

  private func view(of element: AnimatedElement) -> CollectionReusableView? {
    switch element {
    case .item(let index): host.displayedCell(at: index)
    case .element(let identity): host.displayedElement(identity)?.view
    case .disappearing: nil
    }
  }

  // MARK: - Retaining views

  private func add(
    _ view: CollectionReusableView, _ endAction: DisappearingView.EndAction, at frame: Rect, opacity: Double
  ) -> AnimatedElement {
    lastID += 1
    disappearing.append(
      DisappearingView(id: lastID, view: view, endAction: endAction, frame: frame, opacity: opacity))
    return .disappearing(lastID)
  }

  private func add(
    _ view: CollectionReusableView, _ endAction: DisappearingView.EndAction, at attributes: TransitionAttributes
  ) -> AnimatedElement {
    let element = add(view, endAction, at: attributes.scaledFrame, opacity: max(0, min(1, attributes.alpha)))
    disappearing[disappearing.count - 1].rotation = attributes.rotationAngle
    return element
  }

  /// Keeps drawing a cell whose item moved off screen, if the cell is visible while it moves there.
  ///
  /// - Returns: Whether the cell was retained; if false, the caller ends its display.
  package func retain(_ cell: CollectionViewCell, at index: Int) -> Bool {
    guard isRunning else { return false }
    let frame = host.solution.frame(ofItem: index)
    let element = AnimatedElement.item(index)
    guard isSeen(element, movingTo: frame) else { return false }
    rename(element, to: add(cell, .keepsPrepared(item: index), at: frame, opacity: 1))
    return true
  }

  /// Returns whether an element that leaves is still seen on its way to a frame.
  private func isSeen(_ element: AnimatedElement, movingTo frame: Rect) -> Bool {
    let displacement = displacement(of: element)
    guard let planner else {
      return animator.isMoving(element) && displacement.applied(to: frame).intersects(host.visibleRect)
    }
    return planner.isSeen(element, movingTo: frame, in: host.visibleRect, displacedBy: displacement)
  }

  /// Fades out a cell whose item received another cell, if the coming animation recorded the item.
  ///
  /// The cell of a dragged item is replaced without fading.
  ///
  /// - Returns: Whether the cell was retained; if false, the caller ends its display.
  package func retainReplaced(_ cell: CollectionViewCell, at index: Int) -> Bool {
    guard planner?.contains(.item(index)) ?? false, index != host.draggedItem else { return false }
    cell.itemIndex = nil
    let endAction = DisappearingView.EndAction.recycles(path: host.indexPath(at: index), item: index)
    let element = add(cell, endAction, at: host.solution.frame(ofItem: index), opacity: 0)
    planner?.replaceElement(.item(index), leaving: element)
    return true
  }

  /// Keeps drawing a supplementary or decoration view whose element moved off screen or was deleted, if the coming
  /// animation recorded the element.
  ///
  /// - Returns: Whether the view was retained; if false, the caller ends its display.
  package func retain(_ view: CollectionReusableView, _ identity: ElementIdentity, isDeleted: Bool) -> Bool {
    guard planner?.contains(.element(identity)) ?? false else { return false }
    guard isDeleted else {
      rename(.element(identity), to: add(view, .endsElement(identity), at: view.frame, opacity: 1))
      return true
    }
    // The layout still contains the element.
    let attributes = host.solution.finalLayoutAttributes(forDisappearing: .element(identity), at: view.frame)
    rename(.element(identity), to: add(view, .endsElement(nil), at: attributes ?? .transparent(at: view.frame)))
    return true
  }

  private func rename(_ element: AnimatedElement, to other: AnimatedElement, by delta: Displacement = .zero) {
    planner?.renameElement(element, to: other)
    animator.retarget(element, to: other, by: delta, at: host.lastInstant)
  }

  /// Removes and returns the cell that is retained for an item, which is displayed again; nil if there is none.
  ///
  /// The cell continues from where it is drawn.
  package func reclaimCell(at index: Int) -> CollectionViewCell? {
    guard !disappearing.isEmpty, let position = disappearing.firstIndex(where: { $0.boundItem == index }),
      let cell = disappearing[position].view as? CollectionViewCell
    else { return nil }
    let entry = disappearing.remove(at: position)
    restore(entry, as: .item(index), to: host.solution.frame(ofItem: index))
    host.restoreCell(cell, at: index)
    return cell
  }

  /// Removes and returns the view that is retained for an element, which is displayed again; nil if there is none.
  package func reclaimView(of element: ElementAttributes) -> CollectionReusableView? {
    guard !disappearing.isEmpty else { return nil }
    let position = disappearing.firstIndex { entry in
      if case .endsElement(element.identity) = entry.endAction { true } else { false }
    }
    guard let position else { return nil }
    let entry = disappearing.remove(at: position)
    restore(entry, as: .element(element.identity), to: element.frame)
    return entry.view
  }

  private func restore(_ entry: DisappearingView, as element: AnimatedElement, to frame: Rect) {
    rename(.disappearing(entry.id), to: element, by: Displacement(of: entry.frame, from: frame))
  }

  /// Unbinds the retained cell of a reloaded item, so that it is not displayed again with outdated content.
  package func detachCell(at index: Int) {
    guard let position = disappearing.firstIndex(where: { $0.boundItem == index }) else { return }
    (disappearing[position].view as? CollectionViewCell)?.itemIndex = nil
    disappearing[position].endAction = .recycles(path: host.indexPath(at: index), item: index)
  }

  // MARK: - Ending

  /// Ends all animations immediately, and performs the end actions of all retained views.
  package func end() {
    guard isRunning || !disappearing.isEmpty else { return }
    planner = nil
    animator.removeAll()
    maps = []
    let views = disappearing
    disappearing = []
    host.updateAnimationDidEnd()
    host.setNeedsDisplay()
    performEndActions(views)
  }

  /// Performs the end actions of views that have disappeared.
  ///
  /// Updates that the delegate makes meanwhile are applied afterwards.
  private func performEndActions(_ views: [DisappearingView]) {
    guard !views.isEmpty else { return }
    host.deferringUpdates {
      for entry in views {
        switch entry.endAction {
        case .keepsPrepared(let item):
          guard let cell = entry.view as? CollectionViewCell else { continue }
          host.endDisplaying(cell, at: host.indexPath(at: item), waitingFor: item)
        case .recycles(let path, _):
          guard let cell = entry.view as? CollectionViewCell else { continue }
          host.endDisplaying(cell, at: path, waitingFor: nil)
        case .endsElement(let identity):
          host.endDisplaying(entry.view, identity ?? entry.view.attributes?.identity, mayWait: identity != nil)
        case .copy: break
        }
      }
    }
  }
}

/// A view that stays on screen during an update animation although it no longer displays an element of the model.
///
/// Its element moved off screen, was deleted, or received another view. A fading copy of a displayed view is also one.
struct DisappearingView {
  /// What happens to the view when its animation ends.
  enum EndAction {
    /// Keeps the cell prepared for its item, which is off screen, or recycles it if there is no capacity.
    case keepsPrepared(item: Int)
    /// Recycles the cell and passes `path` to `didEndDisplaying`.
    ///
    /// `item` received another cell, and this cell moves to its frame while it fades out. It is nil if the item was
    /// deleted.
    case recycles(path: IndexPath, item: Int?)
    /// Ends the display of a supplementary or decoration view.
    ///
    /// The view stays prepared if the layout still contains its element, whose identity is given, and is recycled if
    /// the identity is nil.
    case endsElement(ElementIdentity?)
    /// Has no effect: the view is displayed elsewhere, and this is a copy of its drawing.
    ///
    /// `generation` is the view's reuse count when the copy was made. The copy is not drawn once the view was reused.
    case copy(generation: Int)
  }

  /// The identifier of the view among the animated elements.
  let id: Int
  /// The view, which is still drawn.
  let view: CollectionReusableView
  /// What happens to the view when its animation ends.
  var endAction: EndAction
  /// The final frame, in the content's coordinates.
  var frame: Rect
  /// The final opacity.
  var opacity: Double
  /// The final rotation in radians.
  var rotation = 0.0

  /// The flat index of the off-screen item that the cell is still bound to, or nil.
  var boundItem: Int? {
    if case .keepsPrepared(let item) = endAction { item } else { nil }
  }
}
