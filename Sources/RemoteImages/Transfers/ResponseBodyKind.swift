import VitrineImageMetadata

/// The kind of a response body, detected from its first bytes.
public enum ResponseBodyKind: UInt8, CaseIterable, Hashable, Sendable {
  /// An image.
  case picture
  /// An HTML page.
  case webPage
  /// JSON.
  case json
  /// Compressed data, although none was requested.
  case compressed
  /// Other text.
  case text
  /// An empty body.
  case empty
  /// Unknown data.
  case unknown

  /// The number of bytes that the detection examines at most.
  static let headByteCount = 512

  /// Detects the kind of a body.
  ///
  /// - Parameter head: The first ``headByteCount`` bytes, or all bytes of a shorter body.
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

  /// The signatures of gzip, bzip2, xz, Zstandard and ZIP.
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

  /// The name in error messages.
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

/// A check of a response body's size and kind as its bytes arrive.
struct ResponseBodyCheck: Sendable {
  private let kind: RemoteKind
  private let maximumBytes: Int
  private var head: [UInt8] = []
  private var isChecked = false
  /// The number of bytes that have arrived.
  private(set) var byteCount = 0

  /// Creates a check before the first byte.
  init(kind: RemoteKind, maximumBytes: Int) {
    self.kind = kind
    self.maximumBytes = maximumBytes
  }

  /// Checks further bytes.
  ///
  /// - Returns: The failure if the body must be rejected, or nil.
  mutating func checkBytes(_ bytes: UnsafeRawBufferPointer) -> RemoteFailure? {
    let (sum, isOverflow) = byteCount.addingReportingOverflow(bytes.count)
    guard !isOverflow, sum <= maximumBytes else { return .tooLarge(limit: maximumBytes) }
    byteCount = sum
    guard !isChecked else { return nil }
    head += bytes.prefix(ResponseBodyKind.headByteCount - head.count)
    return head.count < ResponseBodyKind.headByteCount ? nil : checkKind()
  }

  /// Checks a body that has ended.
  ///
  /// - Returns: The failure if its kind is not the expected one, or nil.
  mutating func finish() -> RemoteFailure? { isChecked ? nil : checkKind() }

  private mutating func checkKind() -> RemoteFailure? {
    isChecked = true
    let found = ResponseBodyKind(head)
    switch (kind, found) {
    case (.picture, .picture), (.manifest, .json): return nil
    default: return .unexpected(found, expected: kind)
    }
  }
}
