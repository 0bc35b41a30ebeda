import CollectionEngine
import CollectionLayout
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import Views

extension CollectionView {
  /// The trackpad distance that corresponds to one wheel step, in points: libinput's unit on Wayland.
  private static var continuousUnit: Double { 10 }

  /// Handles an event that scrolls an orthogonal section.
  ///
  /// - Returns: Whether the event was handled.
  final func handleOrthogonalInput(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .wheel(let wheel): return handleOrthogonalWheel(wheel, at: event.time)
    case .touch(let touch): return handleOrthogonalTouch(touch, at: event.time)
    case .pan(let pan): return handleOrthogonalPan(pan, at: event.time)
    case .pointerMoved(let point): return handleOrthogonalPointerDrag(to: convertFromWindow(point), at: event.time)
    case .pointerUp(_, .primary, _) where orthogonalInput.pointer != nil:
      endOrthogonalDrag(.release, at: event.time)
      return true
    default: return false
    }
  }

  // MARK: - Wheels and keys

  /// Scrolls the orthogonal section under the pointer by a wheel or trackpad movement on the cross axis.
  ///
  /// A movement belongs to the axis with the larger delta, or for a trackpad to the axis on which it began. A wheel
  /// with one axis scrolls the cross axis while Shift is held.
  ///
  /// - Returns: Whether there is such a section.
  private func handleOrthogonalWheel(_ wheel: WheelInput, at time: FrameInstant) -> Bool {
    guard !wheel.modifiers.contains(.control) else { return false }
    let isShiftScroll = wheel.modifiers.contains(.shift) && wheel.deltaX == 0
    let cross = isShiftScroll ? -wheel.deltaY : scrollAxis == .vertical ? wheel.deltaX : -wheel.deltaY
    let along = isShiftScroll ? 0 : scrollAxis == .vertical ? wheel.deltaY : wheel.deltaX
    let kind = orthogonalInput.classifier.classify(deltaX: wheel.deltaX, deltaY: wheel.deltaY, at: time)
    let isAcross =
      kind == .continuous
      ? orthogonalInput.latch.latchesCrossAxis(mainDelta: along, crossDelta: cross, at: time)
      : cross.magnitude > along.magnitude
    guard isAcross, cross.isFinite, let section = orthogonalSection(at: convertFromWindow(wheel.location)) else {
      return false
    }
    let unit = kind == .continuous ? CollectionView.continuousUnit : stepDistance(of: section)
    handleScrollEvent(
      .wheel(distance: cross * unit * directionSign(of: section), kind: kind), across: section, at: time)
    return true
  }

  /// Scrolls the orthogonal section under the pointer, or that of the focused item, with the arrow keys of the cross
  /// axis.
  ///
  /// - Returns: Whether there is such a section.
  final func handleOrthogonalKey(_ event: InputEvent) -> Bool {
    guard case .keyDown(let key, [], _) = event.kind else { return false }
    let keys: [Key] = scrollAxis == .vertical ? [.left, .right] : [.up, .down]
    guard let position = keys.firstIndex(of: key) else { return false }
    let pointed = pressController.pointerLocation.flatMap(orthogonalSection(at:))
    let lead = selectionController.focusedItem.map { indexPath(at: $0).section }
    guard let section = pointed ?? lead.flatMap({ solution.orthogonalSection($0) }) else { return false }
    let distance = stepDistance(of: section) * (position == 0 ? -1 : 1) * directionSign(of: section)
    handleScrollEvent(.advance(by: distance), across: section, at: event.time)
    return true
  }

  // MARK: - Touches and drags

  /// Stops a moving section on touch, and ends the drag when the touch ends.
  private func handleOrthogonalTouch(_ touch: TouchInput, at time: FrameInstant) -> Bool {
    guard touch.phase == .began else {
      guard orthogonalInput.isDragging else { return false }
      endOrthogonalDrag(touch.phase == .ended ? .release : .stop, at: time)
      return true
    }
    guard let section = orthogonalSection(at: convertFromWindow(touch.location)),
      orthogonal.phase(of: section.section, at: time) != .idle
    else { return false }
    beginOrthogonalDrag(section, at: time)
    return true
  }

  /// Drags a section with a pan gesture on the cross axis.
  private func handleOrthogonalPan(_ pan: PanInput, at time: FrameInstant) -> Bool {
    guard pan.phase == .began else {
      guard orthogonalInput.isDragging else { return false }
      switch pan.phase {
      case .moved: if let section = draggedSection { dragSection(section, by: pan.translation, at: time) }
      case .ended: endOrthogonalDrag(.release, at: time)
      case .began, .cancelled: endOrthogonalDrag(.stop, at: time)
      }
      return true
    }
    let (along, cross) = (pan.translation[scrollAxis], pan.translation[scrollAxis.cross])
    guard cross.magnitude > along.magnitude, let section = orthogonalSection(at: convertFromWindow(pan.start)),
      section.maximumOffset > 0
    else {
      // It was stopped by the touch, but the pan is not on its cross axis.
      endOrthogonalDrag(.release, at: time)
      return false
    }
    if orthogonalInput.draggedSection != section.section { endOrthogonalDrag(.release, at: time) }
    beginOrthogonalDrag(section, at: time)
    return true
  }

  /// Drags a section with the pressed pointer, unless the pressed item can be moved.
  private func handleOrthogonalPointerDrag(to point: Point, at time: FrameInstant) -> Bool {
    if let last = orthogonalInput.pointer {
      guard let section = draggedSection else { return true }
      orthogonalInput.pointer = point
      dragSection(section, by: point - last, at: time)
      return true
    }
    guard let (item, start) = pressController.sectionDrag, !dragController.isDragging,
      displayedSource?.canMoveItem(at: item) != true
    else { return false }
    let translation = point - start
    guard translation[scrollAxis.cross].magnitude >= CollectionView.dragThreshold,
      translation[scrollAxis.cross].magnitude > translation[scrollAxis].magnitude,
      let section = orthogonalSection(at: start), section.maximumOffset > 0
    else { return false }
    pressController.cancelPress()
    orthogonalInput.pointer = point
    beginOrthogonalDrag(section, at: time)
    return true
  }

  /// The distance that the pressed pointer moves before it drags a section, in points.
  private static var dragThreshold: Double { 6 }

  private func beginOrthogonalDrag(_ section: OrthogonalSection, at time: FrameInstant) {
    orthogonalInput.draggedSection = section.section
    orthogonalInput.isDragging = true
    handleScrollEvent(.hold, across: section, at: shownInstant(time))
  }

  private func dragSection(_ section: OrthogonalSection, by translation: Point, at time: FrameInstant) {
    handleScrollEvent(.drag(by: -translation[section.axis] * directionSign(of: section)), across: section, at: time)
  }

  final func endOrthogonalDrag(_ event: ScrollEvent, at time: FrameInstant) {
    if let section = draggedSection {
      handleScrollEvent(event, across: section, at: time)
    } else if let removedSection = orthogonalInput.draggedSection {
      orthogonal.stop(removedSection, at: time)
    }
    orthogonalInput.draggedSection = nil
    orthogonalInput.isDragging = false
    orthogonalInput.pointer = nil
  }

  // MARK: - Sections

  private var draggedSection: OrthogonalSection? {
    orthogonalInput.draggedSection.flatMap { solution.orthogonalSection($0) }
  }

  private func orthogonalSection(at point: Point) -> OrthogonalSection? {
    solution.orthogonalSection(at: point + contentOrigin)
  }

  /// Returns the distance of a wheel step or a key in a section, in points.
  private func stepDistance(of section: OrthogonalSection) -> Double { max(48, section.frame.size[section.axis] / 4) }

  /// Returns the sign of offsets in a section, which is negative in right-to-left layouts.
  private func directionSign(of section: OrthogonalSection) -> Double {
    section.axis == .horizontal && solution.environment.layoutDirection == .rightToLeft ? -1 : 1
  }

  /// Passes a scroll event to a section.
  final func handleScrollEvent(_ event: ScrollEvent, across section: OrthogonalSection, at time: FrameInstant) {
    let range = ScrollRange(
      minimum: 0, maximum: section.maximumOffset, viewportLength: section.frame.size[section.axis])
    var tuning = scrollTuning
    switch section.behavior {
    case .paging, .groupPaging, .groupPagingCentered: tuning.rate = .fast
    case .none, .continuous, .continuousGroupLeadingBoundary: break
    }
    orthogonal.handle(event, in: section.section, range: range, tuning: tuning, at: time, resting: restingOffset)
    setNeedsDisplay()
  }

  /// Advances the scrolling orthogonal sections to an instant.
  final func updateOrthogonalSections(at instant: FrameInstant) {
    guard orthogonal.activeCount > 0 || !contentEnvironment.movedSections.isEmpty else { return }
    orthogonal.advance(to: instant, resting: restingOffset)
    applyOrthogonalOffsets(at: instant)
    notifySectionScroll(at: instant)
    orthogonal.deactivateIdleSections(at: instant)
  }

  /// Delays the motion of sections by the time in which no frames were produced.
  final func delayOrthogonalSections(by duration: FrameDuration) { orthogonal.delay(by: duration, after: lastInstant) }

  /// Applies the offsets of all sections after the layout was solved.
  ///
  /// Motion of sections that are no longer orthogonal is stopped.
  final func applyAllOrthogonalOffsets(at instant: FrameInstant) {
    for position in 0..<orthogonal.count {
      let section = orthogonal.section(at: position)
      if orthogonal.isActive(at: position), solution.orthogonalSection(section) == nil {
        orthogonal.stop(section, at: instant)
      }
      applyOrthogonalOffset(at: position, instant)
    }
  }

  /// Applies the offsets of moving sections to the layout.
  final func applyOrthogonalOffsets(at instant: FrameInstant) {
    guard orthogonal.activeCount > 0 else { return }
    for position in 0..<orthogonal.count where orthogonal.isActive(at: position) {
      applyOrthogonalOffset(at: position, instant)
    }
  }

  private func applyOrthogonalOffset(at position: Int, _ instant: FrameInstant) {
    let (section, offset) = (orthogonal.section(at: position), orthogonal.offset(at: position, instant))
    guard let before = solution.orthogonalSection(section)?.offset, before != offset else { return }
    solution.setOrthogonalOffset(offset, ofSection: section)
    guard solution.orthogonalSection(section)?.offset != before else { return }
    needsVisibleUpdate = true
    hasOrthogonalOffsetChanges = true
    dragController.contentDidChange()
    recordMovedSection(section)
    setNeedsDisplay()
  }

  /// Positions the displayed cells after orthogonal sections scrolled.
  final func positionCellsAfterOrthogonalScroll() {
    hasOrthogonalOffsetChanges = false
    cellController.positionDisplayedCells()
  }

  final func restingOffset(_ section: Int, _ from: Double, _ proposed: Double, _ velocity: Double) -> Double {
    solution.restingOffset(ofSection: section, from: from, proposed: proposed, velocity: velocity)
  }

  // MARK: - Delegate

  /// Notifies the delegate of scrolled sections and of changes of their scroll phases.
  final func notifySectionScroll(at instant: FrameInstant) {
    guard let delegate = contentEnvironment.orthogonalDelegate else { return }
    let changes = orthogonal.takePhaseChanges(at: instant)
    guard !changes.isEmpty || !contentEnvironment.movedSections.isEmpty else { return }
    let moved = contentEnvironment.movedSections
    contentEnvironment.movedSections.removeAll(keepingCapacity: true)
    deferringUpdates {
      for change in changes where change.next != .idle {
        notifyDelegate(change.last.notices(changingTo: change.next), change.section, delegate)
      }
      for section in moved {
        guard let strip = solution.orthogonalSection(section) else { continue }
        delegate.collectionView(self, didScrollSection: section, to: strip.offset)
      }
      for change in changes where change.next == .idle {
        notifyDelegate(change.last.notices(changingTo: change.next), change.section, delegate)
      }
    }
  }

  private func notifyDelegate(
    _ notices: (end: ScrollNotice?, start: ScrollNotice?), _ section: Int, _ delegate: any OrthogonalScrollDelegate
  ) {
    if let end = notices.end { delegate.collectionView(self, didNotice: end, inSection: section) }
    if let start = notices.start { delegate.collectionView(self, didNotice: start, inSection: section) }
  }

  /// Records a scrolled section, for the delegate.
  final func recordMovedSection(_ section: Int) {
    guard contentEnvironment.orthogonalDelegate != nil, !contentEnvironment.movedSections.contains(section) else {
      return
    }
    contentEnvironment.movedSections.append(section)
  }
}

