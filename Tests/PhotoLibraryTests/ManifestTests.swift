import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrineRemoteImages
import VitrineTestSupport
import VitrineThreads

@testable import VitrinePhotoLibrary
import VitrineReadingProtocol
import VitrineReadingService

// MARK: - Reading

extension ManifestReader {
  /// Reads a list without another process.
  fileprivate static func read(
    _ bytes: [UInt8], base: RemoteURL? = nil, isFromPublicServer: Bool = false, maximumEntries: Int = 1_000_000
  ) throws(ManifestError) -> Manifest {
    var list = ListReader(maximumEntries: maximumEntries)
    var manifest = ManifestReader(base: base, isFromPublicServer: isFromPublicServer)
    var items: [ManifestItem] = []
    bytes.withUnsafeBytes { list.read($0) { items += manifest.pictures(of: $0) } }
    let end = list.finish { items += manifest.pictures(of: $0) }
    return Manifest(items: items, flaws: try manifest.finish(end))
  }
}

@Suite("Reading manifests")
struct ManifestReaderTests {
  private let base = RemoteURL("https://example.org/lists/all.json")

  private func read(_ text: String) throws -> Manifest { try ManifestReader.read(Array(text.utf8), base: base) }

  @Test("All fields of an entry are read")
  func entries() throws {
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

  @Test("A long title is cut between characters", arguments: 0..<26)
  func longTitle(padding: Int) throws {
    let (start, family) = (String(repeating: "x", count: padding), Character("👨‍👩‍👧‍👦"))
    let long = start + String(repeating: family, count: 100)
    let title = try #require(try read(#"{"items": [{"url": "http://a/b.jpg", "title": "\#(long)"}]}"#).items.first)
      .title
    #expect(title == start + String(repeating: family, count: (1_024 - padding) / 25))
    let marks = "e" + String(repeating: "\u{301}", count: 1_000)
    let cut = try #require(try read(#"{"items": [{"url": "http://a/b.jpg", "title": "\#(marks)"}]}"#).items.first).title
    #expect(cut.utf8.count == 1_023 && cut.unicodeScalars.first == "e")
  }

  @Test("A manifest of a public server may not refer to private addresses, and any other manifest may")
  func privateAddresses() throws {
    let text = """
      {"items": [{"url": "a.jpg"}, {"url": "http://192.168.1.1/reboot"}, {"url": "http://0x7f.1/"}, {"url": "//printer/x"},
        {"url": "https://nas.local/b.jpg"}, {"url": "http://[::1]:631/"}, {"url": "http://other.example/c.jpg"}]}
      """
    let manifest = try ManifestReader.read(Array(text.utf8), base: base, isFromPublicServer: true)
    #expect(manifest.items.map(\.title) == ["a.jpg", "c.jpg"])
    #expect(manifest.flaws == [.privateAddress: 5] && manifest.excludedCount == 5)
    #expect(try read(text).items.count == 7 && ManifestReader.read(Array(text.utf8)).flaws == [.noAddress: 2])
  }

  @Test("An invalid entry is skipped, an invalid field is ignored, and both are counted")
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

  @Test("A manifest without a base address has no relative addresses")
  func withoutBase() throws {
    let text = #"{"items": [{"url": "a.jpg"}, {"url": "http://b/a.jpg"}]}"#
    let manifest = try ManifestReader.read(Array(text.utf8))
    #expect(manifest.items.map(\.address) == ["http://b/a.jpg"] && manifest.flaws == [.noAddress: 1])
  }

  @Test(
    "A text that is no manifest is rejected",
    arguments: [
      ("", ManifestError.notJSON(afterEntries: 0)), ("<html>", .notJSON(afterEntries: 0)),
      ("{\"items\": [", .notJSON(afterEntries: 0)), ("[]", .noItems),
      ("{}", .noItems),
      ("{\"items\": 3}", .noItems), ("{\"items\": null}", .noItems), ("{\"items\": {}}", .noItems), ("7", .noItems),
      ("{\"items\": [" + String(repeating: "[", count: 10_000), .notJSON(afterEntries: 0)),
    ])
  func invalidManifests(text: String, error: ManifestError) { #expect(throws: error) { try read(text) } }

  @Test("A manifest may be empty, and may start with a byte order mark")
  func empty() throws {
    #expect(try read("{\"items\": []}").items.isEmpty)
    #expect(try read("\u{FEFF}{\"items\": []}").items.isEmpty)
  }

  @Test("Entries beyond the maximum are counted and left out")
  func tooMany() throws {
    let text = "{\"items\": [" + (0..<12).map { "{\"url\": \"http://a/\($0)\"}" }.joined(separator: ",") + "]}"
    let manifest = try ManifestReader.read(Array(text.utf8), base: nil, maximumEntries: 9)
    #expect(manifest.items.count == 9 && manifest.flaws == [.tooMany: 3] && manifest.excludedCount == 3)
  }

  @Test("Reading arbitrary bytes does not crash", arguments: 0..<8)
  func mutated(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let validBytes = Array(
      """
      {"items": [{"id": "a", "url": "a.jpg", "title": "x\\u00e9\\ud83d\\ude00", "width": 4000, "height": 3e3,
      "date": "2021-06-07T09:08:07Z", "likes": 12}, {"id": 2, "url": "http://[::1]/b?c#d", "likes": null}, 7]}
      """.utf8)
    #expect(try ManifestReader.read(validBytes, base: base).items.count == 2)
    let pieces = [
      "{", "}", "[", "]", "\"", ":", ",", "\\", "1e999", "-", "null", "\\ud800", "\u{0}", "99999999999999999999",
    ]
    var validCount = 0
    for _ in 0..<400 {
      var bytes = validBytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...30, using: &random)))
        case 2: bytes.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: index)
        default: bytes = Array(bytes.prefix(index + 1))
        }
        if bytes.isEmpty { bytes = validBytes }
      }
      guard let manifest = try? ManifestReader.read(bytes, base: base) else { continue }
      validCount += 1
      #expect(Set(manifest.items.map(\.id)).count == manifest.items.count)
      #expect(manifest.items.allSatisfy { $0.url?.text == $0.address })
    }
    #expect(validCount > 20)
    for count in 0..<validBytes.count { #expect((try? ManifestReader.read(Array(validBytes.prefix(count)))) == nil) }
  }

  @Test("Each error is a sentence, with the number of pictures before bytes that are no JSON")
  func errors() {
    let errors: [ManifestError] = [
      .tooLarge(limit: 3 << 20), .notJSON(afterEntries: 0), .notJSON(afterEntries: 1), .notJSON(afterEntries: 2),
      .noItems,
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect(errors[0].description.contains("3 MB") && errors[2].description.hasSuffix("after 1 picture"))
    #expect(errors[3].description.hasSuffix("after 2 pictures"))
  }
}

