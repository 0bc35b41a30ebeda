import BenchmarkSupport
import CVitrinePlatform
import Glibc
import VitrineFramePacing

/// Measures the time of work, and its instructions if a counter is available.
final class Meter {
  /// The source of instruction counts.
  private enum Counting {
    case none
    case processor(InstructionCounter)
    case callgrind(CallgrindRegion)
  }

  /// The number of runs of each measurement.
  let repeats: Int
  private var counting: Counting

  /// Creates a meter.
  ///
  /// Under callgrind it counts instructions and measures no times.
  init(repeats: Int, callgrindOutput: String?) {
    self.repeats = repeats
    if let callgrindOutput {
      counting = .callgrind(CallgrindRegion(output: callgrindOutput))
    } else {
      counting = InstructionCounter().map(Counting.processor) ?? .none
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

  /// A description of the source of the instruction counts.
  var source: String {
    switch counting {
    case .none: "not counted (perf_event_open gives no counter here; scripts/bench --instructions uses valgrind)"
    case .processor: "perf_event_open, outside the kernel"
    case .callgrind: "callgrind, fewest of \(repeats) after a warm-up; times are not taken"
    }
  }

  /// Measures one run of a closure that performs several equal operations.
  func time(operations: Int, _ body: () -> Void) -> Sample {
    switch counting {
    case .none: return Sample(nanoseconds: nanoseconds(of: body), operations: operations)
    case .processor(let counter):
      let before = counter.read()
      let nanoseconds = nanoseconds(of: body)
      let after = counter.read()
      let count = before.flatMap { before in after.map { Double($0 - before) } }
      return Sample(nanoseconds: nanoseconds, instructions: count, operations: operations)
    case .callgrind(var region):
      let count = region.instructions(of: body)
      counting = .callgrind(region)
      return Sample(nanoseconds: 0, instructions: count, operations: operations)
    }
  }

  /// Measures a repeatable closure: one warm-up, then the runs.
  ///
  /// Fast closures are repeated within a run so that the cost of reading the clock is negligible. The results of the
  /// closure are destroyed after the end of the run, outside the measurement.
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
      blackHole(results)
    }
    return reading
  }

  private func nanoseconds(of body: () -> Void) -> Double {
    let start = MonotonicClock.now()
    body()
    return Double((MonotonicClock.now() - start).nanoseconds)
  }
}

/// Returns a value opaquely to the optimizer, which therefore cannot precompute anything that depends on it.
@inline(never)
func opaque<Value>(_ value: Value) -> Value { value }

/// Consumes a value opaquely to the optimizer, which therefore cannot eliminate its computation.
@inline(never)
func blackHole<Value>(_ value: Value) {
  withUnsafePointer(to: value) { pointer in _ = opaque(UInt(bitPattern: pointer)) }
}

/// A hardware counter of the instructions that this thread retires outside the kernel.
final class InstructionCounter {
  private let descriptor: Int32

  /// Starts counting, or returns nil if the kernel forbids it or the machine has no such counter.
  ///
  /// Uses `perf_event_open`.
  init?() {
    descriptor = platform_open_instruction_counter()
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Returns the number of instructions so far, or nil if reading fails.
  func read() -> UInt64? {
    var count: UInt64 = 0
    return platform_read_counter(descriptor, &count) == 0 ? count : nil
  }
}

// MARK: - Frames

/// Measures a region of a frame that starts and ends in distant calls.
///
/// Measures the thread's processor time, and instructions with the hardware counter or callgrind. The latter requires
/// that the program runs under `valgrind --tool=callgrind` with options `--zero-before` and `--dump-before` that name
/// the functions at the ends of the region.
final class FrameMeter {
  private let output: String?
  private let buffer: ProfileBuffer?
  private let counter: InstructionCounter?
  private var dumps = 0
  private var start = FrameInstant.zero
  private var startCount: UInt64?

  /// Creates a meter.
  ///
  /// Under callgrind it counts and measures no times.
  init(callgrindOutput: String?) {
    output = callgrindOutput
    buffer = callgrindOutput == nil ? nil : ProfileBuffer()
    counter = callgrindOutput == nil ? InstructionCounter() : nil
  }

  /// Whether the program runs under an instrument that makes times meaningless.
  var countsOnly: Bool { output != nil }

  /// A description of the source of the instruction counts.
  var source: String {
    output != nil
      ? "callgrind; times are not taken"
      : counter != nil
        ? "perf_event_open, outside the kernel"
        : "not counted (perf_event_open gives no counter here; scripts/bench --instructions uses valgrind)"
  }

  /// Starts the region.
  func begin() {
    if output == nil {
      start = ThreadTime.now()
      startCount = counter?.read()
    }
    platform_stretch_begins()
  }

