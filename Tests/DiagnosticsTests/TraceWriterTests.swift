import Foundation
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("A trace shows frames and decodes on separate tracks, and the flows between them")
struct TraceWriterTests {
  private let timeline = TraceTimeline(version: "1.2.3", interval: .milliseconds(10))

  private func at(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  private func decode(
    _ number: UInt64 = 1, worker: Int, from began: Double, to ended: Double, failure: ImageFailure? = nil
  ) throws -> DecodeSpan {
    var span = DecodeSpan(
      context: DecodeSpan.ExecutionContext(
        worker: worker, thread: 70 + Int32(worker), process: 80, isDrawingThread: false),
      key: ImageKey(source: 1, size: try #require(PixelSize(width: 30, height: 20))),
      source: .file(path: Array("/a/b \"c\".jpg".utf8)),
      representation: .full, start: at(began), end: at(ended), failure: failure)
    span.number = number
    return span
  }

  private func lines(_ events: [TraceEvent]) -> [String] {
    events.map { event in
      var text = TraceJSONWriter()
      event.write(to: &text)
      return String(decoding: text.bytes, as: UTF8.self)
    }
  }

  /// Writes a trace to a file and parses the file.
  private func written(_ snapshot: TraceSnapshot) throws -> TraceChecker {
    let path = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: path) }
    try TraceWriter(destination: path.path).write(snapshot)
    return try TraceChecker(Data(contentsOf: path))
  }

  private func snapshot(_ records: [FrameRecord] = []) -> TraceSnapshot {
    TraceSnapshot(version: "1.2.3", interval: .milliseconds(10), records: records)
  }

