import PhotoLibrary

/// Writes the paths of many photographs, a portion at a time: a pure machine.
nonisolated struct PathCopy: Sendable {
  /// How they are written.
  let form: PathText.Form
  /// What is written so far: a line each, the last without an end.
  private(set) var text: [UInt8] = []
  /// How many paths that is.
  private(set) var count = 0
  /// Whether all are written.
  var isComplete: Bool { next == items.count }

  private let items: [PhotoID]
  private var next = 0

  /// Begins with none.
  init(of items: [PhotoID], as form: PathText.Form) {
    self.items = items
    self.form = form
  }

  /// Writes some more.
  ///
  /// - Parameters:
  ///   - most: how many.
  ///   - place: where a photograph is; nothing where it has no file, or is there no more.
  mutating func advance(atMost most: Int, place: (PhotoID) -> PicturePlace?) {
    let end = min(items.count, next + most)
    for item in items[next..<end] {
      guard let place = place(item) else { continue }
      PathText.append(place, to: &text, as: form)
      count += 1
    }
    next = end
  }
}
