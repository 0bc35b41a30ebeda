import FramePacing
import Testing

@testable import Hosting

@Suite("Memory is short when the kernel says so, or when little of it is free")
struct MemoryShortageTests {
  private static func second(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  private static func sample(_ share: Double) -> MemoryShortageDetector.Event {
    .sampled(MemorySample(total: 1_000, available: Int(share * 1_000)))
  }

  @Test("A stall is answered at once, and what follows it within two seconds is the same one")
  func stalls() {
    var shortage = MemoryShortageDetector()
    let answers = [0, 0.5, 1.9, 2, 3.9, 4.1].map { shortage.handle(.stalled, at: Self.second($0)) }
    #expect(answers == [true, false, false, true, false, true])
  }

  @Test("Little that is free is answered when it comes to be little, and every ten seconds that it is")
  func samples() {
    var shortage = MemoryShortageDetector()
    let answers = [(0, 0.3), (2, 0.04), (4, 0.04), (10, 0.03), (12, 0.04), (14, 0.04)].map { time, share in
      shortage.handle(Self.sample(share), at: Self.second(Double(time)))
    }
    #expect(answers == [false, true, false, false, true, false])
  }

  @Test("Memory that wavers about the bound is one shortage; only a good deal that is free ends it")
  func hysteresis() {
    var shortage = MemoryShortageDetector()
    let answers = [(0, 0.04), (2, 0.06), (4, 0.04), (6, 0.2), (8, 0.06), (10, 0.04)].map { time, share in
      shortage.handle(Self.sample(share), at: Self.second(Double(time)))
    }
    #expect(answers == [true, false, false, false, false, true])
  }

  @Test("The figures are read from the kernel's text; a text without them is no sample")
  func text() throws {
    let sample = try #require(MemorySample("MemTotal:       24684092 kB\nMemFree: 1 kB\nMemAvailable:  6171023 kB\n"))
    #expect(sample == MemorySample(total: 24_684_092, available: 6_171_023))
    #expect(sample.availableShare == 0.25)
    #expect(MemorySample("MemTotal: 0 kB\nMemAvailable: 0 kB\n") == nil)
    #expect(MemorySample("MemTotal: 5 kB\n") == nil && MemorySample("") == nil)
  }

  @Test("A program's own group of processes comes before the machine; the root of groups is none")
  func places() {
    let path = "/sys/fs/cgroup/user.slice/app.scope/memory.pressure"
    #expect(PressureFiles.controlGroupFile(groups: "4:memory:/old\n0::/user.slice/app.scope\n") == path)
    #expect(PressureFiles.controlGroupFile(groups: "4:memory:/old\n0::/\n") == nil)
    #expect(PressureFiles.controlGroupFile(groups: "") == nil)
    #expect(PressureFiles.all.last == "/proc/pressure/memory")
  }
}
