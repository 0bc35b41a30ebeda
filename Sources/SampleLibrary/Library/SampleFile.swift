/// A picture of a sample library that lies on the disk.
public struct SampleFile: Hashable, Sendable {
  /// Which picture of its library, from 0.
  public let index: Int
  /// Where it lies, in bytes.
  public let path: [UInt8]
}
