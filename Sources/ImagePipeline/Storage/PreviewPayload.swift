/// What is kept of a picture's small preview: 32 bytes, of which nothing here knows what they mean.
public struct PreviewPayload: Hashable, Sendable, BitwiseCopyable {
  /// The bytes of a payload.
  public static let byteCount = 32

  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0
  private var fourth: UInt64 = 0

  /// Makes one of zeros.
  init() {}

  /// Takes bytes, and zeros behind them.
  ///
  /// - Returns: nothing for more than ``byteCount``.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count <= PreviewPayload.byteCount else { return nil }
    withUnsafeMutableBytes(of: &self) { target in
      for (offset, byte) in bytes.enumerated() { target[offset] = byte }
    }
  }

  /// All the bytes.
  public var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }

  /// One of the bytes.
  ///
  /// - Precondition: 0..<32.
  public subscript(offset: Int) -> UInt8 { withUnsafeBytes(of: self) { $0[offset] } }
}
