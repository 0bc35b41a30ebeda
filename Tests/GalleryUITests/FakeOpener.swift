import GalleryUI

/// An opener whose outcomes a test decides.
final class FakeOpener: LibraryOpener {
  /// What was dropped, drop by drop.
  private(set) var asked: [[[UInt8]]] = []
  /// What became of the last one; nothing while it is looked at.
  var outcome: LibraryOpenResult?

  func open(_ paths: [[UInt8]]) {
    asked.append(paths)
    outcome = nil
  }

  /// How often nobody wanted to know any more.
  private(set) var givenUp = 0

  func cancel() {
    givenUp += 1
    outcome = nil
  }

  var hasPendingResult: Bool { outcome != nil }

  func takeResult() -> LibraryOpenResult? {
    defer { outcome = nil }
    return outcome
  }
}
