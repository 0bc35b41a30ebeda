/// Which items of a HEIC are made of which others (ISO/IEC 14496-12, section 8.11.12).
///
/// libheif follows them without looking whether they lead back to where it came from, and has no end of stack.
struct ItemReferences {
  private struct Need: Hashable {
    /// The item that is made.
    var item: Int
    /// The item that it is made of.
    var part: Int
  }

  private let needs: [Need]
  private let isTooLong: Bool

  /// An item that is made of items that are made of items, and so on: so many at most.
  private static let mostLevels = 16
  private static let mostNeeds = 1 << 16

  /// Reads them; there are none where the boxes make no sense.
  init(_ bytes: UnsafeRawBufferPointer) {
    let file = FileReader(bytes)
    var needs: [Need] = []
    var isTooLong = false
    func boxes(in range: Range<Int>) -> [(name: String, content: Range<Int>)] {
      let boxes = ItemBoxes.boxes(file, in: range)
      if boxes.count == ItemBoxes.mostBoxes { isTooLong = true }
      return boxes
    }
    for meta in boxes(in: 0..<file.count) where meta.name == "meta" {
      for box in boxes(in: meta.content.dropFirst(4)) where box.name == "iref" {
        let idBytes = file.byte(box.content.lowerBound) == 0 ? 2 : 4
        for reference in boxes(in: box.content.dropFirst(4)) {
          let start = reference.content.lowerBound
          guard reference.name == "dimg" || reference.name == "auxl", let from = file.big(start, bytes: idBytes),
            let count = file.big(start + idBytes, bytes: 2)
          else { continue }
          for index in 0..<count {
            let place = start + idBytes + 2 + index * idBytes
            guard place + idBytes <= reference.content.upperBound, let to = file.big(place, bytes: idBytes) else {
              break
            }
            // A picture is made of its tiles, and of the alpha that says whose it is.
            needs.append(reference.name == "dimg" ? Need(item: from, part: to) : Need(item: to, part: from))
          }
          if needs.count > ItemReferences.mostNeeds { isTooLong = true }
          if isTooLong { break }
        }
      }
    }
    self.needs = needs
    self.isTooLong = isTooLong
  }

  /// Whether every item is made of others in a few steps, and none of itself.
  ///
  /// - Complexity: O(references), for each level.
  var areSound: Bool {
    guard !isTooLong else { return false }
    var left = needs
    for _ in 0..<ItemReferences.mostLevels where !left.isEmpty {
      let unfinished = Set(left.map(\.item))
      left.removeAll { !unfinished.contains($0.part) }
    }
    return left.isEmpty
  }
}
