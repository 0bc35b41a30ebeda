import CollectionEngine
import CollectionLayout
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import Views

extension CollectionView {
  /// Points that a notch's worth of a trackpad's movement stands for: libinput's unit on Wayland.
  private static var continuousUnit: Double { 10 }

  /// Takes an event that means a section that scrolls across.
  ///
  /// - Returns: whether it did.
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

  // MARK: Wheels and keys

  /// Gives a movement across the layout's axis to the section under the pointer that scrolls that way.
  ///
  /// Movements belong to the axis along which they go further, a trackpad's to that on which they began; a wheel alone goes
  /// across while Shift is held.
  ///
  /// - Returns: whether there is such a section.
  private func handleOrthogonalWheel(_ wheel: WheelInput, at time: FrameInstant) -> Bool {
    guard !wheel.modifiers.contains(.control) else { return false }
    let isTurned = wheel.modifiers.contains(.shift) && wheel.deltaX == 0
    let way = isTurned ? -wheel.deltaY : scrollAxis == .vertical ? wheel.deltaX : -wheel.deltaY
    let along = isTurned ? 0 : scrollAxis == .vertical ? wheel.deltaY : wheel.deltaX
    let kind = orthogonalInput.classifier.classify(deltaX: wheel.deltaX, deltaY: wheel.deltaY, at: time)
    let isAcross =
      kind == .continuous
      ? orthogonalInput.latch.goesAcross(along: along, across: way, at: time) : way.magnitude > along.magnitude
    guard isAcross, way.isFinite, let section = orthogonalSection(at: convertFromWindow(wheel.location)) else {
      return false
    }
    let unit = kind == .continuous ? CollectionView.continuousUnit : stepDistance(of: section)
    handleScrollEvent(.wheel(distance: way * unit * directionSign(of: section), kind: kind), across: section, at: time)
    return true
  }

  /// Left and right scroll the section under the pointer across, or that of the item where the keyboard is.
  ///
  /// - Returns: whether there is such a section.
  final func handleOrthogonalKey(_ event: InputEvent) -> Bool {
    guard case .keyDown(let key, [], _) = event.kind else { return false }
    let keys: [Key] = scrollAxis == .vertical ? [.left, .right] : [.up, .down]
    guard let place = keys.firstIndex(of: key) else { return false }
    let pointed = interaction.pointer.flatMap(orthogonalSection(at:))
    let lead = interaction.selection.lead.flatMap { $0 < itemCount ? indexPath(at: $0).section : nil }
    guard let section = pointed ?? lead.flatMap({ solution.orthogonalSection($0) }) else { return false }
    let way = stepDistance(of: section) * (place == 0 ? -1 : 1) * directionSign(of: section)
    handleScrollEvent(.advance(by: way), across: section, at: event.time)
    return true
  }

  // MARK: Hands

  /// A finger stops a section that moves, and lets go of it.
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

