import Glibc
import TestSupport
import Testing

/// A connection to a server on this machine, of which nothing is understood: bytes go, and bytes come.
final class RawClient {
  private let number: Int32

  /// Connects.
  ///
  /// The C functions are `socket` and `connect`.
  init(_ server: WebServer) throws {
    number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let (number, length) = (number, socklen_t(MemoryLayout<sockaddr_in>.size))
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, length) }
    }
    guard status == 0 else { throw NoConnection(code: errno) }
  }

  deinit { close(number) }

  /// Connects and asks for a path.
  convenience init(_ server: WebServer, asking path: String, fields: [String] = []) throws {
    try self.init(server)
    send((["GET \(path) HTTP/1.1", "Host: a"] + fields).map { $0 + "\r\n" }.joined() + "\r\n")
  }

  /// Sends text.
  func send(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
  }

  /// Reads so many bytes, or up to the end of the connection, or as long as a test may wait.
  func read(atMost count: Int = .max) throws -> [UInt8] {
    let deadline = Deadline()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < count {
      guard !deadline.hasPassed else { throw WaitTimeoutError(what: "an answer") }
      guard hasNews(atMost: deadline.millisecondsLeft) else { continue }
      let got = recv(number, &buffer, min(buffer.count, count - bytes.count), 0)
      guard got > 0 else { break }
      bytes += buffer[..<got]
    }
    return bytes
  }

  /// What is read up to the end, as text.
  func text() throws -> String { String(decoding: try read(), as: UTF8.self) }

  /// Whether there are bytes, or the end.
  ///
  /// The C function is `poll`.
  func hasNews(atMost milliseconds: Int32 = 0) -> Bool {
    var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }
}

/// No server was there.
struct NoConnection: Error {
  let code: Int32
}
