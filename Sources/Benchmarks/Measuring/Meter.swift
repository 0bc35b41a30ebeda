import BenchmarkSupport
import FramePacing

/// Times work, and counts its instructions where something can.
final class Meter {
  /// By what instructions are counted.
  private enum Counting {
    case none
    case processor(ProcessorCounter)
    case callgrind(CallgrindProfiles)
  }

  /// Runs of each measurement.
  let repeats: Int
  private var counting: Counting

  /// Makes a meter; under callgrind it counts instructions and takes no time.
  init(repeats: Int, callgrindOutput: String?) {
    self.repeats = repeats
    if let callgrindOutput {
      counting = .callgrind(CallgrindProfiles(output: callgrindOutput))
    } else {
      counting = ProcessorCounter().map(Counting.processor) ?? .none
    }
  }

  /// Whether the program runs under an instrument that makes times meaningless.
  var countsOnly: Bool {
    if case .callgrind = counting { return true }
    return false
  }

  /// Whether instructions are counted.
  var countsInstructions: Bool {
    if case .none = counting { return false }
    return true
  }

  /// Where the instructions in the table come from.
  var source: String {
    switch counting {
    case .none: "not counted (perf_event_open gives no counter here; scripts/bench --instructions uses valgrind)"
    case .processor: "perf_event_open, outside the kernel"
    case .callgrind: "callgrind, fewest of \(repeats) after a warm-up; times are not taken"
    }
  }

  /// One run of a body that does so many equal operations.
  func time(operations: Int, _ body: () -> Void) -> Sample {
    switch counting {
    case .none: return Sample(nanoseconds: nanoseconds(of: body), operations: operations)
    case .processor(let counter):
      let before = counter.read()
      let nanoseconds = nanoseconds(of: body)
      let after = counter.read()
      let count = before.flatMap { before in after.map { Double($0 - before) } }
      return Sample(nanoseconds: nanoseconds, instructions: count, operations: operations)
    case .callgrind(var profiles):
      let count = profiles.instructions(of: body)
      counting = .callgrind(profiles)
      return Sample(nanoseconds: 0, instructions: count, operations: operations)
    }
  }

  /// Measures a body that can be repeated: once to warm up, then the runs.
  ///
  /// Quick bodies are repeated within a run, so that reading the clock does not count. What a body returns lives until
  /// its run is over: destroying it is not measured.
  func measure<Result>(runs: Int? = nil, _ body: () -> Result) -> Reading {
    var results: [Result] = []
    let warmUp = time(operations: 1) { results.append(body()) }
    let batch = countsOnly ? 1 : max(1, min(64, Int(200_000 / max(warmUp.nanoseconds, 1))))
    results.reserveCapacity(batch)
    var reading = Reading()
    for _ in 0..<min(runs ?? repeats, repeats) {
      results.removeAll(keepingCapacity: true)
      reading.add(
        time(operations: batch) {
          for _ in 0..<batch { results.append(body()) }
        })
      keep(results)
    }
    return reading
  }

  private func nanoseconds(of body: () -> Void) -> Double {
    let start = MonotonicClock.now()
    body()
    return Double((MonotonicClock.now() - start).nanoseconds)
  }
}
