import PhotoLibrary

/// Writes the paths of many photographs, a portion at a time: a pure machine.
nonisolated struct PathCopy: Sendable {
  /// How they are written.
  let form: PathListText.Format
  /// What is written so far: a line each, the last without an end.
  private(set) var text: [UInt8] = []
  /// How many paths that is.
  private(set) var count = 0
  /// Whether all are written.
  var isComplete: Bool { nextIndex == items.count }

  private let items: [PhotoID]
  private var nextIndex = 0

  /// Begins with none.
  init(of items: [PhotoID], as form: PathListText.Format) {
    self.items = items
    self.form = form
  }

  /// Writes some more.
  ///
  /// - Parameters:
  ///   - most: how many.
  ///   - place: where a photograph is; nothing where it has no file, or is there no more.
  mutating func advance(atMost most: Int, location: (PhotoID) -> PictureLocation?) {
    let end = min(items.count, nextIndex + most)
    for item in items[nextIndex..<end] {
      guard let place = location(item) else { continue }
      PathListText.append(place, to: &text, as: form)
      count += 1
    }
    nextIndex = end
  }
}
