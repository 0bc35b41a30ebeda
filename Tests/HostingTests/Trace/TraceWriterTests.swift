import FramePacing
import Foundation
import Geometry
import ImagePipeline
import TestSupport
import Testing

@testable import Hosting

@Suite("A trace shows frames and decodes on tracks of their own")
struct TraceWriterTests {
  private let timeline = TraceTimeline(version: "1.2.3", interval: .milliseconds(10))

  private func decode(
    worker: Int, from began: Double, to ended: Double, failure: ImageFailure? = nil
  ) throws -> DecodeSpan {
    DecodeSpan(
      place: DecodeSpan.Place(worker: worker, thread: 70 + Int32(worker), process: 80, isDrawingThread: false),
      key: ImageKey(source: 1, size: try #require(PixelSize(width: 30, height: 20))),
      source: .file(path: Array("/a/b \"c\".jpg".utf8)),
      rung: .full, began: .zero + .milliseconds(began), ended: .zero + .milliseconds(ended), failure: failure)
  }

  private func lines(_ events: [TraceEvent]) -> [String] {
    events.map { event in
      var text = TraceText()
      event.write(to: &text)
      return String(decoding: text.bytes, as: UTF8.self)
    }
  }

  @Test("A decode stands on its worker's track, with its thread, its process and its file")
  func decode() throws {
    #expect(
      lines([timeline.event(of: try decode(worker: 2, from: 1, to: 3.5))]) == [
        #"{"name":"b \"c\".jpg","ph":"X","ts":1000.000,"dur":2500.000,"pid":1,"tid":12,"args":{"width":30,"height":20,"#
          + #""rung":"full","thread":72,"on_render_thread":false,"process":80}}"#
      ])
    let failed = lines([timeline.event(of: try decode(worker: 0, from: 1, to: 2, failure: .notAFile))])
    #expect(failed[0].contains(#""cname":"bad""#) && failed[0].contains(#""failure":""#))
  }

  @Test("A frame that was late says so, why and by how much, in the colour for it")
  func lateFrame() {
    let record = RunReportTests.record(4, hitchMs: 2.5)
    let late = lines(timeline.events(of: record, lastShown: nil)).filter { $0.contains(#""tid":3"#) }
    #expect(
      late == [
        #"{"name":"frame 4: commitLate","ph":"X","ts":40000.000,"dur":12500.000,"pid":1,"tid":3,"cname":"bad","args":"#
          + #"{"frame":4,"class":"commitLate","hitch_ms":2.500,"overrun_ms":-7.200,"tracked":true}}"#
      ])
    let inTime = lines(timeline.events(of: RunReportTests.record(4), lastShown: nil))
    #expect(inTime.contains { $0.contains(#""name":"frame 4","ph":"X""#) && $0.contains(#""cname":"good""#) })
    let hopeless = lines(timeline.events(of: RunReportTests.record(4, hitchMs: 11), lastShown: nil))
    #expect(hopeless.contains { $0.contains(#""cname":"terrible""#) })
  }

  @Test("The file is JSON, no two events of a track overlap but where one holds the other, and all phases are there")
  func whole() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "trace.json")
    // The first is shown so late that the next has begun.
    let history = RunReportTests.history(
      [RunReportTests.record(0, hitchMs: 7)] + (1..<50).map { RunReportTests.record($0, hitchMs: $0 % 7 == 0 ? 4 : 0) })
    let decodes = try (0..<20).map { try decode(worker: $0 % 2, from: Double($0 / 2) * 5, to: Double($0 / 2) * 5 + 5) }
    try TraceWriter(destination: path.path).write(timeline, history, decodes)
    let file = try JSONDecoder().decode(ReadTrace.self, from: Data(contentsOf: path))
    #expect(file.traceEvents.count { $0.ph == "X" && $0.tid == 1 } == 50 * 10)
    #expect(file.traceEvents.count { $0.ph == "X" && $0.tid == 2 } == 50)
    #expect(file.traceEvents.count { $0.ph == "X" && $0.tid == 10 } == 10)
    #expect(
      file.trackNames == [1: "main", 2: "Expected timeline", 3: "Actual timeline", 10: "decode 0", 11: "decode 1"])
    #expect(file.overlaps == [])
  }

  @Test("A run without frames is a trace without events")
  func empty() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: path) }
    try TraceWriter(destination: path.path).write(timeline, FrameHistory(), [])
    let file = try JSONDecoder().decode(ReadTrace.self, from: Data(contentsOf: path))
    #expect(file.traceEvents.allSatisfy { $0.ph == "M" })
  }
}
