import BenchmarkSupport
import CPlatform
import FramePacing
import Glibc

/// Measures a stretch of work that begins and ends in calls far apart.
///
/// Its own clock is the thread's processor time, its counter the processor's or callgrind: for a program that runs under
/// `valgrind --tool=callgrind` with `--zero-before` and `--dump-before` naming the ends of the stretch.
final class StretchMeter {
  private let output: String?
  private let profiles: ProfileBuffer?
  private let counter: ProcessorCounter?
  private var dumps = 0
  private var start = FrameInstant.zero
  private var startCount: UInt64?

  /// Makes a meter; under callgrind it counts and takes no time.
  init(callgrindOutput: String?) {
    output = callgrindOutput
    profiles = callgrindOutput == nil ? nil : ProfileBuffer()
    counter = callgrindOutput == nil ? ProcessorCounter() : nil
  }

  /// Whether the program runs under an instrument that makes times meaningless.
  var countsOnly: Bool { output != nil }

  /// Where the numbers of instructions come from.
  var source: String {
    output != nil
      ? "callgrind; times are not taken"
      : counter != nil
        ? "perf_event_open, outside the kernel"
        : "not counted (perf_event_open gives no counter here; scripts/bench --instructions uses valgrind)"
  }

  /// The stretch begins.
  func begin() {
    if output == nil {
      start = ThreadTime.now()
      startCount = counter?.read()
    }
    platform_stretch_begins()
  }

  /// The stretch ends.
  ///
  /// - Returns: what it took; nothing where callgrind left no profile.
  func end() -> StretchCost? {
    platform_stretch_ends()
    guard let output else {
      let count = startCount.flatMap { start in counter?.read().map { Double($0 - start) } }
      return StretchCost(nanoseconds: Double((ThreadTime.now() - start).nanoseconds), instructions: count)
    }
    dumps += 1
    let path = "\(output).\(dumps)"
    defer { unlink(path) }
    return profiles?.profile(at: path).map(StretchCost.init)
  }
}
