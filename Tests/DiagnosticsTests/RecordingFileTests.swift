import Foundation
import Testing
import VitrineFramePacing
import VitrineTestSupport

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("A recording is read completely or rejected in one line")
struct RecordingFileTests {
  /// Returns a recording with entries of every kind.
  static func recording(
    seed: UInt64 = 1, options: [ParsedOption] = [ParsedOption("--seed", "3"), ParsedOption("--reduce-motion")],
    program: String = "test"
  ) -> Recording {
    var input = RandomInput(seed: seed)
    let files = (0..<5).map {
      RecordedFile(
        path: "a/%FF\($0).jpg", bytes: 10, modified: 20, width: $0 > 2 ? nil : 4, height: $0 > 2 ? nil : 3,
        taken: $0 > 3 ? 77 : nil)
    }
    let events = (0..<12).map { _ in input.event() }
    let arrivals = [
      RecordedArrival(
        item: "a/%FF0.jpg", rung: "full", width: 160, height: 120, ns: 5, frame: nil, isStored: false, hasFailed: true)
    ]
    return Recording(
      header: RecordingHeader(
        program: program, version: "1", clock: "virtual", isHeadless: false, scale: 1, options: options, script: nil,
        countsFrames: false, operands: ["a"], workingFolder: "/", wanted: nil, listsFiles: true),
      files: files, events: events, arrivals: arrivals,
      end: RecordingEnd(ns: 7, frames: 8, files: 5, events: 12, arrivals: 1, frameDigest: "0123456789abcdef"))
  }

  private func read(_ data: Data) throws(UsageError) -> Recording {
    try RecordingReader.recording(in: data, of: "r")
  }

  /// Returns the error for the given data, or nil if it is a recording.
  private func errorDescription(_ data: Data) -> String? {
    do throws(UsageError) {
      _ = try read(data)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("A recording is read as it was written")
  func roundTrips() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let recording = Self.recording(seed: seed)
      #expect(try read(RecordingWriter.bytes(of: recording)) == recording)
    }
  }

  @Test("A truncated recording is rejected in a line that contains the file's name")
  func truncated() throws {
    let data = try RecordingWriter.bytes(of: Self.recording())
    // Without the last line feed the recording is complete.
    for count in 0..<data.count - 1 {
      let line = try #require(errorDescription(data.prefix(count)), "\(count) of \(data.count) bytes")
      #expect(line.hasPrefix("--replay r: ") && !line.contains("\n"))
    }
    #expect(errorDescription(data.dropLast()) == nil)
  }

  @Test(
    "Corrupted bytes are rejected or make another recording, and never trap",
    arguments: 1...4 as ClosedRange<UInt64>)
  func corrupted(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let data = try RecordingWriter.bytes(of: Self.recording(seed: seed))
    for _ in 0..<150 {
      var corrupted = data
      for _ in 0...Int.random(in: 0...3, using: &random) {
        corrupted[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let line = errorDescription(corrupted) { #expect(line.hasPrefix("--replay r: ")) }
    }
  }

  @Test("Lines that are missing, duplicated or out of order, and other formats, are rejected")
  func disordered() throws {
    let lines = try RecordingWriter.bytes(of: Self.recording()).split(separator: UInt8(ascii: "\n")).map { Data($0) }
    func joined(_ lines: [Data]) -> Data { Data(lines.joined(separator: Data("\n".utf8))) }
    for index in lines.indices {
      var fewer = lines
      fewer.remove(at: index)
      #expect(errorDescription(joined(fewer)) != nil)
      #expect(errorDescription(joined(Array(lines[...index] + lines[index...]))) != nil)
    }
    #expect(errorDescription(joined(lines.reversed())) != nil)
    #expect(errorDescription(joined(lines + lines)) != nil)
    var headless = Self.recording()
    headless.header.isHeadless = true
    let line = try errorDescription(RecordingWriter.bytes(of: headless))
    #expect(line == "--replay r: line 7 is none of a recording, or is cut off")
    var newer = Self.recording()
    newer.header.format = 3
    #expect(
      try errorDescription(RecordingWriter.bytes(of: newer))
        == "--replay r: a recording of format 3; formats 1 to 2 are accepted")
  }

  @Test(
    "Options that would write, read or end anything are rejected in a recording",
    arguments: [
      "--report", "--trace", "--trace-hitch", "--frame-log", "--screenshot", "--record", "--replay", "--verdicts",
      "--help", "--cache-dir", "x",
    ])
  func options(name: String) throws {
    let data = try RecordingWriter.bytes(of: Self.recording(options: [ParsedOption(name, "/tmp/x")]))
    #expect(errorDescription(data) == "--replay r: \(name) cannot be recorded")
  }

  @Test("Invalid files are rejected")
  func files() throws {
    let one = RecordedFile(path: "a", bytes: 1, modified: .min, width: 1, height: 1, taken: nil)
    #expect(one.isValid)
    for path in ["", "%", "%0", "a%00b", "a/", String(repeating: "a", count: 2_000)] {
      var file = one
      file.path = path
      #expect(!file.isValid, "\(path)")
    }
    let wrong: [(inout RecordedFile) -> Void] = [
      { $0.bytes = -1 }, { $0.width = nil }, { $0.height = 0 }, { $0.taken = .max },
    ]
    for change in wrong {
      var recording = Self.recording()
      change(&recording.files[0])
      #expect(
        try errorDescription(RecordingWriter.bytes(of: recording))
          == "--replay r: line 2 is none of a recording, or is cut off")
    }
    #expect(RecordedFile(path: "a", bytes: 1, modified: 1, width: nil, height: nil, taken: .max).taken == nil)
  }

  @Test("Folders and missing files are rejected")
  func missingFiles() {
    for path in ["/", "/dev/null", "/nowhere/at/all"] {
      #expect(throws: UsageError.self) { try RecordingReader.read(path) }
    }
  }
}
