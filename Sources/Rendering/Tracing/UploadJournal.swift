import DataStructures
public import FramePacing

/// The last bitmaps of a run that became textures, noted as they do.
///
/// Kept only while a trace is wanted. Memory is taken once: noting allocates nothing. Only ever used by the thread that
/// draws.
public final class UploadLog {
  /// How many are kept unless told.
  public static let defaultCapacity = 1 << 15

  private var spans: RecentValues<UploadSpan>

  /// Makes an empty journal.
  ///
  /// - Parameter capacity: how many are kept, the last ones; at least one.
  public init(capacity: Int = UploadLog.defaultCapacity) { spans = RecentValues(capacity: capacity) }

  /// Notes a bitmap that is a texture now.
  ///
  /// - Complexity: O(1).
  public func recordUpload(of bitmap: Bitmap, from began: FrameInstant, to ended: FrameInstant) {
    spans.append(UploadSpan(bitmapNumber: bitmap.traceNumber, began: began, ended: ended, bytes: bitmap.byteCount))
  }

  /// What is kept of a moment and later, in order.
  ///
  /// - Complexity: O(n) in what is returned.
  public func spans(since instant: FrameInstant = .distantPast) -> [UploadSpan] {
    spans.newestValues { $0.ended >= instant }
  }

  /// How many were noted in all, kept or not.
  public var count: Int { spans.count }
}
