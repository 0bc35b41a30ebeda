import BenchmarkSupport
import CollectionUI
import FramePacing
import ScrollPhysics
import Views

/// Scrolls the scene and adds up its frames.
@MainActor
final class SceneWatch: FrameParticipant {
  /// The frames so far.
  private(set) var reading = SceneReading()
  /// Whether frames are added.
  var isMeasuring = false

  private let view: CollectionView
  private let speed: Double
  private var commits: [Int64] = []
  private var lastShown: FrameInstant?

  init(_ view: CollectionView, speed: Double) {
    self.view = view
    self.speed = speed
    commits.reserveCapacity(1 << 16)
  }

  var needsFrames: Bool { true }

  func update(at target: FrameInstant) {
    guard view.scroll.phase(at: target) == .idle else { return }
    view.act(.steady(velocity: speed), at: target)
  }

  func frameDidEnd(_ record: FrameRecord) {
    guard isMeasuring else { return }
    reading.frames += 1
    if record.hitch > .zero { reading.hitches += 1 }
    if record.hitchClass == .commitLate || record.hitchClass == .slackOverrun { reading.ownHitches += 1 }
    if let lastShown {
      let gap = Int((record.shown - lastShown).nanoseconds)
      reading.longestGap = max(reading.longestGap, gap)
      if gap > SceneReading.longGap { reading.longGaps += 1 }
    }
    lastShown = record.shown
    commits.append(record.commit.nanoseconds)
    let ends = (record.duration(of: .events), record.duration(of: .upload), record.duration(of: .raster))
    reading.parts[.events, default: 0] += Int(ends.0.nanoseconds)
    reading.parts[.upload, default: 0] += Int(ends.1.nanoseconds)
    reading.parts[.raster, default: 0] += Int(ends.2.nanoseconds)
    reading.parts[.commit, default: 0] += Int(
      (record.commit - ends.0 - ends.1 - ends.2).nanoseconds)
    reading.parts[.slack, default: 0] += Int(record.duration(of: .slack).nanoseconds)
    reading.parts[.present, default: 0] += Int(record.duration(of: .present).nanoseconds)
  }

  /// The frames so far with their percentile.
  func finished() -> SceneReading {
    var reading = reading
    reading.longCommit = Percentiles(ofNanoseconds: commits).map { Int($0.p99.nanoseconds) } ?? 0
    return reading
  }
}
