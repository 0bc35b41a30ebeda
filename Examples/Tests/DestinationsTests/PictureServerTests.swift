import Foundation
import Glibc
import PictureServer
import Testing
import VitrineHosting
import VitrineTestSupport
import VitrineThreads

@testable import vitrine_destinations

@Suite("The picture server")
struct PictureServerTests {
  private static func start(
    _ mode: ServerMode = .usual, failures: Double = 0, requestTimeout: Duration = .seconds(50)
  ) throws -> PictureServer {
    var configuration = ServerConfiguration()
    configuration.mode = mode
    configuration.failurePercentage = failures
    return try PictureServer(
      catalog: PictureCatalog([("one", [1, 2, 3]), ("two", Array(repeating: 7, count: 100_000))]),
      configuration: configuration,
      requestTimeout: requestTimeout)
  }

  /// Sends text to a server, and returns the response.
  private static func response(of server: PictureServer, to text: String) throws -> [UInt8]? {
    guard let number = try connection(to: server) else { return nil }
    defer { close(number) }
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(number, Int32(SHUT_WR))
    return readToEnd(number)
  }

  /// Reads from a socket until its end.
  nonisolated private static func readToEnd(_ number: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(number, &buffer, buffer.count, 0)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Connects to a server without sending anything, or returns nil if it does not listen.
  private static func connection(to server: PictureServer) throws -> Int32? {
    let port = try #require(UInt16(server.address(of: 0).split(separator: ":")[2].prefix { $0.isNumber }))
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = port.bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard !isConnected else { return number }
    close(number)
    return nil
  }

  private static func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" }

  @Test("A picture is sent with its length, and numbers wrap around")
  func pictures() throws {
    let server = try Self.start()
    defer { server.stop() }
    for number in [0, 2] {
      let response = try #require(try Self.response(of: server, to: Self.request("/pictures/\(number)")))
      let text = String(decoding: response.dropLast(3), as: UTF8.self)
      #expect(
        text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.contains("Content-Length: 3\r\n") && text.hasSuffix("\r\n\r\n"))
      #expect(response.suffix(3) == [1, 2, 3])
    }
    #expect(try #require(try Self.response(of: server, to: Self.request("/pictures/1"))).count > 100_000)
    #expect(server.requestCount == 3)
  }

