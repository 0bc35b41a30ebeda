/// Counts and judges the bytes of an answer as they arrive.
struct BodyCheck: Sendable {
  private let kind: RemoteKind
  private let mostBytes: Int
  private var head: [UInt8] = []
  private var isJudged = false
  /// The bytes that have arrived.
  private(set) var byteCount = 0

  /// Makes a check before the first byte.
  init(kind: RemoteKind, mostBytes: Int) {
    self.kind = kind
    self.mostBytes = mostBytes
  }

  /// Takes bytes in.
  ///
  /// - Returns: why the rest is not wanted.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> RemoteFailure? {
    let (sum, isOver) = byteCount.addingReportingOverflow(bytes.count)
    guard !isOver, sum <= mostBytes else { return .tooLarge(limit: mostBytes) }
    byteCount = sum
    guard !isJudged else { return nil }
    head += bytes.prefix(BodyKind.headByteCount - head.count)
    return head.count < BodyKind.headByteCount ? nil : judge()
  }

  /// Judges an answer that has ended.
  ///
  /// - Returns: why it is not what was wanted.
  mutating func finish() -> RemoteFailure? { isJudged ? nil : judge() }

  private mutating func judge() -> RemoteFailure? {
    isJudged = true
    let found = BodyKind(head)
    switch (kind, found) {
    case (.picture, .picture), (.manifest, .json): return nil
    default: return .unexpected(found, wanted: kind)
    }
  }
}
