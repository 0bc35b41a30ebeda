public import FramePacing

/// A bitmap that became a texture: which, and when.
public struct UploadSpan: Hashable, Sendable {
  /// By what the bitmap is known (``Bitmap/traceNumber``); 0 for one of which nobody noted where it comes from.
  public var bitmapNumber: UInt64
  /// When it began, on the run's clock.
  public var began: FrameInstant
  /// When the texture was there.
  public var ended: FrameInstant
  /// The bytes of its pixels.
  public var bytes: Int

  /// Makes a span.
  public init(bitmapNumber: UInt64, began: FrameInstant, ended: FrameInstant, bytes: Int) {
    self.bitmapNumber = bitmapNumber
    self.began = began
    self.ended = ended
    self.bytes = bytes
  }
}