// MARK: - State

/// The state of input to orthogonal sections.
struct OrthogonalInputState {
  /// The classifier that distinguishes wheels from trackpads.
  var classifier = WheelClassifier()
  /// The axis of the current trackpad movement.
  var latch = AxisLatch()
  /// The section that a touch or the pointer drags, or nil if it was deleted.
  var draggedSection: Int?
  /// Whether a touch or the pointer drags a section, even a deleted one, so that its events do not scroll the content.
  var isDragging = false
  /// The last position of the dragging pointer, in the view's coordinates, or nil for a touch.
  var pointer: Point?

  /// Updates the index of the dragged section after an update.
  mutating func apply(_ map: IndexMap) { draggedSection = draggedSection.flatMap(map.newIndex(ofSection:)) }
}

/// The background view of a collection view, and the delegates of interaction, scrolling and prefetching.
struct ContentEnvironment {
  /// The background view, which does not scroll.
  var background: View?
  /// The delegate that is notified of every scroll: the view's delegate, if it conforms.
  weak var scrollDelegate: (any CollectionViewScrollDelegate)? {
    didSet { hasScrollDelegate = scrollDelegate != nil }
  }
  /// Whether the delegate was set.
  ///
  /// It is read in every frame, where retaining the delegate would cost more.
  private(set) var hasScrollDelegate = false
  /// The delegate that handles interaction: the view's delegate, if it conforms.
  weak var interactionDelegate: (any CollectionViewInteractionDelegate)?
  /// The delegate that is notified of orthogonal scrolling: the view's delegate, if it conforms.
  weak var orthogonalDelegate: (any OrthogonalScrollDelegate)?
  /// The client that prefetches data by index path.
  weak var pathPrefetching: (any CollectionViewDataSourcePrefetching)?
  /// The sections that scrolled since the delegate was notified, ascending.
  var movedSections: [Int] = []

  /// Updates the indices of sections after an update.
  mutating func apply(_ map: IndexMap) {
    movedSections = movedSections.compactMap(map.newIndex(ofSection:)).sorted()
  }
}
