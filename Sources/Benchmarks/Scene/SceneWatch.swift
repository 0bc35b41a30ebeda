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
  /// The times of the parts, in their order: a dictionary would be looked into in every frame.
  private var times = [Int](repeating: 0, count: SceneReading.Part.allCases.count)

  init(_ view: CollectionView, speed: Double) {
    self.view = view
    self.speed = speed
    commits.reserveCapacity(1 << 16)
  }

  var needsFrames: Bool { true }

  func update(at target: FrameInstant) {
    guard view.scroll.phase(at: target) == .idle else { return }
    view.applyScrollEvent(.steady(velocity: speed), at: target)
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
    let (events, upload, raster) = (
      record.duration(of: .events), record.duration(of: .upload), record.duration(of: .raster)
    )
    times[0] += Int(events.nanoseconds)
    times[1] += Int((record.commit - events - upload - raster).nanoseconds)
    times[2] += Int(upload.nanoseconds)
    times[3] += Int(raster.nanoseconds)
    times[4] += Int(record.duration(of: .slack).nanoseconds)
    times[5] += Int(record.duration(of: .present).nanoseconds)
  }

  /// The frames so far with their percentile.
  func finished() -> SceneReading {
    var reading = reading
    for (part, time) in zip(SceneReading.Part.allCases, times) { reading.parts[part] = time }
    reading.longCommit = Percentiles(ofNanoseconds: commits).map { Int($0.p99.nanoseconds) } ?? 0
    return reading
  }
}