  @Test(
    "Anything other than a request for a picture gets no response",
    arguments: [
      "", "\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "POST /pictures/1 HTTP/1.1\r\n\r\n",
      "GET /pictures/-1 HTTP/1.1\r\n\r\n",
      "GET /pictures/x HTTP/1.1\r\n\r\n", "GET /pictures/ HTTP/1.1\r\n\r\n", "GET /pictures/1\r\n\r\n",
      "GET /pictures/99999999999999999999 HTTP/1.1\r\n\r\n",
    ])
  func invalidRequest(text: String) throws {
    let server = try Self.start()
    defer { server.stop() }
    #expect(try Self.response(of: server, to: text)?.isEmpty != false)
    #expect(server.requestCount == 0)
    #expect(
      try Self.response(of: server, to: Self.request("/pictures/0"))?.suffix(3) == [1, 2, 3],
      "the next request succeeds")
  }

  @Test("Data after the head is ignored")
  func dataAfterHead() throws {
    let server = try Self.start()
    defer { server.stop() }
    let response = try Self.response(of: server, to: Self.request("/pictures/0") + "and more")
    #expect(response?.suffix(3) == [1, 2, 3] && server.requestCount == 1)
  }

  @Test("Silent clients do not keep others from their pictures")
  func silentClients() throws {
    let server = try Self.start(requestTimeout: .milliseconds(100))
    defer { server.stop() }
    let silent = try (0..<12).map { _ in try #require(try Self.connection(to: server)) }
    defer { for number in silent { close(number) } }
    #expect(try Self.response(of: server, to: Self.request("/pictures/0"))?.suffix(3) == [1, 2, 3])
  }

  @Test("A head without an end gets no response")
  func endlessHead() throws {
    let server = try Self.start()
    defer { server.stop() }
    #expect(try Self.response(of: server, to: String(repeating: "x", count: 40_000))?.isEmpty != false)
    #expect(server.requestCount == 0)
  }

  @Test("Each mode responds as documented")
  func modes() throws {
    func response(_ mode: ServerMode, failures: Double = 0) throws -> [UInt8]? {
      let server = try Self.start(mode, failures: failures)
      defer { server.stop() }
      return try Self.response(of: server, to: Self.request("/pictures/1"))
    }
    func text(_ mode: ServerMode, failures: Double = 0) throws -> String {
      String(decoding: try #require(try response(mode, failures: failures)), as: UTF8.self)
    }
    #expect(try response(.absent) == nil)
    #expect(try text(.failing).hasPrefix("HTTP/1.1 500 "))
    #expect(try text(.usual, failures: 100).hasPrefix("HTTP/1.1 404 "))
    #expect(try text(.html).contains("text/html"))
    let part = try #require(try response(.truncated)).count
    #expect(part > 30_000 && part < 40_000)
    #expect(try #require(try response(.hostile)).suffix(2) == [0xFF, 0xD9])
  }

  @Test("stop() ends pending requests, and can be called again")
  func stop() throws {
    // Sending the second picture would take some twenty seconds.
    let server = try Self.start(.slow)
    let number = try #require(try Self.connection(to: server))
    let silent = try #require(try Self.connection(to: server))
    defer { for number in [number, silent] { close(number) } }
    let bytes = Array(Self.request("/pictures/1").utf8)
    #expect(bytes.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count)
    try Deadline().wait(for: "the request") { server.requestCount == 1 ? () : nil }
    server.stop()
    server.stop()
    #expect(Self.readToEnd(number).count < 100_000 && Self.readToEnd(silent).isEmpty)
    #expect(try Self.response(of: server, to: Self.request("/pictures/0")) == nil)
  }
}

// MARK: - Catalog

@Suite("The picture catalog")
struct PictureCatalogTests {
  /// Calls a closure with the path of a temporary folder.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "vitrine-catalog-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func open(_ folder: String) throws -> PictureCatalog {
    var settings = DestinationsSettings()
    settings.folder = folder
    return try PictureCatalog.open(settings)
  }

  @Test("The catalog of a folder contains its image files in the order of their names, but no FIFOs and folders")
  func folder() throws {
    try withFolder { folder in
      for (name, bytes) in [("b.JPG", [UInt8](1...9)), ("a.png", []), ("c.txt", [1])] {
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      #expect(mkfifo(folder + "/0.jpg", 0o644) == 0 && mkdir(folder + "/1.jpg", 0o755) == 0)
      let catalog = try open(folder)
      #expect(catalog.count == 2 && catalog.title(of: 0) == "a" && catalog.title(of: 1) == "b" && catalog.isReady(1))
      #expect(
        catalog.bytes(of: 0) == [] && catalog.bytes(of: 1) == Array(1...9) && catalog.bytes(of: 3) == Array(1...9))
    }
  }

  @Test("A file that becomes a FIFO, too large, or is deleted has no picture, and reading it does not block")
  func changedFiles() throws {
    try withFolder { folder in
      for name in ["a.jpg", "b.jpg", "c.jpg"] {
        try Data([1, 2]).write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      let catalog = try open(folder)
      #expect(unlink(folder + "/a.jpg") == 0 && mkfifo(folder + "/a.jpg", 0o644) == 0)
      #expect(truncate(folder + "/b.jpg", 1 << 34) == 0)
      #expect(unlink(folder + "/c.jpg") == 0)
      for number in 0..<3 { #expect(catalog.bytes(of: number) == nil) }
    }
  }

  @Test("A folder without pictures is refused, as is a missing one")
  func invalidFolders() throws {
    try withFolder { folder in
      #expect(mkfifo(folder + "/0.jpg", 0o644) == 0)
      #expect(throws: UsageError.self) { try open(folder) }
      #expect(throws: UsageError.self) { try open(folder + "/absent") }
    }
  }

  @Test("A handler is called once when a picture is available or will never be")
  func readyHandlers() throws {
    let catalog = PictureCatalog(generating: 2, seed: 1, longSide: 64)
    let calls = Lock<[Int]>([])
    for number in [0, 1, 3] { catalog.notifyWhenReady(number) { calls.withLock { $0.append(number) } } }
    #expect(!catalog.isReady(0) && calls.withLock { $0 }.isEmpty)
    catalog.stopGenerating()
    #expect(catalog.isReady(0) && catalog.bytes(of: 0) == nil && calls.withLock { $0 } == [0, 1, 3])
    catalog.notifyWhenReady(0) { calls.withLock { $0.append(7) } }
    catalog.close()
    #expect(calls.withLock { $0 } == [0, 1, 3, 7] && !catalog.waitForAll())
  }
}
