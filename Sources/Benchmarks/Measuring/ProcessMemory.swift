import BenchmarkSupport
import CPlatform

/// What this process has of the machine's memory.
enum ProcessMemory {
  /// Bytes from the allocator that are in use.
  ///
  /// The C function is `mallinfo2`.
  static var allocated: Int { Int(platform_allocated_bytes()) }

  /// Bytes that the machine could still give without swapping; nothing where the kernel does not say.
  static var available: Int? {
    KernelFile.text(of: "/proc/meminfo").flatMap { InstrumentText.bytes(of: "MemAvailable", in: $0) }
  }

  /// The most bytes that were resident so far; nothing where the kernel does not say.
  static var peak: Int? { resident("VmHWM") }

  /// Runs a body and returns by how many bytes the touched memory grew at its height; nothing where the kernel does not
  /// say.
  ///
  /// Free memory goes back to the kernel first (`malloc_trim`), and the kernel forgets the height so far
  /// (`/proc/self/clear_refs`); then VmHWM after the body is compared with VmRSS before it. Good to about half a
  /// megabyte, by which the kernel lets its counts lag.
  static func growth<Result>(during body: () -> Result) -> (result: Result, bytes: Int?) {
    platform_trim_heap()
    let isReset = KernelFile.write("5", to: "/proc/self/clear_refs")
    let before = resident("VmRSS")
    let result = body()
    let height = resident("VmHWM")
    guard isReset, let before, let height else { return (result, nil) }
    return (result, height - before)
  }

  /// Bytes resident now, and the most that ever were; 0 where the kernel does not say.
  static var residentNow: (now: Int, most: Int) { (resident("VmRSS") ?? 0, resident("VmHWM") ?? 0) }

  private static func resident(_ name: String) -> Int? {
    KernelFile.text(of: "/proc/self/status").flatMap { InstrumentText.bytes(of: name, in: $0) }
  }
}
