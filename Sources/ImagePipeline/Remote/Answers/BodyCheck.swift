/// Counts and judges the bytes of an answer as they arrive.
struct ResponseBodyCheck: Sendable {
  private let kind: RemoteKind
  private let maximumBytes: Int
  private var head: [UInt8] = []
  private var isChecked = false
  /// The bytes that have arrived.
  private(set) var byteCount = 0

  /// Makes a check before the first byte.
  init(kind: RemoteKind, mostBytes: Int) {
    self.kind = kind
    self.maximumBytes = mostBytes
  }

  /// Takes bytes in.
  ///
  /// - Returns: why the rest is not wanted.
  mutating func checkBytes(_ bytes: UnsafeRawBufferPointer) -> RemoteFailure? {
    let (sum, isOver) = byteCount.addingReportingOverflow(bytes.count)
    guard !isOver, sum <= maximumBytes else { return .tooLarge(limit: maximumBytes) }
    byteCount = sum
    guard !isChecked else { return nil }
    head += bytes.prefix(ResponseBodyKind.headByteCount - head.count)
    return head.count < ResponseBodyKind.headByteCount ? nil : checkKind()
  }

  /// Judges an answer that has ended.
  ///
  /// - Returns: why it is not what was wanted.
  mutating func finish() -> RemoteFailure? { isChecked ? nil : checkKind() }

  private mutating func checkKind() -> RemoteFailure? {
    isChecked = true
    let found = ResponseBodyKind(head)
    switch (kind, found) {
    case (.picture, .picture), (.manifest, .json): return nil
    default: return .unexpected(found, wanted: kind)
    }
  }
}
