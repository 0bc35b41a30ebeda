import ImageMetadata

/// What the first bytes of an answer look like.
public enum ResponseBodyKind: UInt8, CaseIterable, Hashable, Sendable {
  /// A picture.
  case picture
  /// A web page.
  case webPage
  /// JSON.
  case json
  /// Something compressed, though it was asked for as it is.
  case compressed
  /// Other text.
  case text
  /// No bytes.
  case empty
  /// None of these.
  case unknown

  /// How many bytes are looked at, at most.
  static let headByteCount = 512

  /// Looks at the first bytes of an answer.
  ///
  /// - Parameter head: ``headByteCount`` of them, where there are as many.
  init(_ head: [UInt8]) {
    if head.isEmpty {
      self = .empty
    } else if ImageFormat(magic: Array(head.prefix(ImageFormat.magicByteCount))) != nil {
      self = .picture
    } else if ResponseBodyKind.compressionSignatures.contains(where: { head.starts(with: $0) }) {
      self = .compressed
    } else {
      self = ResponseBodyKind.textKind(head)
    }
  }

  /// gzip, bzip2, xz, Zstandard and PKZIP.
  private static let compressionSignatures: [[UInt8]] = [
    [0x1F, 0x8B], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A, 0x58, 0x5A], [0x28, 0xB5, 0x2F, 0xFD],
    [0x50, 0x4B, 0x03, 0x04],
  ]

  private static func textKind(_ head: [UInt8]) -> ResponseBodyKind {
    var rest = head[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    if rest.contains(where: { $0 < 0x09 || (0x0E..<0x20).contains($0) && $0 != 0x1B }) { return .unknown }
    switch rest.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
    case UInt8(ascii: "<"): return .webPage
    default: return .text
    }
  }

  /// What it is called.
  var name: String {
    switch self {
    case .picture: "a picture"
    case .webPage: "a web page"
    case .json: "JSON"
    case .compressed: "something compressed"
    case .text: "text"
    case .empty: "nothing"
    case .unknown: "something unknown"
    }
  }
}
