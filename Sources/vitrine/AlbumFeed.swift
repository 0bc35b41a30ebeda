import GalleryUI
import PhotoLibrary
import SampleLibrary

/// Fills the gallery with pictures that have no files: all of them are there at once, and nothing is kept of any.
final class SyntheticFeed: LibraryFeed {
  let title = "Synthetic pictures"
  private let album: SketchAlbum
  private let count: Int
  private(set) var isComplete = false

  /// Makes the feed of an album's first pictures.
  init(_ album: SketchAlbum, count: Int) {
    self.album = album
    self.count = count
  }

  func makeRecords(datesByFile: Bool) -> any PhotoRecords { AlbumRecords(SketchAlbumAdapter(album: album)) }

  var hasPendingEvents: Bool { !isComplete }

  var activity: String? { nil }

  var progress: Double? { nil }

  var emptyTexts: (headline: String, hint: String) { ("No pictures", "None were asked for.") }

  func takePendingEvents() -> [LibraryEvent] {
    guard !isComplete else { return [] }
    isComplete = true
    var summary = ScanSummary()
    summary.found = count
    return [.listed(upTo: count), .finished(summary)]
  }

  /// What is computed is as it was.
  func rescan() -> Bool { false }

  func end() {}
}
