import Geometry
import ImagePipeline
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite("Lists of pictures on the web")
struct ManifestReaderTests {
  private let base = RemoteURL("https://example.org/lists/all.json")

  private func read(_ text: String) throws -> Manifest { try ManifestReader.read(Array(text.utf8), base: base) }

  @Test("an entry is read with all that it tells")
  func whole() throws {
    let manifest = try read(
      """
      {"version": 1, "items": [
        {"id": "a", "url": "../a.jpg", "title": "Ålesund", "width": 4000, "height": 3000, "date": "2021-06-07T09:08:07+02:00",
         "likes": 12, "tags": ["x"]},
        {"id": 7, "url": "http://b/c%20d.png?x=1"},
        {"url": "/e/", "title": null, "date": 86400, "width": 10.0, "height": 20}
      ]}
      """)
    #expect(manifest.flaws.isEmpty && manifest.items.count == 3)
    let first = manifest.items[0]
    #expect(first.id == "a" && first.address == "https://example.org/a.jpg" && first.title == "Ålesund")
    #expect(
      first.size == PixelSize(width: 4000, height: 3000) && first.likes == 12 && first.captureTime == 1_623_056_887)
    #expect(manifest.items[1].id == "7" && manifest.items[1].title == "c%20d.png" && manifest.items[1].size == nil)
    #expect(manifest.items[2].id == "https://example.org/e/" && manifest.items[2].title == "e")
    #expect(manifest.items[2].captureTime == 86_400 && manifest.items[2].size == PixelSize(width: 10, height: 20))
    #expect(manifest.items[2].url?.text == manifest.items[2].address)
  }

  @Test("a public server may not name this machine or its network; who is near may, and so may a file")
  func nearAddresses() throws {
    let text = """
      {"items": [{"url": "a.jpg"}, {"url": "http://192.168.1.1/reboot"}, {"url": "http://0x7f.1/"}, {"url": "//printer/x"},
        {"url": "https://nas.local/b.jpg"}, {"url": "http://[::1]:631/"}, {"url": "http://other.example/c.jpg"}]}
      """
    let manifest = try ManifestReader.read(Array(text.utf8), base: base, isFromPublicServer: true)
    #expect(manifest.items.map(\.title) == ["a.jpg", "c.jpg"])
    #expect(manifest.flaws == [.privateAddress: 5] && manifest.excludedCount == 5)
    #expect(try read(text).items.count == 7 && ManifestReader.read(Array(text.utf8)).flaws == [.noAddress: 2])
  }

  @Test("what is wrong with an entry costs that entry, or the part, and is counted")
  func flaws() throws {
    let manifest = try read(
      """
      {"items": [
        null, 3, "x", [], {}, {"url": 5}, {"url": "file:///etc/passwd"}, {"url": "http://a b/"},
        {"id": "a", "url": "a"}, {"id": "a", "url": "b"}, {"id": 1, "url": "c"}, {"id": "1", "url": "d"},
        {"id": "s1", "url": "a", "width": 0, "height": 4}, {"id": "s2", "url": "a", "width": 4},
        {"id": "s3", "url": "a", "width": 1e300, "height": 4}, {"id": "s4", "url": "a", "width": "NaN", "height": -1},
        {"id": "s5", "url": "a", "width": 9999999999, "height": 9999999999},
        {"id": "d1", "url": "a", "date": "yesterday"}, {"id": "d2", "url": "a", "date": 1e18},
        {"id": "l1", "url": "a", "likes": -1}, {"id": "l2", "url": "a", "likes": 1.5}, {"id": "l3", "url": "a", "likes": {}}
      ]}
      """)
    #expect(
      manifest.flaws == [
        .notAnObject: 4, .noAddress: 4, .duplicate: 2, .badSize: 5, .badDate: 2, .badLikes: 3,
      ])
    #expect(manifest.items.count == 12 && manifest.excludedCount == 10)
    #expect(manifest.items.allSatisfy { $0.size == nil && $0.captureTime == nil && $0.likes == nil })
  }

  @Test("without an address of its own a list has no relative ones")
  func withoutBase() throws {
    let text = #"{"items": [{"url": "a.jpg"}, {"url": "http://b/a.jpg"}]}"#
    let manifest = try ManifestReader.read(Array(text.utf8))
    #expect(manifest.items.map(\.address) == ["http://b/a.jpg"] && manifest.flaws == [.noAddress: 1])
  }

  @Test(
    "what is no list is said to be none",
    arguments: [
      ("", ManifestError.notJSON), ("<html>", .notJSON), ("{\"items\": [", .notJSON), ("[]", .noItems),
      ("{}", .noItems),
      ("{\"items\": 3}", .noItems), ("{\"items\": null}", .noItems), ("{\"items\": {}}", .noItems), ("7", .noItems),
      ("{\"items\": [" + String(repeating: "[", count: 10_000), .notJSON),
    ])
  func noList(text: String, error: ManifestError) { #expect(throws: error) { try read(text) } }

  @Test("an empty list is one; so is one with a mark of its byte order")
  func empty() throws {
    #expect(try read("{\"items\": []}").items.isEmpty)
    #expect(try read("\u{FEFF}{\"items\": []}").items.isEmpty)
    #expect(throws: ManifestError.tooLarge(limit: ManifestReader.maximumBytes)) {
      try ManifestReader.read([UInt8](repeating: 0x20, count: ManifestReader.maximumBytes + 1))
    }
  }

  @Test("no more entries are taken than a list may have")
  func tooMany() throws {
    let text = "{\"items\": [" + (0..<12).map { "{\"url\": \"http://a/\($0)\"}" }.joined(separator: ",") + "]}"
    let manifest = try ManifestReader.read(Array(text.utf8), base: nil, mostItems: 9)
    #expect(manifest.items.count == 9 && manifest.flaws == [.tooMany: 3] && manifest.excludedCount == 3)
  }

  @Test(
    "dates are read as they stand, whatever their offset",
    arguments: [
      ("1970-01-01", 0), ("2024-02-29T12:00", 1_709_208_000), ("2024-02-29 12:00:59.999Z", 1_709_208_059),
      ("2000-12-31T23:59:60-1130", 978_307_199), ("0001-01-01", -62_135_596_800), ("9999-12-31", 253_402_214_400),
    ])
  func dates(text: String, seconds: Int64) { #expect(ManifestDate.seconds(from: text) == seconds) }

  @Test(
    "what is no date is none",
    arguments: [
      "", "2021", "2021-13-01", "2021-00-01", "2021-02-29", "2021-04-31", "2021-01-00", "21-01-01", "2021-01-01T",
      "2021-01-01T24:00", "2021-01-01T10:60", "2021-01-01T10:10:61", "2021-01-01T10:10X", "2021-01-01T10:10+",
      "2021-1-1",
      "-021-01-01", "2021-01-01T10:10+01:0", "2021-01-01T10:10Z ", String(repeating: "2", count: 100),
    ])
  func noDates(text: String) { #expect(ManifestDate.seconds(from: text) == nil) }

  @Test("no bytes stop the program", arguments: 0..<8)
  func mutated(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let good = Array(
      """
      {"items": [{"id": "a", "url": "a.jpg", "title": "x\\u00e9\\ud83d\\ude00", "width": 4000, "height": 3e3,
      "date": "2021-06-07T09:08:07Z", "likes": 12}, {"id": 2, "url": "http://[::1]/b?c#d", "likes": null}, 7]}
      """.utf8)
    #expect(try ManifestReader.read(good, base: base).items.count == 2)
    let pieces = [
      "{", "}", "[", "]", "\"", ":", ",", "\\", "1e999", "-", "null", "\\ud800", "\u{0}", "99999999999999999999",
    ]
    var lists = 0
    for _ in 0..<400 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...30, using: &random)))
        case 2: bytes.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: place)
        default: bytes = Array(bytes.prefix(place + 1))
        }
        if bytes.isEmpty { bytes = good }
      }
      guard let manifest = try? ManifestReader.read(bytes, base: base) else { continue }
      lists += 1
      #expect(Set(manifest.items.map(\.id)).count == manifest.items.count)
      #expect(manifest.items.allSatisfy { $0.url?.text == $0.address })
    }
    #expect(lists > 20)
    for count in 0..<good.count { #expect((try? ManifestReader.read(Array(good.prefix(count)))) == nil) }
  }
}