  /// A section follows fingers that are drawn across it.
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
    let (along, way) = (pan.translation[scrollAxis], pan.translation[scrollAxis.cross])
    guard way.magnitude > along.magnitude, let section = orthogonalSection(at: convertFromWindow(pan.start)),
      section.maximumOffset > 0
    else {
      // It was stopped, and is not what the fingers mean.
      endOrthogonalDrag(.release, at: time)
      return false
    }
    if orthogonalInput.draggedSection != section.section { endOrthogonalDrag(.release, at: time) }
    beginOrthogonalDrag(section, at: time)
    return true
  }

  /// The pressed pointer goes across: the section goes along, where the item is not one that is carried.
  private func handleOrthogonalPointerDrag(to point: Point, at time: FrameInstant) -> Bool {
    if let last = orthogonalInput.pointer {
      guard let section = draggedSection else { return true }
      orthogonalInput.pointer = point
      dragSection(section, by: point - last, at: time)
      return true
    }
    guard let press = interaction.press, let item = press.item, press.gesture != nil, !interaction.isDragging,
      displayedSource?.canMoveItem(at: item) != true
    else { return false }
    let way = point - press.point
    guard way[scrollAxis.cross].magnitude >= CollectionView.dragThreshold,
      way[scrollAxis.cross].magnitude > way[scrollAxis].magnitude,
      let section = orthogonalSection(at: press.point), section.maximumOffset > 0
    else { return false }
    deferringUpdates { setHighlighted(false) }
    interaction.press = nil
    orthogonalInput.pointer = point
    beginOrthogonalDrag(section, at: time)
    return true
  }

  /// Points that a pressed pointer goes until it drags a section.
  private static var dragThreshold: Double { 6 }

  private func beginOrthogonalDrag(_ section: OrthogonalSection, at time: FrameInstant) {
    orthogonalInput.draggedSection = section.section
    orthogonalInput.isDragging = true
    handleScrollEvent(.hold, across: section, at: shownInstant(time))
  }

  private func dragSection(_ section: OrthogonalSection, by way: Point, at time: FrameInstant) {
    handleScrollEvent(.drag(by: -way[section.axis] * directionSign(of: section)), across: section, at: time)
  }

  final func endOrthogonalDrag(_ event: ScrollEvent, at time: FrameInstant) {
    if let section = draggedSection {
      handleScrollEvent(event, across: section, at: time)
    } else if let held = orthogonalInput.draggedSection {
      orthogonal.stop(held, at: time)
    }
    orthogonalInput.draggedSection = nil
    orthogonalInput.isDragging = false
    orthogonalInput.pointer = nil
  }

  // MARK: Sections

  private var draggedSection: OrthogonalSection? {
    orthogonalInput.draggedSection.flatMap { solution.orthogonalSection($0) }
  }

  private func orthogonalSection(at point: Point) -> OrthogonalSection? {
    solution.orthogonalSection(at: point + contentOrigin)
  }

  /// How far a notch or a key goes in a section.
  private func stepDistance(of section: OrthogonalSection) -> Double { max(48, section.frame.size[section.axis] / 4) }

  /// Who reads to the left goes on to the left.
  private func directionSign(of section: OrthogonalSection) -> Double {
    section.axis == .horizontal && solution.environment.layoutDirection == .rightToLeft ? -1 : 1
  }

  /// Gives a section an event.
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

  /// Moves the sections that scroll across to where they are at an instant.
  final func updateOrthogonalSections(at instant: FrameInstant) {
    guard orthogonal.activeCount > 0 || !contentEnvironment.movedSections.isEmpty else { return }
    orthogonal.advance(to: instant, resting: restingOffset)
    applyOrthogonalOffsets(at: instant)
    notifySectionScroll(at: instant)
    orthogonal.deactivateIdleSections(at: instant)
  }

  /// Nobody worked for a while: sections that move go on from where they were shown last.
  final func delayOrthogonalSections(by duration: FrameDuration) { orthogonal.delay(by: duration, after: lastInstant) }

  /// The layout was solved anew: it is told how far each section is scrolled across, and what is none any more stands.
  final func applyAllOrthogonalOffsets(at instant: FrameInstant) {
    for place in 0..<orthogonal.count {
      let section = orthogonal.section(at: place)
      if orthogonal.isActive(at: place), solution.orthogonalSection(section) == nil {
        orthogonal.stop(section, at: instant)
      }
      applyOrthogonalOffset(at: place, instant)
    }
  }

  /// Tells the layout how far each section that moves is scrolled across.
  final func applyOrthogonalOffsets(at instant: FrameInstant) {
    guard orthogonal.activeCount > 0 else { return }
    for place in 0..<orthogonal.count where orthogonal.isActive(at: place) { applyOrthogonalOffset(at: place, instant) }
  }

  private func applyOrthogonalOffset(at place: Int, _ instant: FrameInstant) {
    let (section, offset) = (orthogonal.section(at: place), orthogonal.offset(at: place, instant))
    guard let before = solution.orthogonalSection(section)?.offset, before != offset else { return }
    solution.setOrthogonalOffset(offset, ofSection: section)
    guard solution.orthogonalSection(section)?.offset != before else { return }
    needsVisibleUpdate = true
    hasOrthogonalOffsetChanges = true
    interaction.movement?.contentDidChange()
    recordMovedSection(section)
    setNeedsDisplay()
  }

  /// Sections moved across since the cells were placed.
  final func positionCellsAfterOrthogonalScroll() {
    hasOrthogonalOffsetChanges = false
    for cell in displayed.cells {
      if let index = cell.itemIndex { positionCell(cell, at: index) }
    }
  }

  final func restingOffset(_ section: Int, _ from: Double, _ proposed: Double, _ velocity: Double) -> Double {
    solution.restingOffset(ofSection: section, from: from, proposed: proposed, velocity: velocity)
  }
}
