import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath
import Geometry
import ScrollPhysics
import Views

/// The state of animating updates: the elements that are displayed away from their final frames.
struct UpdateAnimationState {
  /// The planner, which recorded the displayed elements before changes that the coming frame displays.
  var planner: UpdateTransitionPlanner?
  /// The animator of the elements in motion.
  var animator = ElementAnimator()
  /// The views that are displayed and no longer in the model, in the order in which they left.
  var disappearing: [DisappearingView] = []
  /// Whether changes are displayed without animation.
  var isReduced = false
  /// The maps of the updates since the beginning of the update animation, in order.
  private(set) var maps: [IndexMap] = []
  /// The first visible item at the beginning of the update animation.
  var firstVisible: Int?
  private var lastID = 0

  /// Whether elements are animated, or will be in the coming frame.
  var isRunning: Bool { planner != nil || animator.isRunning }

  /// Adds a view that left the model.
  ///
  /// - Returns: The animated element that represents it from now on.
  mutating func addDisappearingView(
    _ view: CollectionReusableView, _ endAction: DisappearingView.EndAction, at frame: Rect, opacity: Double
  ) -> AnimatedElement {
    lastID += 1
    disappearing.append(
      DisappearingView(id: lastID, view: view, endAction: endAction, frame: frame, opacity: opacity))
    return .disappearing(lastID)
  }

  /// Records the map of an update, if the coming frame starts an animation.
  mutating func record(_ map: IndexMap) { if planner != nil { maps.append(map) } }

  /// Forgets the updates before the next animation.
  mutating func removeMaps() { maps = [] }

  /// Returns the index that an item had at the beginning of the update animation, or nil if it was inserted since.
  func originalIndex(ofItem index: Int) -> Int? {
    maps.reversed().reduce(index as Int?) { index, map in index.flatMap(map.oldIndex(ofItem:)) }
  }

  /// Returns whether the last update moved the item with an index.
  func isMoved(item index: Int) -> Bool { maps.last?.isMoved(item: index) ?? false }

  /// Removes and returns the views that are not in motion any more.
  mutating func removeFinishedViews() -> [DisappearingView] {
    let animator = animator
    defer { disappearing.removeAll { !animator.isMoving(.disappearing($0.id)) } }
    return disappearing.filter { !animator.isMoving(.disappearing($0.id)) }
  }

  /// Removes and returns a view whose element is in the model again.
  mutating func removeDisappearingView(where predicate: (DisappearingView) -> Bool) -> DisappearingView? {
    disappearing.firstIndex(where: predicate).map { disappearing.remove(at: $0) }
  }
}

extension CollectionView {
  /// A Boolean value that indicates whether changes are displayed without animation, for users sensitive to motion.
  ///
  /// Setting it to true ends running update animations. Scrolling by wheel steps, keys and the program is also
  /// immediate, and content does not bounce. Scrolling by touch and trackpad, and its deceleration, are not affected.
  /// The default is false.
  public final var reducesMotion: Bool {
    get { updateAnimation.isReduced }
    set {
      updateAnimation.isReduced = newValue
      scrollIndicator.reducesMotion = newValue
      scrollTuning.reducesMotion = newValue
      if newValue { performWhenReady { self.endUpdateAnimation() } }
    }
  }

  /// A Boolean value that indicates whether items or other elements are being animated to their final frames.
  ///
  /// The model is updated immediately: the view's properties and methods return final frames.
  public final var isAnimatingUpdates: Bool { updateAnimation.isRunning }

  /// The maximum number of elements around the viewport that are recorded before an update.
  private static var maximumNeighbours: Int { 2_000 }

  // MARK: - Beginning an animation

  /// Whether changes can be animated.
  private var canAnimateUpdates: Bool { runsFrames && !updateAnimation.isReduced && !bounds.isEmpty }

  /// Records the displayed elements before changes to be animated.
  ///
  /// The coming frame begins the animation. If no frames are produced or motion is reduced, nothing is animated, and
  /// running animations end.
  final func beginUpdateAnimation() {
    // Deferred, because ending calls the delegate, which must not happen during an update or within another such call.
    guard canAnimateUpdates else { return performWhenReady { self.endUpdateAnimation() } }
    guard updateAnimation.planner == nil else { return }
    var planner = UpdateTransitionPlanner(viewport: visibleRect)
    for entry in updateAnimation.disappearing {
      planner.recordElement(.disappearing(entry.id), at: entry.frame, isVisible: true, opacity: entry.opacity)
    }
    for (index, _) in displayed.entries where index < itemCount {
      planner.recordElement(.item(index), at: solution.frame(ofItem: index), isVisible: true)
    }
    for position in 0..<elements.count where elements.view(at: position) != nil {
      let element = elements.attributes[position]
      planner.recordElement(
        .element(element.identity), at: displayedFrame(ofElementAt: position), isVisible: true,
        isPinned: element.isPinned)
    }
    recordNeighbours(in: &planner)
    updateAnimation.planner = planner
    updateAnimation.removeMaps()
    updateAnimation.firstVisible = displayed.entries.first?.index
    setNeedsDisplay()
  }

