import BenchmarkSupport
import FramePacing
import Geometry
import Glibc
import ImagePipeline

/// A loop of sixty frames a second that asks for pictures and takes them in, as a program that draws does.
@MainActor
struct LatenessRun {
  let pictures: [MeasuredPicture]
  /// The executable of the decoding process; where nothing is told, the one beside the program.
  let decoder: String?

  /// Frames at a time, idle and decoding in turn, as other programs disturb both.
  private static let frames = 60
  private static let rounds = 6
  private static let refresh = FrameDuration.seconds(1 / 60.0)
  private static let waiting = 8

  /// Runs the loop with nothing to decode, and with every core decoding.
  func figure(side: Int) throws -> LatenessFigure {
    guard let size = PixelSize(width: side, height: side) else { throw CommandError("\(side): no size") }
    let clock = MonotonicClock()
    let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: cores, cacheBytes: 0, helperPath: decoder), waker: NoWaker())
    defer { pipeline.shutdown() }
    var figure = LatenessFigure()
    var asked = 0
    for _ in 0..<LatenessRun.rounds {
      figure.idle += latenesses(clock) { _ in }
      figure.decoding += latenesses(clock) { now in
        figure.decoded += pipeline.collect(at: now).count(where: \.isFinal)
        while asked - figure.decoded < LatenessRun.waiting * cores {
          // Never the same one, which would be remembered.
          let key = ImageKey(source: UInt64(asked), size: size, fit: .fit)
          let path = pictures[asked % pictures.count].path
          pipeline.request(ImageRequest(key: key, source: .file(path: Array(path.utf8))), deadline: now)
          asked += 1
        }
      }
      while asked > figure.decoded {
        clock.wait(until: clock.now() + LatenessRun.refresh)
        figure.decoded += pipeline.collect(at: clock.now()).count(where: \.isFinal)
      }
    }
    return figure
  }

  /// How late each frame begins, in nanoseconds; a body is its work.
  private func latenesses(_ clock: MonotonicClock, _ body: (FrameInstant) -> Void) -> [Double] {
    var latenesses: [Double] = []
    var next = clock.now() + LatenessRun.refresh
    for _ in 0..<LatenessRun.frames {
      clock.wait(until: next)
      let now = clock.now()
      latenesses.append(Double((now - next).nanoseconds))
      body(now)
      // One that is late by more than a frame leaves out those that it has missed.
      repeat { next = next + LatenessRun.refresh } while next <= clock.now()
    }
    return latenesses
  }
}