  @Test("A decode is on its worker's track, with its thread and process, and as an asynchronous pair with its result")
  func decode() throws {
    var imageEvents = TraceImageEvents()
    #expect(
      lines(imageEvents.events(of: try decode(4, worker: 2, from: 1, to: 3.5))) == [
        #"{"name":"b \"c\".jpg","ph":"X","ts":1000.000,"dur":2500.000,"pid":1,"tid":12,"args":"#
          + #"{"thread":72,"on_render_thread":false,"process":80}}"#,
        #"{"name":"decode","ph":"b","cat":"decode","id":4,"ts":1000.000,"pid":1,"tid":12,"args":"#
          + #"{"picture":"b \"c\".jpg","width":30,"height":20,"representation":"full"}}"#,
        #"{"name":"decode","ph":"e","cat":"decode","id":4,"ts":3500.000,"pid":1,"tid":12}"#,
      ])
    let failed = lines(imageEvents.events(of: try decode(5, worker: 0, from: 1, to: 2, failure: .notAFile)))
    #expect(failed[0].contains(#""cname":"bad""#) && failed[1].contains(#""failure":""#))
  }

  @Test("A flow leads from a decode to the upload of its bitmap, unless its origin is unknown")
  func flow() throws {
    var imageEvents = TraceImageEvents()
    _ = imageEvents.events(of: try decode(4, worker: 2, from: 1, to: 3.5))
    let upload = UploadSpan(bitmapNumber: 4, start: at(20), end: at(20.25), bytes: 2_400)
    #expect(
      lines(imageEvents.events(of: upload)) == [
        #"{"name":"b \"c\".jpg","ph":"X","ts":20000.000,"dur":250.000,"pid":1,"tid":1,"args":{"bytes":2400}}"#,
        #"{"name":"picture","ph":"s","cat":"picture","id":1,"ts":3499.999,"pid":1,"tid":12}"#,
        #"{"name":"picture","ph":"f","cat":"picture","id":1,"ts":20000.000,"bp":"e","pid":1,"tid":1}"#,
      ])
    for (number, began) in [(0, 20.0), (9, 20), (4, 2)] {
      let other = UploadSpan(bitmapNumber: UInt64(number), start: at(began), end: at(began), bytes: 4)
      #expect(imageEvents.events(of: other).count == 1)
    }
    // Uploaded again after the first texture was evicted.
    #expect(lines(imageEvents.events(of: upload)).last?.contains(#""id":2"#) == true)
  }

  @Test("A decode on the render thread is nested in the frame that it delayed")
  func renderThreadDecode() throws {
    var snapshot = snapshot((0..<3).map { RunReportTests.record($0) })
    // In the fifth phase, from 1.0 to 1.5 ms.
    snapshot.decodes = [try decode(1, worker: 0, from: 11.1, to: 11.4), try decode(2, worker: 1, from: 11.2, to: 13)]
    snapshot.decodes[0].context.isDrawingThread = true
    snapshot.decodes[0].source = nil
    snapshot.uploads = [UploadSpan(bitmapNumber: 1, start: at(21.6), end: at(21.7), bytes: 4)]
    var imageEvents = TraceImageEvents()
    let line = try #require(lines(imageEvents.events(of: snapshot.decodes[0])).first)
    #expect(line.hasPrefix(#"{"name":"picture 1","ph":"X","ts":11100.000,"dur":300.000,"pid":1,"tid":1,"#))
    #expect(line.contains(#""on_render_thread":true"#))
    let checker = try written(snapshot)
    #expect(checker.faults == [] && checker.decodes == 2 && checker.flows == 1)
    #expect(checker.trackNames[10] == "decode 0" && checker.trackNames[11] == "decode 1")
    snapshot.decodes.removeLast()
    #expect(try written(snapshot).trackNames[10] == nil)
  }

  @Test("Overlapping decodes of a worker still make a valid track, and the asynchronous pairs have the true times")
  func overlap() throws {
    var snapshot = snapshot([RunReportTests.record(0)])
    snapshot.decodes = [
      try decode(1, worker: 0, from: 0, to: 4), try decode(2, worker: 0, from: 2, to: 6),
      try decode(3, worker: 0, from: 2, to: 6), try decode(4, worker: 1, from: 5, to: 5),
      try decode(5, worker: 0, from: 1, to: 9),
    ]
    snapshot.uploads = (1...5).map { UploadSpan(bitmapNumber: $0, start: at(9), end: at(9), bytes: 4) }
    let checker = try written(snapshot)
    #expect(checker.faults == [] && checker.decodes == 5 && checker.flows == 5)
  }

  @Test("A late frame has its cause, its delay and a color that marks it")
  func lateFrame() {
    let record = RunReportTests.record(4, hitchMs: 2.5)
    let late = lines(timeline.events(of: record, after: nil)).filter { $0.contains(#""tid":3"#) }
    #expect(
      late == [
        #"{"name":"frame 4: commitLate","ph":"X","ts":40000.000,"dur":12500.000,"pid":1,"tid":3,"cname":"bad","args":"#
          + #"{"frame":4,"class":"commitLate","hitch_ms":2.500,"overrun_ms":-7.200,"tracked":true,"#
          + #""cause":"\#(record.cause ?? "")"}}"#
      ])
    #expect(record.cause?.isEmpty == false)
    let inTime = lines(timeline.events(of: RunReportTests.record(4), after: nil))
    #expect(inTime.contains { $0.contains(#""name":"frame 4","ph":"X""#) && $0.contains(#""cname":"good""#) })
    #expect(!inTime.contains { $0.contains("cause") })
    let veryLate = lines(timeline.events(of: RunReportTests.record(4, hitchMs: 11), after: nil))
    #expect(veryLate.contains { $0.contains(#""cname":"terrible""#) })
  }

  @Test("An expected frame never overlaps the previous one, even if the frame grid has moved")
  func movedGrid() throws {
    var records = (0..<4).map { RunReportTests.record($0) }
    // The frame starts 4 ms after the previous target, instead of 10 ms.
    for index in 2..<4 { records[index].target = records[index].target - .milliseconds(6) }
    let checker = try written(snapshot(records))
    #expect(checker.faults == [] && checker.frames == 4)
  }

  @Test("The file is valid and contains all frames, phases, hitches, decodes, flows and counters")
  func completeFile() throws {
    // The first frame is shown so late that the next one has started.
    var records = [RunReportTests.record(0, hitchMs: 7)]
    for index in 1..<50 {
      let hitchClass: HitchClass = index % 2 == 0 ? .external : .commitLate
      records.append(RunReportTests.record(index, hitchMs: index % 7 == 0 ? 4 : 0, class: hitchClass))
    }
    var snapshot = snapshot(records)
    for index in 0..<20 {
      let began = Double(index / 2) * 5
      snapshot.decodes.append(try decode(UInt64(index + 1), worker: index % 2, from: began, to: began + 5))
    }
    // Each is in the upload phase of a frame, the sixth, which takes 0.6 ms after 1.5 ms.
    for number in 1...20 {
      let began = at(Double(number) * 10 + 201.6)
      snapshot.uploads.append(
        UploadSpan(bitmapNumber: UInt64(number), start: began, end: began + .microseconds(300), bytes: 4_000))
    }
    snapshot.samples = (0..<5).map {
      TraceSample(instant: at(Double($0) * 100), visibleCells: 20, cellsWithoutImage: $0)
    }
    let checker = try written(snapshot)
    #expect(checker.faults == [])
    #expect(checker.frames == 50)
    #expect(checker.decodes == 20 && checker.flows == 20)
    #expect(checker.hitches == ["commitLate": 5, "external": 3])
    #expect(checker.counters["cells on screen"] == 5 && checker.counters["decode queue"] == 1)
    #expect(
      checker.trackNames == [1: "main", 2: "Expected timeline", 3: "Actual timeline", 10: "decode 0", 11: "decode 1"])
  }

  @Test("A run without frames makes a trace without events")
  func empty() throws {
    let checker = try written(snapshot())
    #expect(checker.faults == [] && checker.frames == 0 && checker.counters.isEmpty)
  }

  @Test("Ten seconds of the heaviest scrolling take at most five megabytes")
  func size() throws {
    var snapshot = snapshot()
    for frame in 0..<1_000 {
      var record = RunReportTests.record(frame, hitchMs: frame % 5 == 0 ? 3 : 0)
      record.cellsEntered = Int32(frame % 8)
      record.uploads = Int32(frame % 5)
      record.uploadedBytes = Int64(frame) << 10
      snapshot.records.append(record)
      // At least as many decodes as two cores perform.
      guard frame % 10 < 4 else { continue }
      for index in 0..<10 {
        let number = UInt64(snapshot.decodes.count + 1)
        var span = try decode(number, worker: index % 2, from: Double(frame) * 10 + Double(index), to: 0)
        span.end = span.start + .milliseconds(1)
        span.source = .file(path: Array("/photographs/IMG_20260101_\(120_000 + number).jpg".utf8))
        snapshot.decodes.append(span)
        let began = span.end + .milliseconds(20)
        snapshot.uploads.append(
          UploadSpan(bitmapNumber: number, start: began, end: began + .microseconds(9), bytes: 1 << 16))
      }
    }
    snapshot.samples = (0..<100).map {
      TraceSample(
        instant: at(Double($0) * 100), visibleCells: 99, cellsWithoutImage: $0, queued: $0, bitmapBytes: $0 << 20)
    }
    let path = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: path) }
    try TraceWriter(destination: path.path).write(snapshot)
    let size = try #require(try path.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    #expect(size > 2_000_000 && size <= 5_000_000, "\(size)")
  }
}