  /// Ends the region.
  ///
  /// - Returns: The cost of the region, or nil if callgrind wrote no profile.
  func end() -> FrameCost? {
    platform_stretch_ends()
    guard let output else {
      let count = startCount.flatMap { start in counter?.read().map { Double($0 - start) } }
      return FrameCost(nanoseconds: Double((ThreadTime.now() - start).nanoseconds), instructions: count)
    }
    dumps += 1
    let path = "\(output).\(dumps)"
    defer { unlink(path) }
    return buffer?.profile(at: path).map(FrameCost.init)
  }
}

// MARK: - Callgrind

/// The region that callgrind measures, with one profile for each pass.
///
/// Requires that the program runs under `valgrind --tool=callgrind --collect-atstart=no` with options
/// `--toggle-collect` and `--dump-after` that name the region. `OUTPUT.1` then contains the cost of the first pass, and
/// so on.
private struct CallgrindRegion {
  private let output: String
  private var passes = 0

  init(output: String) { self.output = output }

  /// Runs a closure within the region and returns its instructions, or nil if callgrind wrote no profile.
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

  /// A closure that is passed through C as a pointer.
  private final class Work {
    let body: () -> Void

    init(body: @escaping () -> Void) { self.body = body }
  }
}

/// A preallocated buffer for reading callgrind profiles.
///
/// A profile contains the process number, so its length depends on the number of digits. A buffer of exactly that size
/// would shift the addresses of all later allocations, and with them work that depends on addresses: half a percent of
/// a frame.
private final class ProfileBuffer {
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 20, alignment: 16)

  deinit { memory.deallocate() }

  /// Reads a profile, or returns nil if the file cannot be read, is not a profile, or exceeds the buffer.
  func profile(at path: String) -> CallgrindProfile? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var count = 0
    while count < memory.count {
      let bytesRead = read(descriptor, memory.baseAddress.map { $0 + count }, memory.count - count)
      guard bytesRead >= 0 else { return nil }
      if bytesRead == 0 { return CallgrindProfile(UnsafeRawBufferPointer(rebasing: memory[..<count])) }
      count += bytesRead
    }
    return nil
  }
}

// MARK: - Memory and processes

/// The memory of this process and of the machine.
enum ProcessMemory {
  /// The number of allocated bytes.
  ///
  /// Uses `mallinfo2`.
  static var allocated: Int { Int(platform_allocated_bytes()) }

  /// The number of bytes available without swapping, or nil if the kernel does not report it.
  static var available: Int? {
    KernelFile.text(of: "/proc/meminfo").flatMap { InstrumentText.bytes(of: "MemAvailable", in: $0) }
  }

  /// The peak resident memory in bytes, or nil if the kernel does not report it.
  static var peak: Int? { resident("VmHWM") }

  /// Runs a closure and returns its result and the growth of the resident memory at its peak, or nil if the kernel does
  /// not report it.
  ///
  /// First returns free memory to the kernel (`malloc_trim`) and resets the kernel's peak (`/proc/self/clear_refs`),
  /// then compares VmHWM after the closure with VmRSS before it. The precision is about half a megabyte, because the
  /// kernel updates its counters with a delay.
  static func growth<Result>(during body: () -> Result) -> (result: Result, bytes: Int?) {
    platform_trim_heap()
    let isReset = KernelFile.write("5", to: "/proc/self/clear_refs")
    let before = resident("VmRSS")
    let result = body()
    let peak = resident("VmHWM")
    guard isReset, let before, let peak else { return (result, nil) }
    return (result, peak - before)
  }

  /// The current and the peak resident memory in bytes, or 0 if the kernel does not report it.
  static var residentBytes: (current: Int, peak: Int) { (resident("VmRSS") ?? 0, resident("VmHWM") ?? 0) }

  private static func resident(_ name: String) -> Int? {
    KernelFile.text(of: "/proc/self/status").flatMap { InstrumentText.bytes(of: name, in: $0) }
  }
}

/// Functions that read kernel files as a whole and write kernel switches.
enum KernelFile {
  /// Returns the text of a file, or nil if it cannot be read.
  static func text(of path: String) -> String? { try? ResultFile.text(of: path) }

  /// Writes a word to a switch and returns whether the kernel accepted it.
  static func write(_ word: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return Array(word.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == word.utf8.count
  }
}

/// The current executable, run in a separate process so that no run inherits the memory of an earlier one.
enum CurrentExecutable {
  /// Runs the executable with arguments and returns its output, or nil if it could not be started or failed.
  ///
  /// Uses `realpath`.
  static func output(_ arguments: [String]) -> String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return ShellCommand.output([String(cString: path)] + arguments)
  }
}
