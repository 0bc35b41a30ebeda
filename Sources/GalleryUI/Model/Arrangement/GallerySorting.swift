/// In which order the gallery's photographs stand within their sections.
public enum GallerySorting: String, CaseIterable, Sendable {
  /// By their names, folder by folder; pictures without files as they are listed.
  case name
  /// By when they were taken: the latest first, within a month of its own the earliest.
  case date
  /// By the bytes of their files, the largest first.
  case size
}
