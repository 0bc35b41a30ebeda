import VitrineDataStructures
public import VitrineFramePacing

/// A log of the most recent bitmaps that were uploaded as textures.
///
/// It exists only while a trace is recorded. Its memory is allocated once, so recording allocates nothing. It must be
/// used only on the render thread.
public final class UploadLog {
  /// The default capacity.
  public static let defaultCapacity = 1 << 15

  private var spans: RecentValues<UploadSpan>

  /// Creates an empty log.
  ///
  /// - Parameter capacity: The maximum number of uploads, at least one. Older ones are discarded.
  public init(capacity: Int = UploadLog.defaultCapacity) { spans = RecentValues(capacity: capacity) }

  /// Records the upload of a bitmap.
  ///
  /// - Complexity: O(1).
  public func recordUpload(of bitmap: Bitmap, from start: FrameInstant, to end: FrameInstant) {
    spans.append(UploadSpan(bitmapNumber: bitmap.traceNumber, start: start, end: end, bytes: bitmap.byteCount))
  }

  /// Returns the stored uploads that ended at an instant or later, in order.
  ///
  /// - Complexity: O(n) in the size of the result.
  public func spans(since instant: FrameInstant = .distantPast) -> [UploadSpan] {
    spans.newestValues { $0.end >= instant }
  }

  /// The number of uploads recorded, including discarded ones.
  public var count: Int { spans.count }
}

/// The upload of a bitmap as a texture.
public struct UploadSpan: Hashable, Sendable {
  /// The bitmap's ``Bitmap/traceNumber``, or 0 if its origin was not recorded.
  public var bitmapNumber: UInt64
  /// The start of the upload, on the run's clock.
  public var start: FrameInstant
  /// The end of the upload.
  public var end: FrameInstant
  /// The number of bytes of the pixels.
  public var bytes: Int

  /// Creates a span.
  public init(bitmapNumber: UInt64, start: FrameInstant, end: FrameInstant, bytes: Int) {
    self.bitmapNumber = bitmapNumber
    self.start = start
    self.end = end
    self.bytes = bytes
  }
}
