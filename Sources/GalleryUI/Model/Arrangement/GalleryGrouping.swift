/// By what the gallery's photographs are put into sections.
public enum GalleryGrouping: String, CaseIterable, Sendable {
  /// All in one, in the order of the scan.
  case none
  /// A section for each folder, in the order of the scan.
  case folder
  /// A section for each month, the latest first; within it the earlier photograph comes first.
  case month
}
