public import PhotoLibrary

/// What fills the gallery: a scan of folders, pictures that are painted one after the other, or an album that has none.
public protocol LibraryFeed: AnyObject {
  /// What the bar calls the library.
  var title: String { get }
  /// Whether events wait to be taken.
  var hasPendingEvents: Bool { get }
  /// Whether the last event was taken.
  var isComplete: Bool { get }
  /// What is going on, in a few words; nothing when nothing is.
  var activity: String? { get }
  /// How far that has come, 0 to 1, where that is known.
  var progress: Double? { get }
  /// What an empty window says in large type, and what beneath.
  var emptyTexts: (headline: String, hint: String) { get }

  /// Makes what keeps what its events tell.
  ///
  /// - Parameter datesByFile: whether a photograph without a date of its own has that of its file.
  func makeRecords(datesByFile: Bool) -> any PhotoRecords

  /// Takes the next events, in order; on a simulated clock waits until a whole portion is there.
  func takePendingEvents() -> [LibraryEvent]

  /// Begins again, to find what was added, removed or changed since; the events are those of another scan.
  ///
  /// - Precondition: ``isComplete``.
  /// - Returns: whether there is anything to read again.
  func rescan() -> Bool

  /// Ends what goes on and removes what is not to be kept. The last call.
  func end()
}

extension LibraryFeed {
  /// Makes a catalogue, as most feeds tell of files.
  public func makeRecords(datesByFile: Bool) -> any PhotoRecords {
    var catalogue = PhotoCatalogue()
    catalogue.datesByFile = datesByFile
    return catalogue
  }
}
