import BenchmarkSupport
import CollectionEngine
import CollectionUI
import FramePacing
import Rendering
import ScrollPhysics
import Views

/// Scrolls a stage, and measures each of its frames from update to upload.
@MainActor
final class FrameWatch: FrameParticipant {
  /// What frames took, by what they had to do.
  private(set) var readings: [FrameKind: FrameReading] = [:]
  /// Whether frames are measured.
  var isMeasuring = false

  private let stage: ScrollStage
  private let meter: StretchMeter
  private let speed: Double
  private let arrivalInterval: Int?
  private var velocity = 0.0
  private var frame = 0
  private var isTaken = true
  private var before = CellStatistics()
  private var tally = FrameTally()
  private var arriving: Bitmap?

  /// Begins to scroll.
  ///
  /// - Parameters:
  ///   - stage: what is scrolled.
  ///   - meter: what measures.
  ///   - speed: points a second.
  ///   - arrivalInterval: after how many frames each a picture arrives; nothing for none.
  init(_ stage: ScrollStage, meter: StretchMeter, speed: Double, arrivalInterval: Int? = nil) {
    self.stage = stage
    self.meter = meter
    self.speed = speed
    self.arrivalInterval = arrivalInterval
    stage.loop.window.addFirstParticipant(self)
  }

  var needsFrames: Bool { true }

  func update(at target: FrameInstant) {
    scroll(at: target)
    frame += 1
    tally = FrameTally()
    if let arrivalInterval, frame.isMultiple(of: arrivalInterval) {
      arriving = try? stage.pictures.paintAnew(frame)
    }
    before = stage.view.statistics
    isTaken = false
    meter.begin()
  }

  func collect(_ budget: FrameBudget) {
    guard let picture = arriving else { return }
    arriving = nil
    let range = stage.view.visibleRange
    let item = (range.lowerBound + range.upperBound) / 2
    stage.pictures.setPicture(picture, of: item)
    stage.source.reconfigureItems([item])
    tally.arrived = 1
  }

  func performSlackStep(_ budget: FrameBudget) -> Bool {
    // Asked several times a frame; what follows is no longer part of it.
    takeCost()
    return false
  }

  private func takeCost() {
    guard isMeasuring, !isTaken, let cost = stage.display.cost else { return }
    isTaken = true
    let after = stage.view.statistics
    tally.entered = after.displayed - before.displayed
    tally.forced = after.preparedForced - before.preparedForced
    tally.created = after.created - before.created
    tally.left = before.visible + tally.entered - after.visible
    if let kind = tally.kind { readings[kind, default: FrameReading()].add(cost, entered: tally.entered) }
  }

  /// Goes on with a constant speed, which turns at the ends.
  private func scroll(at target: FrameInstant) {
    let range = stage.view.scroll.range
    guard range.length > 0 else { return }
    let offset = stage.view.scroll.offset(at: target)
    var wanted = velocity == 0 ? speed : velocity
    if offset >= range.maximum { wanted = -speed }
    if offset <= range.minimum { wanted = speed }
    guard wanted != velocity || stage.view.scroll.phase(at: target) == .idle else { return }
    velocity = wanted
    stage.view.applyScrollEvent(.steady(velocity: wanted), at: target)
  }
}
