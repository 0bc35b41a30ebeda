import CAllocations
import FramePacing
import Foundation
import TestSupport
import Testing
import Views

@testable import Hosting

@Suite("What frames did is written a line each, and counted beside them")
struct FrameLogTests {
  /// Allocates so often in one phase, and once in work that is no part of phases 1 to 7.
  final class Taker: FrameParticipant {
    var count = 3
    var needsFrames: Bool { true }
    func layout() { take(count) }
    func frameDidEnd(_ record: FrameRecord) { take(7) }
    private var taken = UnsafeMutableRawPointer.allocate(byteCount: 48, alignment: 8)
    private func take(_ count: Int) {
      for _ in 0..<count {
        taken.deallocate()
        taken = .allocate(byteCount: 48, alignment: 8)
      }
    }
    isolated deinit { taken.deallocate() }
  }

  @Test("A line has a number for each name in the first, and a dash for what there was none of")
  func line() {
    var record = RunReportTests.record(7, hitchMs: 4, class: .external)
    #expect(
      FrameLog.line(of: record)
        == "7\t80000000\t70000000\t72800000\t73600000\t74500000\t84000000\t-\t4000000\texternal\t1\t0\t-\n")
    record.inputInstant = record.start
    record.allocations = 12
    record.isFirstAfterIdle = true
    let columns = FrameLog.line(of: record).dropLast().split(separator: "\t", omittingEmptySubsequences: false)
    let names = FrameLog.header.dropLast().split(separator: "\t")
    #expect(columns.count == names.count)
    #expect(columns[7] == "70000000" && columns[11] == "1" && columns[12] == "12")
  }

  @Test("All frames that are kept are in it, the oldest first")
  func file() throws {
    let path = NSTemporaryDirectory() + "vitrine-frames-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    try FrameLog(destination: path).write(RunReportTests.history((0..<300).map { RunReportTests.record($0) }))
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 301 && lines[0] + "\n" == FrameLog.header)
    #expect(lines.dropFirst().enumerated().allSatisfy { $1.hasPrefix("\($0)\t") })
  }

  @Test("A probe counts from the beginning of phase 1 to the end of phase 7, and where nobody counts there is nothing")
  func probe() throws {
    #expect(FrameProbe(count: nil, observer: nil) == nil)
    var calls: UInt64 = 100
    let probe = try #require(FrameProbe(count: { calls }, observer: nil))
    let stage = WindowHarness(root: View())
    stage.loop.commitProbe = probe
    stage.run(frames: 1)
    #expect(stage.loop.history.record(atAge: 0).allocations == 0)
    probe.commitWillBegin(frame: 1)
    calls += 5
    #expect(probe.commitDidEnd(frame: 1) == 5)
    stage.loop.commitProbe = nil
    stage.run(frames: 1)
    #expect(stage.loop.history.record(atAge: 0).allocations == nil)
  }

  @Test(
    "What a frame allocates is in its record, and what comes after its commit is not",
    .enabled(if: allocations_are_counted(), "a sanitizer has its own allocator"))
  func counted() throws {
    func counts(_ count: Int) throws -> Int {
      let taker = Taker()
      taker.count = count
      let stage = WindowHarness(root: View())
      stage.loop.commitProbe = FrameProbe(count: { allocations_of_this_thread() }, observer: nil)
      stage.window.addParticipant(taker)
      stage.run(frames: 20)
      return Int(try #require(stage.loop.history.record(atAge: 0).allocations))
    }
    let (few, many) = (try counts(10), try counts(110))
    #expect(many - few == 100, "\(few), \(many)")
  }
}
