import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath
import Geometry
import ScrollPhysics
import Views

extension CollectionView {
  /// Whether changes are shown at once, without motion, for those whom motion disturbs.
  ///
  /// What moves when this is set stands at its place from then on. Content that wheels, keys and the program bring to a
  /// place is there at once too, and none goes beyond its ends; what a hand moves follows it, and runs on.
  public final var reducesMotion: Bool {
    get { updateAnimation.isReduced }
    set {
      updateAnimation.isReduced = newValue
      indicator.reducesMotion = newValue
      scrollTuning.reducesMotion = newValue
      if newValue { performWhenReady { self.endUpdateAnimation() } }
    }
  }

  /// Whether items, or views beside them, are on their way to their places.
  ///
  /// The model is final at once: what the view tells of items is where they are in the end.
  public final var isAnimatingUpdates: Bool { updateAnimation.isRunning }

  /// Elements around the screen whose places are noted before an update, at most.
  private static var maximumNeighbours: Int { 2_000 }

  // MARK: Beginning

  /// Whether changes can be shown on their way.
  private var canAnimateUpdates: Bool { runsFrames && !updateAnimation.isReduced && !bounds.isEmpty }

  /// Notes what is shown, before changes that are to be animated; the coming frame begins to show their way.
  ///
  /// Where no frames are made and where motion is reduced nothing is animated, and what moves is at its place.
  final func beginUpdateAnimation() {
    // Not in the middle of an update, nor of a call for a cell that is leaving, as it tells of what left.
    guard canAnimateUpdates else { return performWhenReady { self.endUpdateAnimation() } }
    guard updateAnimation.planner == nil else { return }
    var transaction = UpdateTransitionPlanner(viewport: visibleRect)
    for entry in updateAnimation.disappearing {
      transaction.recordElement(.disappearing(entry.number), at: entry.frame, isSeen: true, opacity: entry.opacity)
    }
    for (index, _) in displayed.entries where index < itemCount {
      transaction.recordElement(.item(index), at: solution.frame(ofItem: index), isSeen: true)
    }
    for place in 0..<elements.count where elements.view(at: place) != nil {
      let element = elements.attributes[place]
      transaction.recordElement(
        .element(element.identity), at: displayedFrame(ofElementAt: place), isSeen: true, isPinned: element.isPinned)
    }
    recordNeighbours(in: &transaction)
    updateAnimation.planner = transaction
    updateAnimation.originalPath = { $0 }
    updateAnimation.isMoved = { _ in false }
    updateAnimation.firstVisible = displayed.entries.first.map { indexPath(at: $0.index) }
    setNeedsDisplay()
  }

  /// Notes what is a viewport away at most: from farther nothing is seen to come.
  private func recordNeighbours(in transaction: inout UpdateTransitionPlanner) {
    let screen = visibleRect
    let around = Rect(
      x: screen.minX - screen.width, y: screen.minY - screen.height, width: 3 * screen.width,
      height: 3 * screen.height)
    var count = 0
    solution.visitItems(in: around) { run in
      for index in run where count < CollectionView.maximumNeighbours {
        count += 1
        transaction.recordElement(.item(index), at: solution.frame(ofItem: index), isSeen: false)
      }
    }
    var neighbours: [ElementAttributes] = []
    solution.appendElements(in: around, to: &neighbours)
    for element in neighbours {
      transaction.recordElement(.element(element.identity), at: element.frame, isSeen: false)
    }
  }

  /// Items and sections have other numbers, or are gone; to be called before the layout knows.
  ///
  /// - Parameters:
  ///   - update: the numbers.
  ///   - gone: cells whose items are gone, by their old numbers.
  /// - Returns: those of them whose display ends at once.
  final func remapAnimations(
    _ update: CollectionUpdate, gone: [DisplayedCells<CollectionViewCell>.Entry]
  ) -> [DisplayedCells<CollectionViewCell>.Entry] {
    guard updateAnimation.isRunning else { return gone }
    var names: [Int: AnimatedElement] = [:]
    if updateAnimation.planner != nil {
      for (index, cell) in gone {
        cell.itemIndex = nil
        let end = DisappearingView.Completion.returnsToPool(path: indexPath(at: index), item: nil)
        let carried = interaction.movement?.item == index ? draggedFrame : nil
        if carried != nil { updateAnimation.animator.removeAnimation(of: .item(index)) }
        updateAnimation.planner?.setInitialFrame(of: .item(index), to: carried ?? cell.frame)
        names[index] = updateAnimation.addDisappearingView(cell, end, at: carried ?? cell.frame, opacity: 0)
      }
    }
    let newName: (AnimatedElement) -> AnimatedElement? = { element in
      switch element {
      case .item(let old): update.newIndex(self.indexPath(at: old)).map(AnimatedElement.item) ?? names[old]
      case .element(let identity): update.newIdentity(of: identity).map(AnimatedElement.element)
      case .disappearing: element
      }
    }
    updateAnimation.planner?.remapElements(newName)
    updateAnimation.animator.remapElements(newName)
    for place in updateAnimation.disappearing.indices {
      remapDisappearingView(&updateAnimation.disappearing[place], update)
    }
    return updateAnimation.planner == nil ? gone : []
  }

  private func remapDisappearingView(_ entry: inout DisappearingView, _ update: CollectionUpdate) {
    switch entry.completion {
    case .returnsToWaiting(let item):
      let path = indexPath(at: item)
      if let new = update.newIndex(path) {
        entry.completion = .returnsToWaiting(item: new)
      } else {
        entry.completion = .returnsToPool(path: path, item: nil)
        entry.opacity = 0
      }
      (entry.view as? CollectionViewCell)?.itemIndex = entry.waitingItem
    case .returnsToPool(let path, let item?):
      entry.completion = .returnsToPool(path: path, item: update.newIndex(indexPath(at: item)))
    case .element(let identity?): entry.completion = .element(update.newIdentity(of: identity))
    default: break
    }
  }

