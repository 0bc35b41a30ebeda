import DataStructures

/// How a server answers: in which manner, after how long, and how often not.
public struct ServerAnswering: Sendable {
  /// In which manner.
  public var manner = ServerManner.usual
  /// How long it takes to answer, in milliseconds.
  public var latency = 0.0
  /// How many of a hundred pictures it does not find, always the same ones.
  public var failurePercentage = 0.0
  /// Which ones.
  public var seed: UInt64 = 1

  /// With every picture, at once.
  public init() {}

  /// Whether a picture is one that is not found.
  public func fails(_ number: Int) -> Bool {
    Double(SplitMix64.mix(seed &+ UInt64(number) &* 0x9E37_79B9) % 10_000) < failurePercentage * 100
  }

  /// Answers one who asks for a picture.
  func answer(_ number: Int, from shelf: PictureShelf, on connection: ServerConnection) {
    guard connection.wait(milliseconds: latency) else { return }
    guard !fails(number) else { return say(404, "There is no such picture.", on: connection) }
    switch manner {
    case .failing: say(500, "Something went wrong.", on: connection)
    case .html: say(200, "<!DOCTYPE html><title>Welcome</title><p>Please sign in to the network.", on: connection)
    case .hostile: give(Self.giant, on: connection)
    case .usual, .slow, .truncated, .absent:
      guard let picture = shelf.picture(number) else { return say(500, "There is no painter.", on: connection) }
      give(picture, on: connection)
    }
  }

  private func say(_ status: Int, _ text: String, on connection: ServerConnection) {
    guard connection.sendHead(status, type: "text/html", count: text.utf8.count) else { return }
    _ = connection.send(Array(text.utf8)[...])
  }

  private func give(_ bytes: [UInt8], on connection: ServerConnection) {
    guard connection.sendHead(200, type: "image/jpeg", count: bytes.count) else { return }
    switch manner {
    case .truncated: _ = connection.send(bytes[..<(bytes.count / 3)])
    case .slow:
      var rest = bytes[...]
      while !rest.isEmpty, connection.send(rest.prefix(512)), connection.wait(milliseconds: 100) {
        rest = rest.dropFirst(512)
      }
    default: _ = connection.send(bytes[...])
    }
  }

  /// The beginning of a JPEG file whose header promises 65,500 times 65,500 pixels, and nothing after it.
  private static let giant: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0xFF, 0xDC, 0xFF, 0xDC, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1]
    + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0] + [UInt8](repeating: 0x5A, count: 4_096) + [0xFF, 0xD9]
}
