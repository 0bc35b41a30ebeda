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

  /// Gives a movement across the layout's axis to the section under the pointer that scrolls that way.
  ///
  /// Movements belong to the axis along which they go further; a wheel alone goes across while Shift is held.
  ///
  /// - Returns: whether there is such a section.
  final func scrollAcross(_ wheel: WheelInput, at time: FrameInstant) -> Bool {
    let isTurned = wheel.modifiers.contains(.shift) && wheel.deltaX == 0
    let across = isTurned ? -wheel.deltaY : scrollAxis == .vertical ? wheel.deltaX : -wheel.deltaY
    let along = isTurned ? 0 : scrollAxis == .vertical ? wheel.deltaY : wheel.deltaX
    guard across.magnitude > along.magnitude,
      let section = solution.orthogonalSection(at: convertFromWindow(wheel.location) + contentOrigin)
    else { return false }
    let kind = acrossClassifier.classify(deltaX: wheel.deltaX, deltaY: wheel.deltaY, at: time)
    let unit = kind == .continuous ? CollectionView.continuousUnit : max(48, section.frame.size[section.axis] / 4)
    // Who reads to the left goes on to the left.
    let isMirrored = section.axis == .horizontal && solution.environment.layoutDirection == .rightToLeft
    let range = ScrollRange(
      minimum: 0, maximum: section.maximumOffset, viewportLength: section.frame.size[section.axis])
    orthogonal.handle(
      .wheel(distance: across * unit * (isMirrored ? -1 : 1), kind: kind), in: section.section, range: range, at: time,
      resting: restingOffset)
    setNeedsDisplay()
    return true
  }

  /// Moves the sections that scroll across to where they are at an instant.
  final func updateOrthogonal(at instant: FrameInstant) {
    guard !orthogonal.isEmpty else { return }
    orthogonal.advance(to: instant, resting: restingOffset)
    takeOrthogonalOffsets(at: instant)
    tellOfSections(at: instant)
  }

  /// Tells the layout how far each section is scrolled across.
  final func takeOrthogonalOffsets(at instant: FrameInstant) {
    for section in orthogonal.sections {
      let offset = orthogonal.offset(of: section, at: instant)
      guard let before = solution.orthogonalSection(section)?.offset, before != offset else { continue }
      solution.setOrthogonalOffset(offset, ofSection: section)
      guard solution.orthogonalSection(section)?.offset != before else { continue }
      needsPlan = true
      hasMovedAcross = true
      interaction.movement?.contentChanged()
      noteMoved(section)
      setNeedsDisplay()
    }
  }

  final func restingOffset(_ section: Int, _ from: Double, _ proposed: Double, _ velocity: Double) -> Double {
    solution.restingOffset(ofSection: section, from: from, proposed: proposed, velocity: velocity)
  }
}
