/// A list in pieces that copies share: a change after a copy copies one piece and the list of pieces, not every element.
struct PiecedList<Element> {
  private static var pieceBits: Int { 8 }
  private static var pieceMask: Int { 255 }

  private var pieces: [[Element]] = []

  /// The number of elements.
  private(set) var count = 0

  subscript(index: Int) -> Element {
    get { pieces[index >> Self.pieceBits][index & Self.pieceMask] }
    set { pieces[index >> Self.pieceBits][index & Self.pieceMask] = newValue }
  }

  mutating func append(_ element: Element) {
    if count & Self.pieceMask == 0 { pieces.append([]) }
    pieces[count >> Self.pieceBits].append(element)
    count += 1
  }
}

extension PiecedList: Sendable where Element: Sendable {}
