import DataStructures
public import FramePacing
public import Rendering
import Threads

/// The last decodes of a run, noted by the workers as they end.
///
/// A pipeline that is given none notes nothing. From any thread.
public final class DecodeJournal: Sendable {
  /// How many decodes are kept unless told.
  public static let defaultCapacity = 1 << 15

  private let state: Lock<RecentValues<DecodeSpan>>

  /// Makes an empty journal.
  ///
  /// - Parameter capacity: how many decodes are kept, the last ones; at least one.
  public init(capacity: Int = DecodeJournal.defaultCapacity) { state = Lock(RecentValues(capacity: capacity)) }

  /// Notes a decode that has ended, and gives it and its bitmap a number by which a trace finds them together.
  ///
  /// - Parameters:
  ///   - span: the decode.
  ///   - bitmap: what it made, which nobody else knows yet.
  /// - Complexity: O(1).
  public func record(_ span: DecodeSpan, of bitmap: Bitmap? = nil) {
    state.withLock { spans in
      var span = span
      span.number = UInt64(spans.count) + 1
      bitmap?.setTraceNumber(span.number)
      spans.append(span)
    }
  }

  /// The decodes that are kept, in the order in which they ended.
  /// - Complexity: O(n) in the kept decodes.
  public var spans: [DecodeSpan] { spans(since: .distantPast) }

  /// The decodes that are kept and ended at a moment or later, in the order in which they ended.
  /// - Complexity: O(n) in what is returned.
  public func spans(since instant: FrameInstant) -> [DecodeSpan] {
    state.withLock { spans in spans.newestValues { $0.ended >= instant } }
  }

  /// How many decodes were noted in all, kept or not.
  public var count: Int { state.withLock { $0.count } }
}
