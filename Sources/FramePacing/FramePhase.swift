/// The steps of one frame, in their order.
public enum FramePhase: Int, CaseIterable, Sendable {
  /// Input is drained, coalesced and stamped.
  case events
  /// Physics and animations are evaluated at the frame's target time.
  case update
  /// Finished work of other threads is taken in.
  case collect
  /// The visible rectangle becomes a range of items.
  case layout
  /// Entering cells are prepared, and the display list is built.
  case commit
  /// Decoded bitmaps become textures, within a budget.
  case upload
  /// The display list is drawn.
  case raster
  /// Work ahead, while the deadline is far enough.
  case slack
  /// The frame is shown.
  case present

  /// The name in reports.
  public var name: String {
    switch self {
    case .events: "events"
    case .update: "update"
    case .collect: "collect"
    case .layout: "layout"
    case .commit: "commit"
    case .upload: "upload"
    case .raster: "raster"
    case .slack: "slack"
    case .present: "present"
    }
  }
}
