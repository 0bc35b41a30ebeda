import CVitrineAllocations
import Foundation
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("The frame log writes a line per frame, and the frame probe counts allocations")
struct FrameLogTests {
  /// A participant that allocates a given number of times in one phase, and seven times outside phases 1 to 7.
  final class AllocatingParticipant: FrameParticipant {
    var count = 3
    var needsFrames: Bool { true }
    func layout() { allocate(count) }
    func frameDidEnd(_ record: FrameRecord) { allocate(7) }
    private var block = UnsafeMutableRawPointer.allocate(byteCount: 48, alignment: 8)
    private func allocate(_ count: Int) {
      for _ in 0..<count {
        block.deallocate()
        block = .allocate(byteCount: 48, alignment: 8)
      }
    }
    isolated deinit { block.deallocate() }
  }

  @Test("A line has one column per name in the header, and a dash for a missing value")
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

  @Test("The log contains all frames in the history, oldest first")
  func file() throws {
    let path = NSTemporaryDirectory() + "vitrine-frames-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    try FrameLog(destination: path).write(RunReportTests.history((0..<300).map { RunReportTests.record($0) }))
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 301 && lines[0] + "\n" == FrameLog.header)
    #expect(lines.dropFirst().enumerated().allSatisfy { $1.hasPrefix("\($0)\t") })
  }

  @Test("A probe counts from the start of phase 1 to the end of phase 7, and allocations are nil without a probe")
  func probe() throws {
    #expect(FrameProbe(count: nil, observer: nil) == nil)
    var calls: UInt64 = 100
    let probe = try #require(FrameProbe(count: { calls }, observer: nil))
    let harness = WindowHarness(root: View())
    harness.loop.commitProbe = probe
    harness.run(frames: 1)
    #expect(harness.loop.history.record(atAge: 0).allocations == 0)
    probe.commitWillBegin(frame: 1)
    calls += 5
    #expect(probe.commitDidEnd(frame: 1) == 5)
    harness.loop.commitProbe = nil
    harness.run(frames: 1)
    #expect(harness.loop.history.record(atAge: 0).allocations == nil)
  }

  @Test(
    "A frame's record counts the allocations of its commit, and not those after it",
    .enabled(if: allocations_are_counted(), "a sanitizer has its own allocator"))
  func countsCommitAllocations() throws {
    func counts(_ count: Int) throws -> Int {
      let participant = AllocatingParticipant()
      participant.count = count
      let harness = WindowHarness(root: View())
      harness.loop.commitProbe = FrameProbe(count: { allocations_of_this_thread() }, observer: nil)
      harness.window.addParticipant(participant)
      harness.run(frames: 20)
      return Int(try #require(harness.loop.history.record(atAge: 0).allocations))
    }
    let (few, many) = (try counts(10), try counts(110))
    #expect(many - few == 100, "\(few), \(many)")
  }
}

@Suite("A frame's number can be decoded from its pixels")
struct FrameNumberStripeTests {
  /// Returns the pixels of a frame, drawn from its fills in order: true for white, false for black, and nil for other
  /// colors.
  private static func pixels(_ commands: [DrawCommand], width: Int, height: Int) -> [[Bool?]] {
    var rows = [[Bool?]](repeating: [Bool?](repeating: nil, count: width), count: height)
    for command in commands where command.kind == .fill {
      let area = command.destination
      for y in max(0, Int(area.y))..<max(0, min(height, Int(area.maxY))) {
        for x in max(0, Int(area.x))..<max(0, min(width, Int(area.maxX))) {
          rows[y][x] = command.color == .white ? true : command.color == Color(hex: 0x000000) ? false : nil
        }
      }
    }
    return rows
  }

  /// Decodes the number in a row of pixels, or returns nil if there is none.
  private static func number(_ row: [Bool?], cell: Int) -> Int? {
    var cells: UInt32 = 0
    for index in 0..<FrameNumberStripe.cellCount {
      guard let isWhite = row[index * cell + cell / 2] else { return nil }
      cells = cells << 1 | (isWhite ? 1 : 0)
    }
    return FrameNumberStripe(cells: cells).number
  }

  @Test("Every number decodes to itself, and numbers wrap around after the last")
  func numbers() {
    #expect((0..<FrameNumberStripe.numberCount).allSatisfy { FrameNumberStripe(number: $0).number == $0 })
    #expect(FrameNumberStripe(number: FrameNumberStripe.numberCount + 5).number == 5)
    // Written out: 10, sixteen bits, and the checksum 1 ^ 2 ^ 3 ^ 4 ^ 1010.
    #expect(FrameNumberStripe(number: 0x1234).cells == 0b10_0001_0010_0011_0100_1110)
  }

  @Test("A stripe with one wrong cell is rejected")
  func damaged() {
    for number in [0, 1, 0x8000, 0xFFFF, 0x5A5A] {
      for cell in 0..<FrameNumberStripe.cellCount {
        #expect(FrameNumberStripe(cells: FrameNumberStripe(number: number).cells ^ 1 << UInt32(cell)).number == nil)
      }
    }
    #expect(FrameNumberStripe(cells: 0).number == nil && FrameNumberStripe(cells: (1 << 22) - 1).number == nil)
  }

  @Test("Each frame shows its number at the top and at the bottom, also after a resize", arguments: [1.0, 2.0])
  func drawn(scale: Double) throws {
    let root = DiagnosticRootView(View())
    let harness = WindowHarness(
      root: root, size: Size(width: 240, height: 100), scale: DisplayScale(pixelsPerPoint: scale))
    root.showFrameNumbers(of: harness.loop)
    harness.run(frames: 20)
    harness.resize(to: Size(width: 300, height: 60))
    harness.run(frames: 20)
    let factor = Int(scale)
    #expect(harness.display.frames.count == 40)
    for (number, frame) in harness.display.frames.enumerated() {
      // The frame that applies the resize already has the new size.
      let (width, height) = number < 20 ? (240, 100) : (300, 60)
      let rows = Self.pixels(frame.commands, width: width * factor, height: height * factor)
      #expect(Self.number(rows[4 * factor], cell: 8 * factor) == number)
      #expect(Self.number(rows[(height - 4) * factor], cell: 8 * factor) == number, "frame \(number)")
    }
  }

  @Test("The stripe is not drawn by default, ignores input and requests no frames")
  func isOffByDefault() {
    let root = DiagnosticRootView(View())
    let harness = WindowHarness(root: root, size: Size(width: 240, height: 100))
    harness.run(frames: 2)
    #expect(harness.lastFrameCommands.isEmpty)
    root.showFrameNumbers(of: harness.loop)
    root.showFrameNumbers(of: harness.loop)
    harness.runUntilIdle()
    #expect(root.subviews.count { $0 is FrameNumberStripeView } == 1)
    #expect(!(root.hitTest(Point(x: 4, y: 4)) is FrameNumberStripeView))
    let frames = harness.display.presentedFrames
    harness.run(milliseconds: 20_000)
    #expect(harness.display.presentedFrames == frames)
  }
}
