import Testing
import VitrineReadingProtocol
import VitrineTestSupport

@testable import VitrineReadingService

@Suite("Lists that arrive in parts")
struct ListReaderTests {
  /// Reads a list that arrives in parts of the given size.
  private func read(
    _ bytes: [UInt8], parts: Int = .max, maximumEntries: Int = 1_000
  ) -> (entries: [ListEntry], end: ListEnd, batches: Int) {
    var reader = ListReader(maximumEntries: maximumEntries)
    var (entries, batches): ([ListEntry], Int) = ([], 0)
    func add(_ batch: ListBatch) {
      #expect(batch.bytes(id: 5).count <= ReadingLaunch.maximumPacketBytes)
      #expect(batch.bytes(id: 5).withUnsafeBytes { ListBatch($0, id: 5) } == batch)
      entries += batch.entries
      batches += 1
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(parts))
      rest = rest.dropFirst(part.count)
      part.withUnsafeBytes { reader.read($0, onBatch: add) }
    }
    let end = reader.finish(onBatch: add)
    return (entries, end, batches)
  }

  private func list(_ entries: [String], before: String = "", after: String = "") -> [UInt8] {
    Array("{\(before)\"items\": [\(entries.joined(separator: ", "))]\(after)}".utf8)
  }

  @Test("Other members are skipped, whatever they contain, and parts make no difference")
  func members() {
    let bytes = list(
      [#"{"url": "a]}", "id": "\"x,"}"#, #"{"url": "b", "tags": [{"y": "]"}]}"#, "[1, [2]]", "7"],
      before: #"  "items2": {"items": [9]}, "x": "},\"items\": [", "y": [[], {}], "#,
      after: #", "z": null, "items": 3 "#)
    let whole = read(bytes)
    #expect(whole.entries.map(\.address) == ["a]}", "b"] && whole.entries[0].id == "\"x,")
    #expect(whole.end.ending == .complete && whole.end.notObjects == 2)
    for parts in 1...9 {
      let result = read(bytes, parts: parts)
      #expect(result.entries == whole.entries && result.end == whole.end)
    }
    for count in 0..<bytes.count { #expect(read(Array(bytes.prefix(count))).end.ending != .complete) }
  }

  @Test("Entries before bytes that are no JSON are read", arguments: ["{", "{\"url\": }", "tru", "}", "1 2", ""])
  func broken(entry: String) {
    let valid = (0..<100).map { #"{"url": "\#($0)"}"# }
    let result = read(list(valid + [entry] + valid))
    #expect(result.entries.map(\.address) == (0..<100).map(String.init) && result.end.ending == .notJSON)
    #expect(result.batches == 2)
  }

  @Test("Bytes after the list are no JSON", arguments: ["x", "{}", "\0"])
  func trailing(text: String) {
    #expect(read(list([#"{"url": "a"}"#]) + Array(text.utf8)).end.ending == .notJSON)
    #expect(read(list([#"{"url": "a"}"#]) + Array(" \n\t\r".utf8)).end.ending == .complete)
  }

  @Test("An entry that is too long is counted, and the others are read")
  func tooLong() {
    let long = #"{"url": "a", "text": "\#(String(repeating: "x", count: ListScanner.maximumEntryBytes))"}"#
    let result = read(list([#"{"url": "b"}"#, long, #"{"url": "c"}"#]), parts: 10_000)
    #expect(result.entries.map(\.address) == ["b", "c"] && result.end.tooLong == 1 && result.end.ending == .complete)
  }

  @Test("Entries beyond the maximum are counted, without being decoded")
  func surplus() {
    let result = read(list(Array(repeating: #"{"url": "a"}"#, count: 6) + ["{}x"]), maximumEntries: 4)
    #expect(result.entries.count == 4 && result.end.surplus == 3 && result.end.ending == .complete)
  }

  @Test("Batches are small at first, and never longer than a packet")
  func batches() {
    let short = read(list((0..<1_000).map { #"{"url": "\#($0)"}"# }))
    #expect(short.entries.count == 1_000 && short.batches == 5)
    let text = String(repeating: "é", count: ListEntry.maximumTextBytes / 2)
    let long = read(list((0..<100).map { #"{"id": \#($0), "url": "\#(text)"}"# }))
    #expect(long.entries.count == 100 && long.entries.allSatisfy { $0.address == text })
    // A longer address counts as missing.
    #expect(read(list([#"{"url": "\#(text)x"}"#])).entries.first?.address == nil)
  }

  @Test("Any bytes in any parts are read, and valid entries before the first change stay", arguments: 0..<8)
  func mutated(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let valid = list((0..<80).map { #"{"id": \#($0), "url": "a", "title": "\u00e9\\", "width": 3, "height": 4}"# })
    let start = valid.count / 2
    for _ in 0..<60 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: start..<bytes.count, using: &random)
        let piece = Array("{}[]\",:\\\0x".utf8).randomElement(using: &random) ?? 0
        if Bool.random(using: &random) { bytes[index] = piece } else { bytes.insert(piece, at: index) }
      }
      let result = read(bytes, parts: Int.random(in: 1...200, using: &random))
      #expect(result.entries.prefix(35).compactMap(\.id) == (0..<35).map(String.init))
    }
  }

  @Test(
    "Dates are read as written, and their offset is ignored",
    arguments: [
      ("1970-01-01", 0), ("2024-02-29T12:00", 1_709_208_000), ("2024-02-29 12:00:59.999Z", 1_709_208_059),
      ("2000-12-31T23:59:60-1130", 978_307_199), ("0001-01-01", -62_135_596_800), ("9999-12-31", 253_402_214_400),
    ])
  func dates(text: String, seconds: Int64) { #expect(ListDate.seconds(from: text) == seconds) }

  @Test(
    "An invalid date is nil",
    arguments: [
      "", "2021", "2021-13-01", "2021-00-01", "2021-02-29", "2021-04-31", "2021-01-00", "21-01-01", "2021-01-01T",
      "2021-01-01T24:00", "2021-01-01T10:60", "2021-01-01T10:10:61", "2021-01-01T10:10X", "2021-01-01T10:10+",
      "2021-1-1",
      "-021-01-01", "2021-01-01T10:10+01:0", "2021-01-01T10:10Z ", String(repeating: "2", count: 100),
    ])
  func invalidDates(text: String) { #expect(ListDate.seconds(from: text) == nil) }

}
