package import VitrineCollectionEngine
package import VitrineCollectionLayout
package import VitrineFramePacing
package import VitrineGeometry
package import VitrineRendering
package import VitrineScrollPhysics
package import VitrineViews

/// What ``OrthogonalScrollController`` needs from the collection view.
package protocol OrthogonalScrollHost: ControllerHost {
  /// The parameters of the scroll motion.
  var scrollTuning: ScrollTuning { get }
  /// The point of the content at the view's origin.
  var contentOrigin: Point { get }
  /// The scroll bar of the content, whose color those of sections have.
  var scrollIndicator: ScrollIndicator { get }
  /// Whether the user prefers less motion.
  var reducesMotion: Bool { get }
  /// The location of the pointer in the view's coordinates, or nil.
  var pointerLocation: Point? { get }
  /// The section of the focused item, or nil.
  var focusedSection: Int? { get }
  /// The location of a press that drags a section if the pointer moves across, or nil.
  var sectionDragStart: Point? { get }
  /// Whether a delegate observes the scrolling of sections.
  var observesSections: Bool { get }

  /// Converts a point from the window's coordinates to the view's.
  func convertFromWindow(_ point: Point) -> Point
  /// Returns the time at which a touch catches content.
  func shownInstant(_ time: FrameInstant) -> FrameInstant
  /// Ends the press of the pointer, because it drags a section.
  func cancelPress()
  /// Releases the content that a finger holds, because the finger drags a section instead.
  func releaseHeldContent(at time: FrameInstant)
  /// Called before an event is applied to the position of a section.
  func sectionWillScroll(_ section: Int, by event: ScrollEvent)
  /// Sets the offset of a section in the layout, in points from its start.
  func setOrthogonalOffset(_ offset: Double, ofSection section: Int)
  /// Positions what depends on the offsets of sections, and requests a frame.
  func sectionDidScroll(_ section: Int)
  /// Adds a view in front of the content.
  func addSubview(_ view: View)
  /// Notifies the delegate that a section scrolled.
  func notifyOfScroll(ofSection section: Int, to offset: Double)
  /// Notifies the delegate that the motion of a section began or ended.
  func notify(_ notice: ScrollNotice, ofSection section: Int)
}

