import FramePacing
import ImagePipeline
import TestSupport
import Testing
import Threads

@testable import PhotoLibrary

@Suite("Lists of pictures are read as folders are scanned")
struct ManifestScanTests {
  private let transfers: RemoteTransfers

  init() throws {
    transfers = try RemoteTransfers(
      RemoteConfiguration(manifest: RemoteLimits(mostBytes: 1 << 20, totalTime: .seconds(30)), seed: 1))
  }

  private func place(_ server: WebServer, _ path: String) throws -> ManifestLocation {
    try #require(try ManifestLocation.parse(Array(server.address(path).utf8)))
  }

  private func list(_ count: Int, from first: Int = 0) -> [UInt8] {
    let entries = (first..<first + count).map { #"{"id": \#($0), "url": "p/\#($0).jpg", "width": 3, "height": 2}"# }
    return Array("{\"items\": [\(entries.joined(separator: ","))]}".utf8)
  }

  private func scan(_ places: [ManifestLocation]) throws -> ManifestScan {
    let scan = ManifestScan(locations: places, transfers: transfers) {}
    try scan.start()
    return scan
  }

  @Test("in portions, in their order, the last event once")
  func portions() throws {
    defer { transfers.shutdown() }
    let (first, second) = (list(25), list(5, from: 100))
    let server = try WebServer { request, connection in
      connection.sendResponse(body: request.path == "/a.json" ? first : second)
    }
    defer { server.stop() }
    let scan = try scan([try place(server, "/a.json"), try place(server, "/lists/b.json")])
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
    #expect(last == .remote(RemoteRequest(try #require(RemoteURL(server.address("/lists/p/104.jpg"))))))
  }

  @Test("a picture's address is a list of that picture; what cannot be read is a problem, and no reason to stop")
  func otherPlaces() throws {
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
      try folder.file("list.JSON", Array(#"{"items": [{"url": "https://b/z.png"}]}"#.utf8)),
      try folder.file("none.json", Array("[".utf8)),
    ]
    let files = try paths.compactMap { try ManifestLocation.parse($0.bytes) }
    #expect(files.count == 2)
    let scan = try scan(
      try ["/a.jpg?key=1", "/page", "/broken", "/missing"].map { try place(server, $0) } + files)
    var names: [String] = []
    for event in scan.takeEvents(atMost: 100, waitsUntilRead: true) {
      if case .entries(let items, _, _) = event { names += items.map(\.title) }
    }
    #expect(names == ["a.jpg", "y.jpg", "z.png"])
    let problems = scan.problems
    #expect(problems.count == 4)
    #expect(problems[0].hasPrefix(server.address("/page: a web page came")))
    #expect(problems[1].hasSuffix("2 entries left out (1 no object, 1 no web address, 1 impossible size)"))
    #expect(problems[2].contains("nothing at this address") && problems[3].hasSuffix("the list is not JSON"))
    #expect(!problems.contains { $0.contains("key=1") })
  }

  @Test("ends when it is told to, whatever the server does")
  func cancelled() throws {
    let server = try WebServer { _, connection in _ = connection.waitUntilClosed() }
    defer { server.stop() }
    let scan = try scan([try place(server, "/silent")])
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

  @Test("what a user gives is an address, a list, or neither")
  func places() throws {
    defer { transfers.shutdown() }
    let folder = try TemporaryTree()
    #expect(try ManifestLocation.parse(folder.folder("x.json").bytes) == nil, "a folder is one")
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
