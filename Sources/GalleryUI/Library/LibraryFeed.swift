package import VitrinePhotoLibrary

/// A source of photographs for the gallery: a folder scan, generated pictures, or an album.
package protocol LibraryFeed: AnyObject {
  /// The title of the library.
  var title: String { get }
  /// Whether events are pending.
  var hasPendingEvents: Bool { get }
  /// Whether the last event has been taken.
  var isComplete: Bool { get }
  /// A short description of the current activity, or nil if there is none.
  var activity: String? { get }
  /// What could not be read, as a sentence without a full stop, or nil if nothing is known or ``ScanProblem`` states it.
  var problem: String? { get }
  /// The progress of the current activity, 0 to 1, or nil if it is unknown.
  var progress: Double? { get }
  /// The texts of an empty window: the headline, and the hint below it.
  var emptyTexts: (headline: String, hint: String) { get }

  /// Creates the records to which the events are applied.
  ///
  /// - Parameter datesByFile: Whether the modification date of a file is used as its capture date if the file has none.
  func makeRecords(datesByFile: Bool) -> any PhotoRecords

  /// The roots of the library, in the order in which they are scanned; empty if it has no folders.
  var roots: [PhotoPath] { get }
  /// Whether the library must be read again, because it was restored or because changes were lost.
  var needsRescan: Bool { get }

  /// Whether changes in some folders are found late, because the system watches no further folders.
  var hasReachedWatchLimit: Bool { get }

  /// Takes the library as an earlier run knew it; nil if nothing is known about it, or while it is being read.
  ///
  /// A feed may return a part of it first. Photographs of the part have the same identifiers in the next result.
  /// ``isComplete`` is true after the last result, and no event is pending before.
  func takeRestoredRecords() -> (any PhotoRecords)?

  /// Takes the next events, in order.
  ///
  /// With a simulated clock, waits until a whole batch is available.
  func takePendingEvents() -> [LibraryEvent]

  /// Starts a rescan that finds added, removed and changed photographs.
  ///
  /// The following events belong to it.
  ///
  /// - Precondition: ``isComplete``.
  /// - Returns: Whether there is anything to scan.
  func rescan() -> Bool

  /// Reads folders again after a while, because files in them could not be read.
  func retry(_ folders: Set<PhotoPath>)

  /// Whether the library is everything in the file system, which takes long to read.
  var readsWholeFileSystem: Bool { get }

  /// Stops the scan; the library then contains what was found until now.
  func stopReading()

  /// Ends all activity and removes temporary data.
  ///
  /// This must be the last call.
  func end()
}

extension LibraryFeed {
  /// Returns nil: problems are those of folders.
  package var problem: String? { nil }

  /// Returns no roots.
  package var roots: [PhotoPath] { [] }

  /// Returns false: nothing is watched.
  package var hasReachedWatchLimit: Bool { false }

  /// Does nothing: no files were read.
  package func retry(_ folders: Set<PhotoPath>) {}

  /// Returns false: the library is a part of the file system, or none.
  package var readsWholeFileSystem: Bool { false }

  /// Does nothing: what is read is read soon.
  package func stopReading() {}

  /// Returns false: nothing is restored.
  package var needsRescan: Bool { false }

  /// Returns nil: nothing is restored.
  package func takeRestoredRecords() -> (any PhotoRecords)? { nil }

  /// Creates a catalogue, which suits feeds of files.
  package func makeRecords(datesByFile: Bool) -> any PhotoRecords {
    var catalogue = PhotoCatalogue()
    catalogue.datesByFile = datesByFile
    return catalogue
  }
}
