import CVitrinePlatform
import Glibc
public import VitrineFramePacing

/// The kernel's accounting of this process.
public struct ProcessFigures: Sendable {
  /// The processor time in seconds, user and system.
  public var cpuSeconds: Double
  /// The number of voluntary context switches.
  public var voluntarySwitches: Int
  /// The peak resident size in bytes.
  public var residentPeakBytes: Int

  /// Reads the figures.
  ///
  /// The C function is `getrusage`.
  ///
  /// The peak is `VmHWM` of `/proc/self/status`, because the peak of `getrusage` survives an exec and may be that of
  /// the parent process.
  public static func current() -> ProcessFigures {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return ProcessFigures(
      cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), voluntarySwitches: Int(usage.ru_nvcsw),
      residentPeakBytes: readResidentPeak() ?? Int(usage.ru_maxrss) * 1_024)
  }

  private static func readResidentPeak() -> Int? {
    guard let file = fopen("/proc/self/status", "re") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 8_192)
    let count = fread(&buffer, 1, buffer.count, file)
    let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
    let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace)
    return words.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * 1_024 }
  }

  /// The memory in bytes that this process may use, or nil if the kernel does not provide it.
  ///
  /// This is the machine's memory, or the limit of the process's control group if that is smaller.
  public static var memoryLimit: Int? {
    guard let machine = MemorySample.machineSample?.total else { return nil }
    let group = ControlGroupMemory(root: "/sys/fs/cgroup", groups: PressureFiles.processControlGroups).limit(
      within: machine)
    return (group ?? machine) * 1_024
  }

  /// Makes the allocator return large freed blocks to the system for the lifetime of the process.
  ///
  /// By default, the allocator gradually retains them. Call this once, before starting threads. The C function is
  /// `mallopt`.
  public static func limitHeapRetention() { platform_bound_heap() }

  /// Returns the time at which the process started, on the monotonic clock.
  ///
  /// The kernel provides it in ticks of 10 ms since boot (field 22 of `/proc/self/stat`), so the result may be up to 10
  /// ms early.
  public static func launchInstant() -> FrameInstant {
    guard let file = fopen("/proc/self/stat", "re") else { return MonotonicClock.now() }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 2_048)
    let count = fread(&buffer, 1, buffer.count, file)
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    // The name may contain spaces and parentheses. The other fields follow its last parenthesis.
    guard let bracket = text.lastIndex(of: ")") else { return MonotonicClock.now() }
    let fields = text[text.index(after: bracket)...].split(separator: " ")
    guard fields.count > 19, let ticks = Int64(fields[19]) else { return MonotonicClock.now() }
    let sinceBoot = ticks * (1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
    var boot = timespec()
    var monotonic = timespec()
    clock_gettime(CLOCK_BOOTTIME, &boot)
    clock_gettime(CLOCK_MONOTONIC, &monotonic)
    let suspended =
      (Int64(boot.tv_sec) - Int64(monotonic.tv_sec)) * 1_000_000_000 + Int64(boot.tv_nsec - monotonic.tv_nsec)
    return FrameInstant(nanoseconds: sinceBoot - suspended)
  }
}
