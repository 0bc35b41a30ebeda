import Glibc

/// One connection to the server.
struct ServerConnection {
  /// The system's number of it.
  let number: Int32

  /// Reads what is asked for: `GET /pictures/17 HTTP/1.1`, up to the empty line.
  ///
  /// The C functions are `recv` and `setsockopt`. What follows the head is of no interest.
  ///
  /// - Parameter patience: how long the other side may say nothing.
  /// - Returns: the picture's number; nothing where something else is asked for, or nothing.
  func readRequest(patience: Duration) -> Int? {
    let (seconds, attoseconds) = patience.components
    var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 2_048)
    while !head.contains("\r\n\r\n".utf8) {
      guard head.count < 1 << 14 else { return nil }
      let count = recv(number, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      head += buffer[..<count]
    }
    let words = head.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " "))
    let start = Array("/pictures/".utf8)
    guard words.count == 3, words[0].elementsEqual("GET".utf8), words[1].starts(with: start) else { return nil }
    return Int(String(decoding: words[1].dropFirst(start.count), as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Waits, unless the other side goes away or the server is stopped first.
  ///
  /// The C function is `poll`: there is nothing more to read but the end.
  ///
  /// - Returns: whether the time has passed.
  func wait(milliseconds: Double) -> Bool {
    guard milliseconds >= 1 else { return true }
    var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&entry, 1, Int32(min(milliseconds, 60_000)))
      if count < 0, errno == EINTR { continue }
      return count == 0
    }
  }

  /// Sends a head.
  ///
  /// - Parameter count: the bytes that are said to follow.
  /// - Returns: whether somebody is still there.
  func sendHead(_ status: Int, type: String, count: Int) -> Bool {
    send(
      Array(
        ("HTTP/1.1 \(status) \(status == 200 ? "OK" : "No")\r\nContent-Type: \(type)\r\nContent-Length: \(count)\r\n"
          + "Connection: close\r\n\r\n").utf8)[...])
  }

  /// Sends bytes as they are; the C function is `send`.
  ///
  /// - Returns: whether somebody is still there.
  func send(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }
}
