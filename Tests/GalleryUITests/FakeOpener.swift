import GalleryUI

/// An opener whose outcomes a test decides.
final class FakeOpener: LibraryOpener {
  /// What was dropped, drop by drop.
  private(set) var asked: [[[UInt8]]] = []
  /// What became of the last one; nothing while it is looked at.
  var outcome: LibraryOpening?

  func open(_ paths: [[UInt8]]) {
    asked.append(paths)
    outcome = nil
  }

  /// How often nobody wanted to know any more.
  private(set) var givenUp = 0

  func giveUp() {
    givenUp += 1
    outcome = nil
  }

  var hasPending: Bool { outcome != nil }

  func take() -> LibraryOpening? {
    defer { outcome = nil }
    return outcome
  }
}