  /// Notes which items went elsewhere, once the layout has their new numbers.
  final func recordMoves(_ update: CollectionUpdate) {
    guard updateAnimation.planner != nil else { return }
    let earlier = updateAnimation.originalPath
    updateAnimation.originalPath = { path in update.oldPath(path).flatMap(earlier) }
    if update.moveCount > UpdateTransitionPlanner.maximumMoves { updateAnimation.planner?.isLarge = true }
    updateAnimation.isMoved = update.moveCount > 0 ? update.isMoved : { _ in false }
    // Now, as another update may give them other numbers; those that come on screen by then are noted when all do.
    recordMovedItems()
  }

  private func recordMovedItems() {
    for (index, _) in displayed.entries where updateAnimation.isMoved(indexPath(at: index)) {
      updateAnimation.planner?.recordMove(of: .item(index))
    }
  }

  /// The content's coordinates moved with the anchor.
  final func shiftAnimations(by vector: Point) {
    guard vector != .zero, updateAnimation.isRunning else { return }
    updateAnimation.planner?.shiftContent(by: vector)
    for place in updateAnimation.disappearing.indices {
      updateAnimation.disappearing[place].frame = updateAnimation.disappearing[place].frame.offset(by: vector)
    }
  }

  // MARK: Frames

  /// Phase 5 of a frame in which nothing else changed: what moves is where it is by now.
  final func showAnimations() {
    guard updateAnimation.isRunning || interaction.movement != nil else { return }
    deferringUpdates {
      advanceAnimations()
      adjustVisibleItems()
    }
  }

  /// Phase 5, when all that is on screen is there: what was changed sets out, and what has arrived stands.
  final func advanceAnimations() {
    if updateAnimation.planner != nil { recordMovedItems() }
    if let transaction = updateAnimation.planner {
      updateAnimation.planner = nil
      startTransitions(transaction)
    }
    if updateAnimation.animator.hasEnded(by: lastInstant) { endUpdateAnimation() }
  }

  private func startTransitions(_ transaction: UpdateTransitionPlanner) {
    let shown = updateAnimation.animator.displacements(at: lastInstant)
    let transitions = transaction.transitions(
      in: visibleRect, current: shown, target: { self.target(of: $0) }, arrivals: arrivals(in: transaction),
      axis: scrollAxis)
    var sent = transitions
    for transition in transitions {
      if case .disappearing(let number) = transition.element,
        let place = updateAnimation.disappearing.firstIndex(where: { $0.number == number })
      {
        updateAnimation.disappearing[place].frame = transition.finalFrame
        updateAnimation.disappearing[place].opacity = transition.opacity
      }
      // What is in a hand is nowhere else.
      let isCarried = interaction.draggedItem.map { transition.element == .item($0) } ?? false
      if let frame = transition.fadingCopy, !isCarried, let view = view(of: transition.element) {
        let copy = updateAnimation.addDisappearingView(view, .copy(generation: view.generation), at: frame, opacity: 0)
        sent.append(
          ElementTransition(
            element: copy, place: frame, opacity: 0, start: Displacement(opacity: 1), level: .disappearing))
      }
    }
    updateAnimation.animator.startTransitions(sent, at: lastInstant)
    finishDisappearing(updateAnimation.removeFinishedViews())
    if !updateAnimation.animator.isRunning { endUpdateAnimation() }
  }

  /// What came on screen of which nobody knows where it was.
  private func arrivals(in transaction: UpdateTransitionPlanner) -> [UpdateTransitionPlanner.Arrival] {
    var arrivals: [UpdateTransitionPlanner.Arrival] = []
    for (index, _) in displayed.entries where !transaction.contains(.item(index)) {
      var origin = ElementOrigin.new
      if let path = updateAnimation.originalPath(indexPath(at: index)) {
        origin = updateAnimation.firstVisible.map { path < $0 ? .beforeViewport : .afterViewport } ?? .new
      }
      arrivals.append((.item(index), solution.frame(ofItem: index), origin))
    }
    for element in elements.attributes where !transaction.contains(.element(element.identity)) {
      arrivals.append((.element(element.identity), element.frame, .new))
    }
    return arrivals
  }

  /// Where an element belongs now.
  private func target(of element: AnimatedElement) -> UpdateTransitionPlanner.Target? {
    switch element {
    case .item(let index):
      guard index < itemCount else { return nil }
      return UpdateTransitionPlanner.Target(solution.frame(ofItem: index), isSeen: displayed[index] != nil)
    case .element(let identity):
      let place = elements.index(of: identity)
      let attributes = place.map { elements.attributes[$0] } ?? solution.attributes(of: identity, in: visibleRect)
      return attributes.map {
        UpdateTransitionPlanner.Target($0.frame, isSeen: place != nil, isPinned: $0.isPinned)
      }
    case .disappearing(let number):
      guard let entry = updateAnimation.disappearing.first(where: { $0.number == number }) else { return nil }
      switch entry.completion {
      case .returnsToWaiting(let item), .returnsToPool(_, let item?):
        return UpdateTransitionPlanner.Target(solution.frame(ofItem: item), isSeen: false, opacity: entry.opacity)
      case .element(let identity?):
        if let attributes = solution.attributes(of: identity, in: visibleRect) {
          return UpdateTransitionPlanner.Target(attributes.frame, isSeen: false, isPinned: attributes.isPinned)
        }
        return UpdateTransitionPlanner.Target(entry.frame, isSeen: false, opacity: 0)
      default: return UpdateTransitionPlanner.Target(entry.frame, isSeen: false, opacity: entry.opacity)
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
