import ExampleSupport

/// The behavior of a picture server, including the errors that it simulates.
public struct ServerConfiguration: Sendable {
  /// The kind of response.
  public var mode = ServerMode.usual
  /// The time before each response, in milliseconds.
  public var latency = 0.0
  /// The percentage of pictures that are not found.
  public var failurePercentage = 0.0
  /// The seed that selects the pictures that are not found.
  public var seed: UInt64 = 1

  /// Creates a configuration that sends every picture without delay.
  public init() {}

  /// Returns whether a picture is one that is not found.
  public func isMissing(_ number: Int) -> Bool {
    Double(SeededRandom.mix(seed &+ UInt64(number) &* 0x9E37_79B9) % 10_000) < failurePercentage * 100
  }

  /// Responds to a request for a picture.
  func respond(to number: Int, from catalog: PictureCatalog, on connection: ServerConnection) {
    guard connection.wait(milliseconds: latency) else { return }
    guard !isMissing(number) else { return sendPage(404, "There is no such picture.", on: connection) }
    switch mode {
    case .failing: sendPage(500, "Something went wrong.", on: connection)
    case .html: sendPage(200, "<!DOCTYPE html><title>Welcome</title><p>Please sign in to the network.", on: connection)
    case .hostile: sendPicture(Self.oversizedJPEG, on: connection)
    case .usual, .slow, .truncated, .absent:
      guard let bytes = catalog.bytes(of: number) else { return sendPage(500, "There is no painter.", on: connection) }
      sendPicture(bytes, on: connection)
    }
  }

  private func sendPage(_ status: Int, _ text: String, on connection: ServerConnection) {
    guard connection.sendHead(status: status, contentType: "text/html", contentLength: text.utf8.count) else { return }
    _ = connection.send(Array(text.utf8)[...])
  }

  private func sendPicture(_ bytes: [UInt8], on connection: ServerConnection) {
    guard connection.sendHead(status: 200, contentType: "image/jpeg", contentLength: bytes.count) else { return }
    switch mode {
    case .truncated: _ = connection.send(bytes[..<(bytes.count / 3)])
    case .slow:
      var rest = bytes[...]
      while !rest.isEmpty, connection.send(rest.prefix(512)), connection.wait(milliseconds: 100) {
        rest = rest.dropFirst(512)
      }
    default: _ = connection.send(bytes[...])
    }
  }

  /// A JPEG file whose header declares 65,500 by 65,500 pixels, with hardly any data.
  private static let oversizedJPEG: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0xFF, 0xDC, 0xFF, 0xDC, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1]
    + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0] + [UInt8](repeating: 0x5A, count: 4_096) + [0xFF, 0xD9]
}

/// The kind of response of a picture server.
public enum ServerMode: String, CaseIterable, Sendable {
  /// Sends the picture.
  case usual
  /// Does not listen at all.
  case absent
  /// Sends the picture, 512 bytes at a time.
  case slow
  /// Responds with status 500.
  case failing
  /// Sends a web page, as the login page of a public network.
  case html
  /// Sends the first third of the picture.
  case truncated
  /// Sends an image that declares four billion pixels.
  case hostile
}
