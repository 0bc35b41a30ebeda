import Glibc
import Testing
import VitrineFramePacing
import VitrineTestSupport
import VitrineThreads

@testable import VitrineHosting

@Suite("Kernel notifications of memory pressure wake the loop")
struct MemoryMonitorTests {
  /// A waker that counts its calls.
  private nonisolated final class CountingWaker: LoopWaker {
    let count = Lock(0)
    func wake() {
      count.withLock { $0 += 1 }
      count.wakeAll()
    }
  }

  /// Creates a named pipe, which becomes readable when the monitor writes its trigger.
  private static func makePipe() throws -> String {
    var name = Array("/tmp/vitrine-pressure-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&name)))
    let path = folder + "/pressure"
    try #require(mkfifo(path, 0o600) == 0)
    return path
  }

  private static func remove(_ path: String) {
    unlink(path)
    rmdir(String(path.dropLast("/pressure".count)))
  }

  @Test("A notification wakes the loop and is reported once, and stopping ends the thread")
  func notification() throws {
    let path = try Self.makePipe()
    defer { Self.remove(path) }
    let waker = CountingWaker()
    let monitor = MemoryMonitor(
      paths: ["/nowhere/memory", path], events: POLLIN, sample: { MemorySample(total: 100, available: 0) }, waker: waker
    )
    #expect(monitor.usesKernelNotifications)
    #expect(try waker.count.wait(for: "a wake-up") { $0 > 0 ? $0 : nil } > 0)
    #expect(monitor.isShort(at: .zero))
    #expect(!monitor.isShort(at: .zero + .seconds(60)), "no samples in addition to notifications")
    monitor.stop()
  }

  @Test("Without kernel notifications, memory is sampled every two seconds and the loop is not woken")
  func samples() {
    let waker = CountingWaker()
    var sampleCount = 0
    let monitor = MemoryMonitor(
      paths: ["/nowhere/memory"],
      sample: {
        sampleCount += 1
        return MemorySample(total: 100, available: 2)
      }, waker: waker)
    #expect(!monitor.usesKernelNotifications)
    let reports = [0, 0.1, 1.9, 2, 4, 11].map { monitor.isShort(at: .zero + .seconds($0)) }
    #expect(reports == [true, false, false, false, false, true])
    #expect(sampleCount == 4 && waker.count.withLock { $0 } == 0)
    monitor.stop()
  }

  @Test("The machine's pressure file is used if the kernel has one, and stopping does not wait for it")
  func kernel() throws {
    let isSupported = (try? PressureTrigger(path: "/proc/pressure/memory")) != nil
    let monitor = MemoryMonitor(paths: ["/proc/pressure/memory"], waker: CountingWaker())
    #expect(monitor.usesKernelNotifications == isSupported)
    monitor.stop()
  }

  @Test("A pressure file that cannot be opened is reported with the call that failed")
  func unreadableFile() throws {
    let error = #expect(throws: PressureError.self) { _ = try PressureTrigger(path: "/nowhere/memory") }
    #expect(error?.description == "/nowhere/memory: open: No such file or directory")
  }
}

@Suite("Memory is short when the kernel reports a stall, or when little is available")
struct MemoryShortageDetectorTests {
  private static func second(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  private static func sample(_ share: Double) -> MemoryShortageDetector.Event {
    .sampled(MemorySample(total: 1_000, available: Int(share * 1_000)))
  }

  @Test("A stall is reported immediately, and further stalls within two seconds are part of it")
  func stalls() {
    var detector = MemoryShortageDetector()
    let reports = [0, 0.5, 1.9, 2, 3.9, 4.1].map { detector.handle(.stalled, at: Self.second($0)) }
    #expect(reports == [true, false, false, true, false, true])
  }

  @Test("Low memory is reported when it starts, and every ten seconds while it lasts")
  func samples() {
    var detector = MemoryShortageDetector()
    let reports = [(0, 0.3), (2, 0.04), (4, 0.04), (10, 0.03), (12, 0.04), (14, 0.04)].map { time, share in
      detector.handle(Self.sample(share), at: Self.second(Double(time)))
    }
    #expect(reports == [false, true, false, false, true, false])
  }

  @Test("Memory that fluctuates around the threshold is one shortage, which ends when clearly more is available")
  func hysteresis() {
    var detector = MemoryShortageDetector()
    let reports = [(0, 0.04), (2, 0.06), (4, 0.04), (6, 0.2), (8, 0.06), (10, 0.04)].map { time, share in
      detector.handle(Self.sample(share), at: Self.second(Double(time)))
    }
    #expect(reports == [true, false, false, false, false, true])
  }

  @Test("The figures are parsed from the kernel's text, and a text without them gives nil")
  func text() throws {
    let sample = try #require(MemorySample("MemTotal:       24684092 kB\nMemFree: 1 kB\nMemAvailable:  6171023 kB\n"))
    #expect(sample == MemorySample(total: 24_684_092, available: 6_171_023))
    #expect(sample.availableShare == 0.25)
    #expect(MemorySample("MemTotal: 0 kB\nMemAvailable: 0 kB\n") == nil)
    #expect(MemorySample("MemTotal: 5 kB\n") == nil && MemorySample("") == nil)
  }

  @Test("The program's own control group comes before the machine, and the root group is ignored")
  func pressureFiles() {
    let path = "/sys/fs/cgroup/user.slice/app.scope/memory.pressure"
    #expect(PressureFiles.controlGroupFile(groups: "4:memory:/old\n0::/user.slice/app.scope\n") == path)
    #expect(PressureFiles.controlGroupFile(groups: "4:memory:/old\n0::/\n") == nil)
    #expect(PressureFiles.controlGroupFile(groups: "") == nil)
    #expect(PressureFiles.all.last == "/proc/pressure/memory")
  }
}
