public import PhotoLibrary

/// Opens what is dropped on the window: looks at it beside the frames, as a disk or a network may take its time.
public protocol LibraryOpener: AnyObject {
  /// Begins to look at places by the bytes of their paths; an earlier drop that is still looked at is given up.
  func open(_ paths: [[UInt8]])

  /// Nobody wants to know any more what becomes of the last drop: ``take()`` has nothing to return until another one came.
  ///
  /// A question to a disk or a network that does not answer cannot be taken back; it is waited for by nobody.
  func cancel()

  /// Whether ``take()`` has something to return.
  var hasPendingResult: Bool { get }

  /// Takes what became of the last drop, once.
  func takeResult() -> LibraryOpenResult?
}

/// What became of places that were to be opened.
public enum LibraryOpenResult {
  /// A feed of them, and the photograph that was meant where it was one.
  case success(any LibraryFeed, wanted: PhotoPath?)
  /// Why they cannot be opened, in a line.
  case failure(String)
}
