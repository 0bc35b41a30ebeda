import BenchmarkSupport
import CPlatform

/// The profiles that callgrind writes, one for every pass through the measured region.
///
/// For a program that runs under `valgrind --tool=callgrind --collect-atstart=no` with `--toggle-collect` and
/// `--dump-after` naming the region: `OUTPUT.1` holds what the first pass cost, and so on.
struct CallgrindProfiles {
  private let output: String
  private var passes = 0

  init(output: String) { self.output = output }

  /// Runs a body within the region and returns its instructions; nothing where callgrind left no profile.
  mutating func instructions(of body: () -> Void) -> Double? {
    withoutActuallyEscaping(body) { body in
      let work = Work(body: body)
      platform_measured_region(
        { context in
          guard let context else { return }
          Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().body()
        }, Unmanaged.passUnretained(work).toOpaque())
      withExtendedLifetime(work) {}
    }
    passes += 1
    return KernelFile.text(of: "\(output).\(passes)").flatMap(InstrumentText.callgrindTotal)
  }

  /// A body behind a pointer, as C hands it on.
  private final class Work {
    let body: () -> Void

    init(body: @escaping () -> Void) { self.body = body }
  }
}
