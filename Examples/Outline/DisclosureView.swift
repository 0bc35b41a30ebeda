import CollectionUI

/// A chevron that points right, or down when rotated by 90 degrees.
final class DisclosureView: View {
  /// The rotation in degrees.
  var angle = 0.0 {
    didSet { if DisclosureView.step(angle) != DisclosureView.step(oldValue) { setNeedsDisplay() } }
  }
  /// The color of the chevron.
  var tintColor = Color.white {
    didSet { if tintColor != oldValue { setNeedsDisplay() } }
  }
  private var lease = TextureLease()
  private var rendered: (step: Int, side: Int)?

  init() {
    super.init()
    isUserInteractionEnabled = false
  }

  isolated deinit { lease.release() }

  /// Returns the number of the image for an angle; a new one is rendered every three degrees.
  private static func step(_ angle: Double) -> Int { Int((angle / 3).rounded()) }

  override func draw(in context: DrawContext) {
    let side = Int(context.pixels(bounds).width)
    let step = DisclosureView.step(angle)
    if rendered?.step != step || rendered?.side != side {
      rendered = (step, side)
      lease.replace(with: DisclosureView.bitmap(side: side, angle: Double(step) * 3))
    }
    guard let bitmap = lease.bitmap, let texture = lease.texture(in: context.resources, createsIfNeeded: true) else {
      return
    }
    context.draw(texture, size: bitmap.size, at: .zero, isOpaque: false, tint: tintColor)
  }

  private static func bitmap(side: Int, angle: Double) -> Bitmap? {
    guard let size = PixelSize(width: side, height: side) else { return nil }
    let (sine, cosine) = DisclosureView.sineAndCosine(degrees: angle)
    let unit = Double(side) / 16
    // The two strokes from the tip before the rotation, relative to the center, in sixteenths of the side.
    let strokes = [((-2.0, -4.0), (2.0, 0.0)), ((2.0, 0.0), (-2.0, 4.0))]
    return try? Bitmap(size: size, isOpaque: false) { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      for y in 0..<side {
        for x in 0..<side {
          let (px, py) = ((Double(x) + 0.5) / unit - 8, (Double(y) + 0.5) / unit - 8)
          let (tx, ty) = (px * cosine + py * sine, py * cosine - px * sine)
          let distance = strokes.map { DisclosureView.distance((tx, ty), from: $0.0, to: $0.1) }.min() ?? .infinity
          let coverage = max(0, min(1, (0.9 - distance) * unit + 0.5))
          pixels[y * side + x] = UInt32(littleEndian: Color.white.opacity(coverage).packed)
        }
      }
    }
  }

  /// Returns the sine and cosine of up to 90 degrees from their series, which are the same on every machine.
  private static func sineAndCosine(degrees: Double) -> (Double, Double) {
    let angle = degrees * .pi / 180
    var (sine, cosine, term) = (0.0, 0.0, 1.0)
    for power in 0..<12 {
      let sign = power % 4 < 2 ? 1.0 : -1.0
      if power % 2 == 0 { cosine += sign * term } else { sine += sign * term }
      term *= angle / Double(power + 1)
    }
    return (sine, cosine)
  }

  private static func distance(
    _ point: (Double, Double), from start: (Double, Double), to end: (Double, Double)
  ) -> Double {
    let (dx, dy) = (end.0 - start.0, end.1 - start.1)
    let fraction = max(0, min(1, ((point.0 - start.0) * dx + (point.1 - start.1) * dy) / (dx * dx + dy * dy)))
    let (x, y) = (point.0 - start.0 - fraction * dx, point.1 - start.1 - fraction * dy)
    return (x * x + y * y).squareRoot()
  }
}

/// A frame participant that computes the angles of rotating disclosure indicators as functions of time.
///
/// It holds no cells. While an indicator rotates, its region is reconfigured in every frame, and the cell that shows
/// the region at that time receives the angle.
final class DisclosureAnimator: FrameParticipant {
  private struct Rotation {
    var motion: SpringSimulation
    /// The start time, or nil until the next frame, because the last frame may be long ago.
    var start: FrameInstant?
  }

  private static let spring = SpringParameters(stiffness: 310)

  private var rotations: [Region.ID: Rotation] = [:]
  private var frameTime = FrameInstant.zero
  /// Reconfigures regions; called for each region that rotates.
  var reconfigureRegions: ([Region.ID]) -> Void = { _ in }
  /// Whether indicators change without an animation.
  var reducesMotion = false

  /// Starts to rotate a region's indicator from its current angle.
  func rotateIndicator(of region: Region.ID, isExpanded: Bool) {
    let (target, last) = (isExpanded ? 90.0 : 0, rotations[region])
    let elapsed = last.map { seconds(of: $0) } ?? 0
    let motion = SpringSimulation(
      start: last?.motion.position(at: elapsed) ?? 90 - target, velocity: last?.motion.velocity(at: elapsed) ?? 0,
      target: target, parameters: DisclosureAnimator.spring)
    if !reducesMotion { rotations[region] = Rotation(motion: motion) }
    reconfigureRegions([region])
  }

  /// Returns the angle of a region's indicator in the current frame, in degrees.
  func angle(of region: Region.ID, isExpanded: Bool) -> Double {
    rotations[region].map { $0.motion.position(at: seconds(of: $0)) } ?? (isExpanded ? 90 : 0)
  }

  private func seconds(of rotation: Rotation) -> Double {
    rotation.start.map { max(.zero, frameTime - $0).seconds } ?? 0
  }

  // MARK: - FrameParticipant

  var needsFrames: Bool { !rotations.isEmpty }

  func update(at target: FrameInstant) {
    frameTime = target
    guard !rotations.isEmpty else { return }
    let regions = rotations.keys.sorted()
    for region in regions where rotations[region]?.start == nil { rotations[region]?.start = target }
    for region in regions {
      if let rotation = rotations[region], seconds(of: rotation) >= rotation.motion.duration { rotations[region] = nil }
    }
    reconfigureRegions(regions)
  }
}