/// The owner of the sections that scroll across the content: their offsets, the input to them and their scroll bars.
///
/// Each such section is content nested in the collection view's: its position is a ``ScrollState`` like that of the
/// content (``OrthogonalScrolling``), its input is interpreted by the same ``ScrollInputController``, and its scroll bar
/// is a ``ScrollIndicator``, which is visible while the section moves. The layout knows only the current offsets.
///
/// Invariants:
/// - Input belongs to one section: the one beneath the pointer, the one in which a drag or a key press began, or that
///   of the focused item.
/// - A drag whose section was deleted or no longer scrolls across goes on without effect, and never scrolls the content
///   instead.
/// - A frame in which no section moves costs a comparison.
package final class OrthogonalScrollController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any OrthogonalScrollHost)!
  private let input = ScrollInputController(isNested: true)

  // Unchecked: nothing that changes it calls client code, so that it cannot be read while it is being modified.
  @exclusivity(unchecked) private var positions = OrthogonalScrolling()
  /// The section that the current event is for, or nil.
  private var target: OrthogonalSection?
  /// The section that a finger or the pointer drags, or nil if it was deleted.
  private var draggedSection: Int?
  /// The section that the held key scrolls.
  private var keySection: Int?
  /// The last location of the dragging pointer in the view's coordinates, or nil for a finger.
  private var pointer: Point?
  /// The sections that scrolled since the delegate was notified.
  @exclusivity(unchecked) private var movedSections: [Int] = []
  /// The scroll bars of sections that moved recently.
  @exclusivity(unchecked) private var indicators: [(section: Int, view: ScrollIndicator)] = []

  /// The distance that the pressed pointer moves before it drags a section, in points.
  private static let dragThreshold = 6.0
  /// The breadth of the area of a scroll bar that responds to the pointer, in points.
  private static let indicatorBreadth = 12.0

  /// Creates a controller without sections that have moved.
  package init() { input.host = self }

  // MARK: - State

  /// Whether a section follows a finger or the pointer, even if it was deleted meanwhile.
  package var isDragging: Bool { input.isDragging }

  /// Whether everything is at rest and no scroll bar is visible.
  package var isIdle: Bool { positions.activeCount == 0 && !input.isDragging && indicators.isEmpty }

  /// Whether a section or a scroll bar will change after an instant.
  package func needsFrames(at instant: FrameInstant) -> Bool {
    positions.isMoving(at: instant) || (!indicators.isEmpty && indicators.contains { $0.view.needsFrames })
  }

  /// The time at which the drawing changes without motion, or nil: a scroll bar fades, or a held key starts to scroll.
  package var nextFrame: FrameInstant? {
    indicators.reduce(input.heldKeyStart) { next, indicator in
      guard let fading = indicator.view.nextFrame else { return next }
      return next.map { min($0, fading) } ?? fading
    }
  }

  /// Returns whether an instant is in an interval in which late frames are counted.
  package func isTracked(at instant: FrameInstant) -> Bool { positions.isTracked(at: instant) }

  /// Returns a section's position as a function of time, and the window in which its cells may wait, or nil if it never
  /// moved.
  package func motion(of section: Int) -> (scroll: ScrollState, window: KeepWindow)? { positions.motion(of: section) }

  /// Returns whether a section scrolls toward its start.
  package func isScrollingBack(_ section: Int) -> Bool {
    positions.projectedOffset(of: section) < positions.offset(of: section, at: host.lastInstant)
  }

  /// Updates the windows in which cells of sections may wait.
  package func updateWindows(lead: FrameDuration) { positions.updateWindows(shown: host.lastInstant, lead: lead) }

  /// Updates the indices of sections after an update.
  package func apply(_ map: IndexMap) {
    positions.apply(map)
    draggedSection = draggedSection.flatMap(map.newIndex(ofSection:))
    keySection = keySection.flatMap(map.newIndex(ofSection:))
    if keySection == nil { input.discardKey() }
    movedSections = movedSections.compactMap(map.newIndex(ofSection:)).sorted()
    let former = indicators
    indicators = former.compactMap { indicator in
      map.newIndex(ofSection: indicator.section).map { ($0, indicator.view) }
    }
    for indicator in former where map.newIndex(ofSection: indicator.section) == nil { remove(indicator.view) }
  }

  /// Ends all input, because all items were replaced.
  package func cancelInput() {
    endDrag(.stop, at: host.lastInstant)
    input.discardKey()
    keySection = nil
    let former = indicators
    indicators = []
    for indicator in former { remove(indicator.view) }
  }

  // MARK: - Input

  /// Handles an event that scrolls a section, other than a key, or declines it.
  ///
  /// A cancellation is declined, because every view must receive it.
  package func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .wheel(let wheel):
      releaseKey(at: event.time)
      target = section(at: host.convertFromWindow(wheel.location))
    case .touch(let touch):
      releaseKey(at: event.time)
      target = touch.phase == .began ? section(at: host.convertFromWindow(touch.location)) : dragged
    case .pan(let pan):
      releaseKey(at: event.time)
      if pan.phase == .began { beginPan(at: host.convertFromWindow(pan.start), event.time) } else { target = dragged }
    case .cancelled:
      releaseKey(at: event.time)
      target = dragged
    case .pointerDown:
      releaseKey(at: event.time)
      return false
    case .pointerMoved(let point): return dragPointer(to: host.convertFromWindow(point), at: event.time)
    case .pointerUp(_, .primary, _) where pointer != nil:
      endDrag(.release, at: event.time)
      return true
    default: return false
    }
    let isHandled = input.handle(event)
    if !input.isDragging { (draggedSection, pointer) = (nil, nil) }
    return isHandled
  }

  /// Handles an arrow key along the axis of the section beneath the pointer, or of that of the focused item, or declines
  /// it.
  package func handleKey(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .keyDown(let key, let modifiers, let isRepeat):
      // A held key scrolls its section wherever the pointer moves meanwhile.
      if isRepeat, input.holds(key) { return true }
      let next = host.pointerLocation.flatMap(section(at:)) ?? host.focusedSection.flatMap(section)
      target = next
      guard scrollEvent(for: key, modifiers) != nil else { return false }
      releaseKey(at: event.time)
      target = next
      guard input.handle(event) else { return false }
      keySection = input.holdsKey ? next?.section : nil
      return true
    case .keyUp:
      guard input.holdsKey else { return false }
      target = keySection.flatMap(section)
      guard input.handle(event) else { return false }
      keySection = nil
      return true
    default: return false
    }
  }

  private func releaseKey(at time: FrameInstant) {
    guard input.holdsKey else { return }
    target = keySection.flatMap(section)
    input.releaseKey(at: time)
    keySection = nil
  }

  private func beginPan(at start: Point, _ time: FrameInstant) {
    let next = section(at: start)
    if input.isDragging, draggedSection != next?.section { endDrag(.release, at: time) }
    target = next
  }

  /// Drags a section with the pressed pointer, unless the pressed item can be moved.
  private func dragPointer(to point: Point, at time: FrameInstant) -> Bool {
    if let last = pointer {
      pointer = point
      target = dragged
      if target != nil { input.drag(by: point - last, at: time) }
      return true
    }
    guard let start = host.sectionDragStart else { return false }
    let (translation, axis) = (point - start, host.scrollAxis)
    guard translation[axis.cross].magnitude >= OrthogonalScrollController.dragThreshold,
      translation[axis.cross].magnitude > translation[axis].magnitude, let section = section(at: start),
      section.maximumOffset > 0
    else { return false }
    host.cancelPress()
    releaseKey(at: time)
    target = section
    input.beginDrag(at: time)
    pointer = point
    return true
  }

  /// Ends a drag, if one is in progress.
  private func endDrag(_ event: ScrollEvent, at time: FrameInstant) {
    target = dragged
    input.endDrag(event, at: time)
    draggedSection = nil
    pointer = nil
  }

  // MARK: - Sections

  private var dragged: OrthogonalSection? { draggedSection.flatMap(section) }

  private func section(_ index: Int) -> OrthogonalSection? { host.solution.orthogonalSection(index) }

  private func section(at point: Point) -> OrthogonalSection? {
    host.solution.orthogonalSection(at: point + host.contentOrigin)
  }

  /// Returns the distance of a wheel notch or a key in a section, in points.
  private func stepDistance(of section: OrthogonalSection) -> Double { max(48, section.frame.size[section.axis] / 4) }

  /// Returns the direction of offsets in a section, which is negative in right-to-left layouts.
  private func direction(of section: OrthogonalSection) -> Double {
    section.axis == .horizontal && host.solution.environment.layoutDirection == .rightToLeft ? -1 : 1
  }

  private func range(of section: OrthogonalSection) -> ScrollRange {
    ScrollRange(minimum: 0, maximum: section.maximumOffset, viewportLength: section.frame.size[section.axis])
  }

  /// Passes a scroll event to a section.
  ///
  /// - Parameter instant: The time of the event.
  package func apply(_ event: ScrollEvent, to section: OrthogonalSection, at instant: FrameInstant) {
    host.sectionWillScroll(section.section, by: event)
    positions.handle(
      event, in: section.section, range: range(of: section), tuning: tuning(of: section), at: instant,
      resting: restingOffset)
    host.setNeedsDisplay()
  }

  /// Returns the parameters of the motion of a section.
  private func tuning(of section: OrthogonalSection) -> ScrollTuning {
    var tuning = host.scrollTuning
    switch section.properties.decelerationRate {
    case .automatic: if section.behavior.isPaged { tuning.rate = .fast }
    case .normal: tuning.rate = .normal
    case .fast: tuning.rate = .fast
    }
    switch section.properties.bounce {
    case .automatic: break
    case .always: tuning.bounces = true
    case .never: tuning.bounces = false
    }
    return tuning
  }

  /// Moves all positions of a section by a distance, because items before the displayed ones changed their sizes.
  package func shift(_ index: Int, by points: Double, at instant: FrameInstant) {
    guard let strip = section(index) else { return }
    positions.shift(index, by: points, in: range(of: strip), at: instant)
    host.setOrthogonalOffset(positions.offset(of: index, at: instant), ofSection: index)
    host.sectionDidScroll(index)
  }

  private func restingOffset(_ section: Int, _ from: Double, _ proposed: Double, _ velocity: Double) -> Double {
    host.solution.restingOffset(ofSection: section, from: from, proposed: proposed, velocity: velocity)
  }

  // MARK: - Frames

  /// Advances the sections to a frame's target time.
  package func update(at instant: FrameInstant) {
    if input.holdsKey { advanceKey(to: instant) }
    if positions.activeCount > 0 || !movedSections.isEmpty {
      positions.advance(to: instant, resting: restingOffset)
      applyOffsets(at: instant)
      notifyOfScrolling(at: instant)
      positions.deactivateIdleSections(at: instant)
    }
    if !indicators.isEmpty { updateIndicators(at: instant) }
  }

  private func advanceKey(to instant: FrameInstant) {
    target = keySection.flatMap(section)
    input.advanceHeldKey(to: instant)
  }

  /// Delays the motion of sections by the time in which no frames were produced.
  package func delay(by duration: FrameDuration) { positions.delay(by: duration, after: host.lastInstant) }

  /// Ends the movement of a section, which then moves to the nearest offset where it may rest.
  package func stop(_ section: Int, at instant: FrameInstant) { positions.stop(section, settles: true, at: instant) }

  /// Applies the offsets of all sections after the layout was solved.
  ///
  /// The motion of sections that no longer scroll across is stopped.
  package func applyAllOffsets(at instant: FrameInstant) {
    for position in 0..<positions.count {
      let index = positions.section(at: position)
      if positions.isActive(at: position), section(index) == nil { positions.stop(index, at: instant) }
      applyOffset(at: position, instant)
    }
  }

  /// Applies the offsets of moving sections to the layout.
  package func applyOffsets(at instant: FrameInstant) {
    guard positions.activeCount > 0 else { return }
    for position in 0..<positions.count where positions.isActive(at: position) { applyOffset(at: position, instant) }
  }

  private func applyOffset(at position: Int, _ instant: FrameInstant) {
    let (index, offset) = (positions.section(at: position), positions.offset(at: position, instant))
    guard let before = section(index)?.offset, before != offset else { return }
    host.setOrthogonalOffset(offset, ofSection: index)
    guard section(index)?.offset != before else { return }
    host.sectionDidScroll(index)
    flashIndicator(of: index, at: instant)
    if host.observesSections, !movedSections.contains(index) { movedSections.append(index) }
  }

  /// Notifies the delegate of scrolled sections and of changes of their scroll phases.
  private func notifyOfScrolling(at instant: FrameInstant) {
    guard host.observesSections else { return }
    let changes = positions.takePhaseChanges(at: instant)
    guard !changes.isEmpty || !movedSections.isEmpty else { return }
    let moved = movedSections
    movedSections.removeAll(keepingCapacity: true)
    host.deferringUpdates {
      for change in changes where change.next != .idle { notify(change.last, change.next, change.section) }
      for index in moved {
        if let strip = section(index) { host.notifyOfScroll(ofSection: index, to: strip.offset) }
      }
      for change in changes where change.next == .idle { notify(change.last, change.next, change.section) }
    }
  }

  private func notify(_ last: ScrollPhase, _ next: ScrollPhase, _ section: Int) {
    let notices = last.notices(changingTo: next)
    if let end = notices.end { host.notify(end, ofSection: section) }
    if let start = notices.start { host.notify(start, ofSection: section) }
  }

  // MARK: - Scroll bars

  private func flashIndicator(of section: Int, at instant: FrameInstant) {
    let view = indicators.first { $0.section == section }?.view ?? addIndicator(of: section)
    view.flash(at: instant)
  }

  private func addIndicator(of index: Int) -> ScrollIndicator {
    let view = ScrollIndicator(axis: host.scrollAxis.cross, hidesAtRest: true)
    view.onDrag = { [unowned self, unowned view] offset in
      applyIndicator(of: view) { .thumbDrag(to: direction(of: $0) < 0 ? $0.maximumOffset - offset : offset) }
    }
    view.onRelease = { [unowned self, unowned view] in applyIndicator(of: view) { _ in .thumbRelease } }
    indicators.append((index, view))
    host.addSubview(view)
    return view
  }

  /// Applies an event of a scroll bar to its section.
  private func applyIndicator(of view: ScrollIndicator, _ event: (OrthogonalSection) -> ScrollEvent) {
    guard let strip = indicators.first(where: { $0.view === view }).flatMap({ section($0.section) }) else { return }
    apply(event(strip), to: strip, at: host.lastInstant)
  }

  /// Removes a scroll bar, whose drag ends without effect.
  private func remove(_ view: ScrollIndicator) {
    (view.onDrag, view.onRelease) = (nil, nil)
    view.removeFromSuperview()
  }

  /// Places the scroll bars at the ends of their sections, and removes those that have faded.
  private func updateIndicators(at instant: FrameInstant) {
    for (index, view) in indicators {
      guard let strip = section(index), strip.maximumOffset > 0 else {
        remove(view)
        continue
      }
      let (axis, breadth) = (strip.axis, OrthogonalScrollController.indicatorBreadth)
      var frame = strip.frame.offset(by: .zero - host.contentOrigin)
      frame.origin[axis.cross] += frame.size[axis.cross] - breadth
      frame.size[axis.cross] = breadth
      // The content's own scroll bar is at the end.
      frame.size[axis] = min(frame.size[axis], host.bounds.size[axis] - ScrollIndicator.hitWidth - frame.origin[axis])
      (view.axis, view.color, view.reducesMotion) = (axis, host.scrollIndicator.color, host.reducesMotion)
      if view.frame != frame { view.frame = frame }
      let scroll = positions.motion(of: index)?.scroll
      let offset = direction(of: strip) < 0 ? strip.maximumOffset - strip.offset : strip.offset
      view.show(
        offset: offset, of: range(of: strip), contentLength: strip.contentLength,
        isThumbHeld: scroll?.isThumbHeld(at: instant) ?? false)
      view.update(at: instant)
      if view.hasFaded { remove(view) }
    }
    indicators.removeAll { $0.view.superview == nil }
  }
}

