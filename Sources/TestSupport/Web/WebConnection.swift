import Glibc

/// One connection to a ``WebServer``, for who answers on it: as decently as asked, or not at all.
public struct WebConnection: Sendable {
  let descriptor: Int32

  /// Sends bytes as they are.
  ///
  /// The C function is `send`.
  /// - Returns: whether somebody is still there.
  @discardableResult
  public func send(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// Sends text as it is.
  /// - Returns: whether somebody is still there.
  @discardableResult
  public func send(_ text: String) -> Bool { send(text.utf8) }

  /// Sends a whole answer.
  ///
  /// - Parameters:
  ///   - status: its number.
  ///   - fields: lines of its head, besides the number of bytes.
  ///   - body: what follows.
  public func sendResponse(_ status: Int = 200, headers: [String] = [], body: some Collection<UInt8> = [UInt8]()) {
    send(responseHead(status, headers: headers + ["Content-Length: \(body.count)", "Connection: close"]))
    send(body)
  }

  /// The head of an answer, with the empty line after it.
  public func responseHead(_ status: Int = 200, headers: [String] = []) -> String {
    (["HTTP/1.1 \(status) Whatever"] + headers).map { $0 + "\r\n" }.joined() + "\r\n"
  }

  /// Waits until the other side has gone, or no longer than told.
  ///
  /// The C function is `poll`.
  /// - Returns: whether it has gone.
  public func waitUntilClosed(atMost limit: Duration = Deadline.defaultTimeout) -> Bool {
    let deadline = Deadline(limit)
    while !deadline.hasPassed {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, deadline.millisecondsLeft) > 0 else { continue }
      var byte: UInt8 = 0
      if recv(descriptor, &byte, 1, 0) <= 0 { return true }
    }
    return false
  }

  /// Reads up to the empty line; nothing where none comes.
  ///
  /// The C function is `recv`.
  func readRequestHead() -> [UInt8]? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while head.count < 1 << 16, recv(descriptor, &byte, 1, 0) == 1 {
      // Somebody who begins otherwise, with a handshake of TLS for instance, waits for an answer.
      guard !head.isEmpty || byte == UInt8(ascii: "G") else { return nil }
      head.append(byte)
      if head.suffix(4).elementsEqual("\r\n\r\n".utf8) { return head }
    }
    return nil
  }
}
