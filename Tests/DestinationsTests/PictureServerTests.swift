import Glibc
import PictureServer
import TestSupport
import Testing

@Suite("The picture server answers who asks decently, and nobody else")
struct PictureServerTests {
  private static func start(
    _ manner: ServerManner = .usual, failures: Double = 0, patience: Duration = .seconds(50)
  ) throws -> PictureServer {
    var answering = ServerAnswering()
    answering.manner = manner
    answering.failurePercentage = failures
    return try PictureServer(
      PictureShelf([("one", [1, 2, 3]), ("two", Array(repeating: 7, count: 100_000))]), answering,
      patience: patience)
  }

  /// Sends text to a server and reads what comes until the end.
  private static func ask(_ server: PictureServer, _ text: String) throws -> [UInt8]? {
    guard let number = try connection(to: server) else { return nil }
    defer { close(number) }
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(number, Int32(SHUT_WR))
    return rest(of: number)
  }

  /// What comes until the end.
  nonisolated private static func rest(of number: Int32) -> [UInt8] {
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(number, &buffer, buffer.count, 0)
      guard count > 0 else { return answer }
      answer += buffer[..<count]
    }
  }

  /// Goes to a server and says nothing yet; nothing where nobody is there.
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

  @Test("A picture with its length, numbers going round")
  func pictures() throws {
    let server = try Self.start()
    defer { server.stop() }
    for number in [0, 2] {
      let answer = try #require(try Self.ask(server, Self.request("/pictures/\(number)")))
      let text = String(decoding: answer.dropLast(3), as: UTF8.self)
      #expect(
        text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.contains("Content-Length: 3\r\n") && text.hasSuffix("\r\n\r\n"))
      #expect(answer.suffix(3) == [1, 2, 3])
    }
    #expect(try #require(try Self.ask(server, Self.request("/pictures/1"))).count > 100_000)
    #expect(server.requestCount == 3)
  }

  @Test(
    "What is no request for a picture gets no answer",
    arguments: [
      "", "\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "POST /pictures/1 HTTP/1.1\r\n\r\n",
      "GET /pictures/-1 HTTP/1.1\r\n\r\n",
      "GET /pictures/x HTTP/1.1\r\n\r\n", "GET /pictures/ HTTP/1.1\r\n\r\n", "GET /pictures/1\r\n\r\n",
      "GET /pictures/99999999999999999999 HTTP/1.1\r\n\r\n",
    ])
  func nonsense(text: String) throws {
    let server = try Self.start()
    defer { server.stop() }
    #expect(try Self.ask(server, text)?.isEmpty != false)
    #expect(server.requestCount == 0)
    #expect(try Self.ask(server, Self.request("/pictures/0"))?.suffix(3) == [1, 2, 3], "and the next one gets his")
  }

  @Test("What follows a head is of no interest")
  func followed() throws {
    let server = try Self.start()
    defer { server.stop() }
    let answer = try Self.ask(server, Self.request("/pictures/0") + "and more")
    #expect(answer?.suffix(3) == [1, 2, 3] && server.requestCount == 1)
  }

  @Test("Those who come and say nothing do not keep others from their pictures")
  func silent() throws {
    let server = try Self.start(patience: .milliseconds(100))
    defer { server.stop() }
    let silent = try (0..<12).map { _ in try #require(try Self.connection(to: server)) }
    defer { for number in silent { close(number) } }
    #expect(try Self.ask(server, Self.request("/pictures/0"))?.suffix(3) == [1, 2, 3])
  }

  @Test("A head without end gets no answer")
  func endless() throws {
    let server = try Self.start()
    defer { server.stop() }
    #expect(try Self.ask(server, String(repeating: "x", count: 40_000))?.isEmpty != false)
    #expect(server.requestCount == 0)
  }

  @Test("Each manner is what it says")
  func manners() throws {
    func answer(_ manner: ServerManner, failures: Double = 0) throws -> [UInt8]? {
      let server = try Self.start(manner, failures: failures)
      defer { server.stop() }
      return try Self.ask(server, Self.request("/pictures/1"))
    }
    func text(_ manner: ServerManner, failures: Double = 0) throws -> String {
      String(decoding: try #require(try answer(manner, failures: failures)), as: UTF8.self)
    }
    #expect(try answer(.absent) == nil)
    #expect(try text(.failing).hasPrefix("HTTP/1.1 500 "))
    #expect(try text(.usual, failures: 100).hasPrefix("HTTP/1.1 404 "))
    #expect(try text(.html).contains("text/html"))
    let part = try #require(try answer(.truncated)).count
    #expect(part > 30_000 && part < 40_000)
    #expect(try #require(try answer(.hostile)).suffix(2) == [0xFF, 0xD9])
  }

  @Test("Stopped, it ends whoever waits, and again is nothing")
  func stop() throws {
    // The second picture would take some twenty seconds so.
    let server = try Self.start(.slow)
    let number = try #require(try Self.connection(to: server))
    let silent = try #require(try Self.connection(to: server))
    defer { for number in [number, silent] { close(number) } }
    let bytes = Array(Self.request("/pictures/1").utf8)
    #expect(bytes.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count)
    try Deadline().wait(for: "the request") { server.requestCount == 1 ? () : nil }
    server.stop()
    server.stop()
    #expect(Self.rest(of: number).count < 100_000 && Self.rest(of: silent).isEmpty)
    #expect(try Self.ask(server, Self.request("/pictures/0")) == nil)
  }
}
