import Foundation
import Testing
import VitrineImageMetadata
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

  @Test("White space is skipped everywhere, and a name that only starts like that of the entries is another one")
  func whiteSpace() {
    let name = String(repeating: "items", count: 20)
    let text = "     \n{ \"\(name)\" : [ ] , \"items\" : [ {\"url\": \"a\"} , {\"url\": \"b\"} ] , \"x\" : 1 } \n"
    let result = read(Array(text.utf8))
    #expect(result.entries.map(\.address) == ["a", "b"] && result.end == ListEnd())
    #expect(read(Array("     x".utf8)).end.ending == .notJSON)
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

  @Test("Each field of an entry has its type and its bounds, and another value is a flaw or missing")
  func fields() {
    func entry(_ change: (inout ListEntry) -> Void) -> ListEntry {
      var entry = ListEntry()
      change(&entry)
      return entry
    }
    let long = String(repeating: "x", count: ListEntry.maximumTextBytes + 1)
    // One character that is longer than a title may be: its first scalars remain.
    let marks = "a" + String(repeating: "\u{301}", count: 600)
    let cases: [(json: String, expected: ListEntry)] = [
      (#"{}"#, ListEntry()),
      (#"{"id": "a", "url": "b", "title": "c"}"#, entry { ($0.id, $0.address, $0.title) = ("a", "b", "c") }),
      (#"{"id": 12, "url": 3, "title": 4}"#, entry { $0.id = "12" }),
      (#"{"id": 2.0}"#, entry { $0.id = "2" }),
      (#"{"id": 2.5}"#, ListEntry()),
      (#"{"id": "\#(long)", "url": "\#(long)"}"#, ListEntry()),
      (#"{"title": "\#(long)"}"#, entry { $0.title = String(long.prefix(ListEntry.maximumTitleBytes)) }),
      (#"{"title": "\#(marks)"}"#, entry { $0.title = "a" + String(repeating: "\u{301}", count: 511) }),
      (#"{"width": 3, "height": 4.0}"#, entry { ($0.width, $0.height) = (3, 4) }),
      (#"{"width": null, "height": null, "date": null, "likes": null}"#, ListEntry()),
      (#"{"width": 3}"#, entry { $0.flaws = .size }),
      (#"{"height": 3}"#, entry { $0.flaws = .size }),
      (#"{"width": 3, "height": 0}"#, entry { $0.flaws = .size }),
      (#"{"width": 65536, "height": 1}"#, entry { $0.flaws = .size }),
      (#"{"width": "3", "height": -1}"#, entry { $0.flaws = .size }),
      (#"{"date": "1970-01-02"}"#, entry { $0.date = 86_400 }),
      (#"{"date": -62167219200}"#, entry { $0.date = -62_167_219_200 }),
      (#"{"date": -62167219201}"#, entry { $0.flaws = .date }),
      (#"{"date": 1e300}"#, entry { $0.flaws = .date }),
      (#"{"date": "soon", "likes": "many"}"#, entry { $0.flaws = [.date, .likes] }),
      (#"{"likes": 7}"#, entry { $0.likes = 7 }),
      (#"{"likes": -7}"#, entry { $0.flaws = .likes }),
    ]
    for (json, expected) in cases { #expect(read(list([json])).entries == [expected], "\(json.prefix(80))") }
  }

  @Test("What is written as JSON is read, in parts of any size", arguments: 0..<4)
  func written(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    func text() -> String? {
      guard Bool.random(using: &random) else { return nil }
      let scalars: [Unicode.Scalar] = ["a", "\"", "\\", "{", "}", "[", "]", ",", "é", "\u{1F600}", "\n", "\0", "/"]
      return String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0...20, using: &random)).map { _ in scalars.randomElement(using: &random) ?? "a" }))
    }
    func number(_ range: ClosedRange<Int64>) -> Int64? {
      Bool.random(using: &random) ? .random(in: range, using: &random) : nil
    }
    for _ in 0..<20 {
      var entries: [ListEntry] = []
      var texts: [String] = []
      for _ in 0..<Int.random(in: 0...90, using: &random) {
        var entry = ListEntry()
        (entry.id, entry.address, entry.title) = (text(), text(), text())
        if let width = number(1...65_535) { (entry.width, entry.height) = (UInt16(width), 9) }
        (entry.date, entry.likes) = (number(ListEntry.dates), number(0...1 << 50))
        entries.append(entry)
        var object: [String: Any] = [:]
        object["id"] = entry.id
        object["url"] = entry.address
        object["title"] = entry.title
        object["width"] = entry.width.map { Int($0) }
        object["height"] = entry.height.map { Int($0) }
        object["date"] = entry.date
        object["likes"] = entry.likes
        texts.append(String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self))
      }
      let result = read(list(texts), parts: Int.random(in: 1...300, using: &random))
      #expect(result.entries == entries && result.end == ListEnd())
    }
  }

  @Test("A date is that of the calendar, in each notation", arguments: 0..<4)
  func randomDates(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    func digits(_ number: Int, _ count: Int = 2) -> String {
      String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
    }
    for _ in 0..<300 {
      let seconds = Int64.random(in: ListEntry.dates, using: &random)
      let days = CalendarMonth.flooredQuotient(seconds, 86_400)
      let (month, day) = CalendarMonth.date(daysSince1970: days)
      let time = Int(seconds - days * 86_400)
      let date = "\(digits(month.year, 4))-\(digits(month.month))-\(digits(day))"
      let minutes = "\(digits(time / 3_600)):\(digits(time / 60 % 60))"
      let separator = ["T", " "].randomElement(using: &random) ?? "T"
      let fraction = ["", ".", ".5", ".123456"].randomElement(using: &random) ?? ""
      let offset = ["", "Z", "+02", "-1130", "+05:30"].randomElement(using: &random) ?? ""
      #expect(ListDate.seconds(from: date) == days * 86_400)
      #expect(ListDate.seconds(from: date + separator + minutes + offset) == days * 86_400 + Int64(time / 60 * 60))
      let whole = date + separator + minutes + ":\(digits(time % 60))" + fraction + offset
      #expect(ListDate.seconds(from: whole) == seconds, "\(whole)")
      #expect(ListDate.seconds(from: Int(seconds)) == seconds)
      #expect(ListDate.seconds(from: whole + "x") == nil)
    }
  }
}
