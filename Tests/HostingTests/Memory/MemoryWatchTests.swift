import FramePacing
import Glibc
import TestSupport
import Testing
import Threads

@testable import Hosting

@Suite("The kernel's notices of memory pressure wake the loop")
struct MemoryWatchTests {
  /// Counts how often it was woken.
  private nonisolated final class Bell: LoopWaker {
    let count = Lock(0)
    func wake() {
      count.withLock { $0 += 1 }
      count.wakeAll()
    }
  }

  /// A pipe with a name, which can be read as soon as the watch has written what it asks for.
  private static func pipe() throws -> String {
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

  @Test("A notice wakes the loop and is told once; the thread ends when it is to")
  func notice() throws {
    let path = try Self.pipe()
    defer { Self.remove(path) }
    let bell = Bell()
    let watch = MemoryMonitor(
      paths: ["/nowhere/memory", path], events: POLLIN, sample: { MemorySample(total: 100, available: 0) }, waker: bell
    )
    #expect(watch.usesKernelNotifications)
    #expect(try bell.count.wait(for: "a wake-up") { $0 > 0 ? $0 : nil } > 0)
    #expect(watch.isShort(at: .zero))
    #expect(!watch.isShort(at: .zero + .seconds(60)), "samples are not asked for beside notices")
    watch.stop()
  }

  @Test("Where the kernel tells nothing, samples are taken, one every two seconds, and nobody is woken")
  func samples() {
    let bell = Bell()
    var taken = 0
    let watch = MemoryMonitor(
      paths: ["/nowhere/memory"],
      sample: {
        taken += 1
        return MemorySample(total: 100, available: 2)
      }, waker: bell)
    #expect(!watch.usesKernelNotifications)
    let answers = [0, 0.1, 1.9, 2, 4, 11].map { watch.isShort(at: .zero + .seconds($0)) }
    #expect(answers == [true, false, false, false, false, true])
    #expect(taken == 4 && bell.count.withLock { $0 } == 0)
    watch.stop()
  }

  @Test("The machine's own file is used where the kernel has one, and not waited for when the watch ends")
  func kernel() throws {
    let canAsk = (try? PressureTrigger(path: "/proc/pressure/memory")) != nil
    let watch = MemoryMonitor(paths: ["/proc/pressure/memory"], waker: Bell())
    #expect(watch.usesKernelNotifications == canAsk)
    watch.stop()
  }

  @Test("A file that is none of the kernel's is refused, with the call that failed")
  func refused() throws {
    let error = #expect(throws: PressureError.self) { _ = try PressureTrigger(path: "/nowhere/memory") }
    #expect(error?.description == "/nowhere/memory: open: No such file or directory")
  }
}
