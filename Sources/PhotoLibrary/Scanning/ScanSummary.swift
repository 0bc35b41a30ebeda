/// What a scan came to.
public struct ScanSummary: Hashable, Sendable {
  /// Photographs found.
  public var found = 0
  /// Folders listed, wholly or in part.
  public var folders = 0
  /// Folders that could not be read, or not wholly.
  public var problems = 0
  /// Whether it was stopped before its end.
  public var wasCancelled = false

  /// Makes the summary of a scan that found nothing.
  public init() {}
}