  /// Records the elements within one viewport.
  ///
  /// Elements farther away do not appear from there.
  private func recordNeighbours(in planner: inout UpdateTransitionPlanner) {
    let screen = visibleRect
    let around = Rect(
      x: screen.minX - screen.width, y: screen.minY - screen.height, width: 3 * screen.width,
      height: 3 * screen.height)
    var count = 0
    solution.visitItems(in: around) { run in
      for index in run where count < CollectionView.maximumNeighbours {
        count += 1
        planner.recordElement(.item(index), at: solution.frame(ofItem: index), isVisible: false)
      }
    }
    var neighbours: [ElementAttributes] = []
    solution.appendElements(in: around, to: &neighbours)
    for element in neighbours {
      planner.recordElement(.element(element.identity), at: element.frame, isVisible: false)
    }
  }

  /// Updates the indices of animated elements after an update.
  ///
  /// Call it before the layout is updated.
  ///
  /// - Parameters:
  ///   - map: The map of the update.
  ///   - removed: The cells of deleted items, by their old indices.
  /// - Returns: The cells whose display ends immediately.
  final func remapAnimations(
    _ map: IndexMap, removed: [DisplayedCells<CollectionViewCell>.Entry]
  ) -> [DisplayedCells<CollectionViewCell>.Entry] {
    guard updateAnimation.isRunning else { return removed }
    var leaving: [Int: AnimatedElement] = [:]
    if updateAnimation.planner != nil {
      for (index, cell) in removed {
        cell.itemIndex = nil
        let endAction = DisappearingView.EndAction.recycles(path: indexPath(at: index), item: nil)
        let dragFrame = dragController.movingItem == index ? dragController.draggedFrame : nil
        if dragFrame != nil { updateAnimation.animator.removeAnimation(of: .item(index)) }
        updateAnimation.planner?.setInitialFrame(of: .item(index), to: dragFrame ?? cell.frame)
        leaving[index] = updateAnimation.addDisappearingView(cell, endAction, at: dragFrame ?? cell.frame, opacity: 0)
      }
    }
    updateAnimation.planner?.apply(map, leaving: leaving)
    updateAnimation.animator.apply(map, leaving: leaving)
    for position in updateAnimation.disappearing.indices {
      remapDisappearingView(&updateAnimation.disappearing[position], map)
    }
    return updateAnimation.planner == nil ? removed : []
  }

  private func remapDisappearingView(_ entry: inout DisappearingView, _ map: IndexMap) {
    switch entry.endAction {
    case .keepsPrepared(let item):
      if let new = map.newIndex(ofItem: item) {
        entry.endAction = .keepsPrepared(item: new)
      } else {
        entry.endAction = .recycles(path: indexPath(at: item), item: nil)
        entry.opacity = 0
      }
      (entry.view as? CollectionViewCell)?.itemIndex = entry.boundItem
    case .recycles(let path, let item?):
      entry.endAction = .recycles(path: path, item: map.newIndex(ofItem: item))
    case .endsElement(let identity?): entry.endAction = .endsElement(map.newIdentity(of: identity))
    default: break
    }
  }

  /// Records the items that an update moved, after the layout was updated.
  final func recordMoves(_ map: IndexMap, count: Int) {
    guard updateAnimation.planner != nil else { return }
    updateAnimation.record(map)
    if count > UpdateTransitionPlanner.maximumMoves { updateAnimation.planner?.isLarge = true }
    // Now, because another update may change their indices. Moved items that become visible by then are recorded in the
    // frame.
    recordMovedItems()
  }

  private func recordMovedItems() {
    for (index, _) in displayed.entries where updateAnimation.isMoved(item: index) {
      updateAnimation.planner?.recordMove(of: .item(index))
    }
  }

  /// Shifts animated elements after the origin of the content's coordinates moved with the anchor.
  final func shiftAnimations(by vector: Point) {
    guard vector != .zero, updateAnimation.isRunning else { return }
    updateAnimation.planner?.shiftContent(by: vector)
    for position in updateAnimation.disappearing.indices {
      updateAnimation.disappearing[position].frame = updateAnimation.disappearing[position].frame.offset(by: vector)
    }
  }

