import FramePacing
import Foundation
import TestSupport
import Testing

@testable import Hosting

@Suite("A recording is read whole or refused in one line")
struct RecordingReaderTests {
  /// A recording of some of everything.
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

  /// The refusal of bytes; nothing where they are a recording.
  private func refusal(_ data: Data) -> String? {
    do throws(UsageError) {
      _ = try read(data)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("What is written is read back")
  func identity() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let recording = Self.recording(seed: seed)
      #expect(try read(RecordingWriter.bytes(of: recording)) == recording)
    }
  }

  @Test("One that is cut off anywhere is refused in a line that names the file")
  func truncated() throws {
    let data = try RecordingWriter.bytes(of: Self.recording())
    // Without the last line feed it is whole.
    for count in 0..<data.count - 1 {
      let line = try #require(refusal(data.prefix(count)), "\(count) of \(data.count) bytes")
      #expect(line.hasPrefix("--replay r: ") && !line.contains("\n"))
    }
    #expect(refusal(data.dropLast()) == nil)
  }

  @Test(
    "Bytes that are others are refused or make another recording, and never a trap",
    arguments: 1...4 as ClosedRange<UInt64>)
  func spoilt(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let data = try RecordingWriter.bytes(of: Self.recording(seed: seed))
    for _ in 0..<150 {
      var spoilt = data
      for _ in 0...Int.random(in: 0...3, using: &random) {
        spoilt[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let line = refusal(spoilt) { #expect(line.hasPrefix("--replay r: ")) }
    }
  }

  @Test("Lines that are missing, doubled, out of their place or of another format are refused")
  func disordered() throws {
    let lines = try RecordingWriter.bytes(of: Self.recording()).split(separator: UInt8(ascii: "\n")).map { Data($0) }
    func joined(_ lines: [Data]) -> Data { Data(lines.joined(separator: Data("\n".utf8))) }
    for place in lines.indices {
      var fewer = lines
      fewer.remove(at: place)
      #expect(refusal(joined(fewer)) != nil)
      #expect(refusal(joined(Array(lines[...place] + lines[place...]))) != nil)
    }
    #expect(refusal(joined(lines.reversed())) != nil)
    #expect(refusal(joined(lines + lines)) != nil)
    var handless = Self.recording()
    handless.header.isHeadless = true
    let line = try refusal(RecordingWriter.bytes(of: handless))
    #expect(line == "--replay r: line 7 is none of a recording, or is cut off")
    var later = Self.recording()
    later.header.format = 2
    #expect(
      try refusal(RecordingWriter.bytes(of: later)) == "--replay r: a recording of format 2; format 1 is accepted")
  }

  @Test(
    "Options that would write, read or end anything are none that a recording keeps",
    arguments: [
      "--report", "--trace", "--trace-hitch", "--frame-log", "--screenshot", "--record", "--replay", "--verdicts",
      "--help", "--cache-dir", "x",
    ])
  func options(name: String) throws {
    let data = try RecordingWriter.bytes(of: Self.recording(options: [ParsedOption(name, "/tmp/x")]))
    #expect(refusal(data) == "--replay r: \(name) is no setting that a recording keeps")
  }

  @Test("What can be no file is refused")
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
        try refusal(RecordingWriter.bytes(of: recording))
          == "--replay r: line 2 is none of a recording, or is cut off")
    }
    #expect(RecordedFile(path: "a", bytes: 1, modified: 1, width: nil, height: nil, taken: .max).taken == nil)
  }

  @Test("A folder and what is not there are refused")
  func noFile() {
    for path in ["/", "/dev/null", "/nowhere/at/all"] {
      #expect(throws: UsageError.self) { try RecordingReader.read(path) }
    }
  }
}