extension OrthogonalScrollController: ScrollInputHost {
  package var inputAxis: Axis { target?.axis ?? host.scrollAxis.cross }
  package var inputScroll: ScrollState {
    guard let target else { return ScrollState() }
    return positions.motion(of: target.section)?.scroll ?? ScrollState(range: range(of: target))
  }
  package var acceptsInput: Bool { target != nil }
  package var canScroll: Bool { (target?.maximumOffset ?? 0) > 0 }
  package var notchDistance: Double { target.map(stepDistance) ?? 0 }
  package var lineDistance: Double { notchDistance }
  package var inputDirection: Double { target.map(direction) ?? 1 }
  package var scrollsWhileKeyIsHeld: Bool { target?.behavior == .continuous }

  package func scrollEvent(for key: Key, _ modifiers: KeyModifiers) -> ScrollEvent? {
    guard modifiers.isEmpty, let target else { return nil }
    let keys: [Key] = target.axis == .horizontal ? [.left, .right] : [.up, .down]
    guard let position = keys.firstIndex(of: key) else { return nil }
    return .advance(by: stepDistance(of: target) * (position == 0 ? -1 : 1) * direction(of: target))
  }

  package func applyInput(_ event: ScrollEvent, at instant: FrameInstant) {
    if let target {
      apply(event, to: target, at: instant)
    } else if let draggedSection {
      // It no longer scrolls across.
      positions.stop(draggedSection, at: instant)
    }
  }

  package func dragDidContinue(at instant: FrameInstant, until release: FrameInstant?) {
    guard release == nil else { return }
    draggedSection = target?.section
    host.releaseHeldContent(at: instant)
  }

  package func dragWillEnd(at instant: FrameInstant) {}

  package func shownInstant(_ time: FrameInstant) -> FrameInstant { host.shownInstant(time) }
}

extension OrthogonalScrollingBehavior {
  /// Whether a swipe scrolls by a page or a group at most.
  fileprivate var isPaged: Bool {
    switch self {
    case .paging, .groupPaging, .groupPagingCentered: true
    case .none, .continuous, .continuousGroupLeadingBoundary: false
    }
  }
}
