import PhotoLibrary
import Rendering

/// A section of the gallery.
nonisolated enum GallerySection: Hashable, Sendable {
  /// All photographs in the order of their names.
  case all
  /// Those of a folder, without those of the folders within.
  case folder(PhotoPath)
  /// Those of a month.
  case month(CalendarMonth)
  /// Those of which nobody knows when they were taken.
  case undated

  /// What its header says.
  var title: String {
    switch self {
    case .all: "All photographs"
    case .folder(let path): SanitizedText(bytes: path.absolute.lastComponent).string
    case .month(let month): month.name
    case .undated: "Without a date"
    }
  }

  /// Whether it stands before another one among months: later ones do, and those without a date come last.
  func precedes(_ other: GallerySection) -> Bool {
    switch (self, other) {
    case (.month(let one), .month(let another)): one > another
    case (.month, .undated): true
    default: false
    }
  }
}
