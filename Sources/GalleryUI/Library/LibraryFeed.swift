public import PhotoLibrary

/// A source of photographs for the gallery: a folder scan, generated pictures, or an album.
public protocol LibraryFeed: AnyObject {
  /// The title of the library.
  var title: String { get }
  /// Whether events are pending.
  var hasPendingEvents: Bool { get }
  /// Whether the last event has been taken.
  var isComplete: Bool { get }
  /// A short description of the current activity, or nil if there is none.
  var activity: String? { get }
  /// The progress of the current activity, 0 to 1, or nil if it is unknown.
  var progress: Double? { get }
  /// The texts of an empty window: the headline, and the hint below it.
  var emptyTexts: (headline: String, hint: String) { get }

  /// Creates the records to which the events are applied.
  ///
  /// - Parameter datesByFile: Whether the modification date of a file is used as its capture date if the file has none.
  func makeRecords(datesByFile: Bool) -> any PhotoRecords

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

  /// Ends all activity and removes temporary data.
  ///
  /// This must be the last call.
  func end()
}

extension LibraryFeed {
  /// Creates a catalogue, which suits feeds of files.
  public func makeRecords(datesByFile: Bool) -> any PhotoRecords {
    var catalogue = PhotoCatalogue()
    catalogue.datesByFile = datesByFile
    return catalogue
  }
}

/// An opener of files that are dropped on the window.
///
/// It checks them in the background, because disks and networks may be slow.
public protocol LibraryOpener: AnyObject {
  /// Starts to check paths, given by their bytes.
  ///
  /// A check that is still running is abandoned.
  func open(_ paths: [[UInt8]])

  /// Abandons the current check.
  ///
  /// ``takeResult()`` returns nil until there is a result of another drop.
  ///
  /// A system call that is blocked by a disk or network cannot be cancelled, but no caller waits for it.
  func cancel()

  /// Whether ``takeResult()`` returns a result.
  var hasPendingResult: Bool { get }

  /// Takes the result of the last drop, once.
  func takeResult() -> LibraryOpenResult?
}

/// The result of opening dropped files.
public enum LibraryOpenResult {
  /// The feed, and the picture to select if a single picture was dropped.
  case success(any LibraryFeed, pathToReveal: PhotoPath?)
  /// The reason why the files cannot be opened, in one line.
  case failure(String)
}