@Suite("Manifest scans")
struct ManifestScanTests {
  private let transfers: RemoteTransfers

  init() throws {
    transfers = try RemoteTransfers(
      RemoteConfiguration(manifest: RemoteLimits(maximumBytes: 1 << 20, totalTime: .seconds(30)), seed: 1))
  }

  private func location(_ server: WebServer, _ path: String) throws -> ManifestLocation {
    try #require(try ManifestLocation.parse(Array(server.address(path).utf8)))
  }

  private func list(_ count: Int, from first: Int = 0) -> [UInt8] {
    let entries = (first..<first + count).map { #"{"id": \#($0), "url": "p/\#($0).jpg", "width": 3, "height": 2}"# }
    return Array("{\"items\": [\(entries.joined(separator: ","))]}".utf8)
  }

  private func scan(_ locations: [ManifestLocation]) throws -> ManifestScan {
    let scan = ManifestScan(locations: locations, transfers: transfers) {}
    try scan.start()
    return scan
  }

  @Test("Items are received in batches, in order, and the last event once")
  func portions() throws {
    defer { transfers.shutdown() }
    let (first, second) = (list(25), list(5, from: 100))
    let server = try WebServer { request, connection in
      connection.sendResponse(body: request.path == "/a.json" ? first : second)
    }
    defer { server.stop() }
    let scan = try scan([try location(server, "/a.json"), try location(server, "/lists/b.json")])
    var sizes: [Int] = []
    var records = ManifestRecords()
    while true {
      let events = scan.takeEvents(atMost: 10, waitsUntilRead: true)
      sizes.append(events.map { if case .entries(let items, _, _) = $0 { items.count } else { 0 } }.reduce(0, +))
      for event in events { _ = records.apply(event) }
      guard case .finished(let summary)? = events.last else { continue }
      #expect(summary.found == 30 && summary.problems == 0 && !summary.wasCancelled)
      break
    }
    #expect(sizes == [10, 10, 10] && records.count == 30)
    #expect(scan.takeEvents(atMost: 10, waitsUntilRead: true).isEmpty && !scan.hasEvents)
    let last = records.imageSource(of: PhotoID(rawValue: 30))
    #expect(last == .remote(RemoteImage(address: server.address("/lists/p/104.jpg"))))
  }

  @Test("A picture's address is a manifest of that picture, and an unreadable manifest does not stop the scan")
  func picturesAndProblems() throws {
    defer { transfers.shutdown() }
    let picture = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 600)
    let broken = Array(#"{"items": [3, {"url": "file:///x"}, {"url": "/y.jpg", "width": -1}]}"#.utf8)
    let server = try WebServer { request, connection in
      switch request.path {
      case "/a.jpg?key=1": connection.sendResponse(body: picture)
      case "/page": connection.sendResponse(body: Array("<html>".utf8))
      case "/broken": connection.sendResponse(body: broken)
      default: connection.sendResponse(404)
      }
    }
    defer { server.stop() }
    let folder = try TemporaryTree()
    let paths = [
      try folder.makeFile("list.JSON", Array(#"{"items": [{"url": "https://b/z.png"}]}"#.utf8)),
      try folder.makeFile("none.json", Array("<".utf8)),
    ]
    let files = try paths.compactMap { try ManifestLocation.parse($0.bytes) }
    #expect(files.count == 2)
    let scan = try scan(
      try ["/a.jpg?key=1", "/page", "/broken", "/missing"].map { try location(server, $0) } + files)
    var names: [String] = []
    var unread: [Int] = []
    for event in scan.takeEvents(atMost: 100, waitsUntilRead: true) {
      if case .entries(let items, _, _) = event { names += items.map(\.title) }
      if case .unread(let list) = event { unread.append(list) }
    }
    #expect(names == ["a.jpg", "y.jpg", "z.png"])
    #expect(unread == [1, 3, 5])
    let problems = scan.problems
    #expect(problems.count == 4)
    #expect(problems[0].hasPrefix(server.address("/page: the server sent a web page instead")))
    #expect(problems[1].hasSuffix("2 entries left out (1 no object, 1 no web address, 1 impossible size)"))
    #expect(problems[2].contains("no document at this address") && problems[3].hasSuffix("the list is not JSON"))
    #expect(!problems.contains { $0.contains("key=1") })
  }

  @Test("A cancelled scan ends, even if the server does not respond")
  func cancelled() throws {
    let server = try WebServer { _, connection in _ = connection.waitUntilClosed() }
    defer { server.stop() }
    let scan = try scan([try location(server, "/silent")])
    try server.waitForRequests(1)
    #expect(!scan.hasEvents && scan.takeEvents(atMost: 9, waitsUntilRead: false).isEmpty)
    scan.cancel()
    #expect(scan.hasEvents)
    guard case .finished(let summary)? = scan.takeEvents(atMost: 9, waitsUntilRead: true).last else {
      Issue.record("no end")
      return
    }
    #expect(summary.wasCancelled)
    transfers.shutdown()
  }

  @Test("Input is parsed as a web address, a manifest file, or neither")
  func parsing() throws {
    defer { transfers.shutdown() }
    let folder = try TemporaryTree()
    #expect(try ManifestLocation.parse(folder.makeFolder("x.json").bytes) == nil, "a folder is not a manifest")
    #expect(try ManifestLocation.parse(folder.path("y.json").bytes) == nil)
    #expect(try ManifestLocation.parse(Array("/".utf8)) == nil && ManifestLocation.parse([]) == nil)
    let web = try #require(try ManifestLocation.parse(Array("HTTPS://anna:secret@Example.org/a/b.json?key=1".utf8)))
    #expect(web.description == "https://example.org/a/b.json?…" && web.title == "example.org/a/b.json?…")
    for text in ["http://", "https:///x", "http://a b/"] {
      #expect(throws: ManifestLocationError(input: Array(text.utf8))) { try ManifestLocation.parse(Array(text.utf8)) }
    }
    #expect(throws: ManifestLocationError.self) { try ManifestLocation.parse(Array("http://a/".utf8) + [0xFF]) }
  }
}