  // MARK: - Frames

  /// Phase 5 of a frame without other changes: displays the current state of animations.
  final func showAnimations() {
    guard updateAnimation.isRunning || dragController.isActive else { return }
    deferringUpdates {
      advanceAnimations()
      adjustVisibleItems()
    }
  }

  /// Phase 5, when all visible views are displayed: starts transitions, and ends finished ones.
  final func advanceAnimations() {
    if updateAnimation.planner != nil { recordMovedItems() }
    if let planner = updateAnimation.planner {
      updateAnimation.planner = nil
      startTransitions(planner)
    }
    if updateAnimation.animator.hasEnded(by: lastInstant) { endUpdateAnimation() }
  }

  private func startTransitions(_ planner: UpdateTransitionPlanner) {
    let shown = updateAnimation.animator.displacements(at: lastInstant)
    let transitions = planner.transitions(
      in: visibleRect, current: shown, target: { self.target(of: $0) }, arrivals: arrivals(in: planner),
      axis: scrollAxis)
    var started = transitions
    for transition in transitions {
      if case .disappearing(let id) = transition.element,
        let position = updateAnimation.disappearing.firstIndex(where: { $0.id == id })
      {
        updateAnimation.disappearing[position].frame = transition.finalFrame
        updateAnimation.disappearing[position].opacity = transition.opacity
      }
      // A dragged item is displayed only under the pointer.
      let isDragged = dragController.draggedItem.map { transition.element == .item($0) } ?? false
      if let frame = transition.fadingCopy, !isDragged, let view = view(of: transition.element) {
        let copy = updateAnimation.addDisappearingView(view, .copy(generation: view.generation), at: frame, opacity: 0)
        started.append(
          ElementTransition(
            element: copy, finalFrame: frame, opacity: 0, initialDisplacement: Displacement(opacity: 1),
            level: .disappearing))
      }
    }
    updateAnimation.animator.startTransitions(started, at: lastInstant)
    endDisplaying(updateAnimation.removeFinishedViews())
    if !updateAnimation.animator.isRunning { endUpdateAnimation() }
  }

  /// Returns the visible elements whose former frames were not recorded.
  private func arrivals(in planner: UpdateTransitionPlanner) -> [UpdateTransitionPlanner.Arrival] {
    var arrivals: [UpdateTransitionPlanner.Arrival] = []
    for (index, _) in displayed.entries where !planner.contains(.item(index)) {
      var origin = ElementOrigin.new
      if let original = updateAnimation.originalIndex(ofItem: index) {
        origin = updateAnimation.firstVisible.map { original < $0 ? .beforeViewport : .afterViewport } ?? .new
      }
      arrivals.append((.item(index), solution.frame(ofItem: index), origin))
    }
    for element in elements.attributes where !planner.contains(.element(element.identity)) {
      arrivals.append((.element(element.identity), element.frame, .new))
    }
    return arrivals
  }

  /// Returns the final frame of an element.
  private func target(of element: AnimatedElement) -> UpdateTransitionPlanner.Target? {
    switch element {
    case .item(let index):
      guard index < itemCount else { return nil }
      return UpdateTransitionPlanner.Target(solution.frame(ofItem: index), isVisible: displayed[index] != nil)
    case .element(let identity):
      let position = elements.index(of: identity)
      let attributes = position.map { elements.attributes[$0] } ?? solution.attributes(of: identity, in: visibleRect)
      return attributes.map {
        UpdateTransitionPlanner.Target($0.frame, isVisible: position != nil, isPinned: $0.isPinned)
      }
    case .disappearing(let id):
      guard let entry = updateAnimation.disappearing.first(where: { $0.id == id }) else { return nil }
      switch entry.endAction {
      case .keepsPrepared(let item), .recycles(_, let item?):
        return UpdateTransitionPlanner.Target(solution.frame(ofItem: item), isVisible: false, opacity: entry.opacity)
      case .endsElement(let identity?):
        if let attributes = solution.attributes(of: identity, in: visibleRect) {
          return UpdateTransitionPlanner.Target(attributes.frame, isVisible: false, isPinned: attributes.isPinned)
        }
        return UpdateTransitionPlanner.Target(entry.frame, isVisible: false, opacity: 0)
      default: return UpdateTransitionPlanner.Target(entry.frame, isVisible: false, opacity: entry.opacity)
      }
    }
  }

  private func view(of element: AnimatedElement) -> CollectionReusableView? {
    switch element {
    case .item(let index): displayed[index]
    case .element(let identity): elements.index(of: identity).flatMap { elements.view(at: $0) }
    case .disappearing: nil
    }
  }
}
