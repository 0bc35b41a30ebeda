/// How the gallery places its photographs.
public enum GalleryLayoutKind: String, CaseIterable, Sendable {
  /// Places of one size, with names.
  case grid
  /// Rows that fill the width, each picture in its own shape.
  case justified
  /// Large pictures among small ones.
  case mosaic
  /// A row for each photograph, with what is known of it.
  case list
}
