/// The extents of the characters of a line of text, for carets, selections and the character under the pointer.
///
/// Characters are Swift's: what the user perceives as one. Positions are between characters: position 0 is before the first
/// one, and the last position after the last one.
public struct LineGeometry: Hashable, Sendable {
  /// A character's extent.
  public struct Character: Hashable, Sendable {
    /// The columns in pixels from the start of the line.
    public var columns: Range<Int>
    /// Whether the character is written from right to left.
    public var isRightToLeft: Bool

    /// Creates an extent.
    public init(columns: Range<Int>, isRightToLeft: Bool = false) {
      self.columns = columns
      self.isRightToLeft = isRightToLeft
    }
  }

  /// The characters, in the order of the text.
  public let characters: [Character]
  /// Whether the base direction of the line is from right to left.
  public let isRightToLeft: Bool
  /// The width of the line in pixels.
  public let width: Int

  /// Creates a geometry.
  public init(characters: [Character], isRightToLeft: Bool = false) {
    self.characters = characters
    self.isRightToLeft = isRightToLeft
    width = characters.reduce(0) { max($0, $1.columns.upperBound) }
  }

  /// Creates the geometry of a line from left to right.
  ///
  /// - Parameter advances: The widths of the line's first characters: of none, of one, and so on to all.
  public init(advances: [Int]) {
    self.init(
      characters: zip(advances, advances.dropFirst()).map { Character(columns: $0..<max($0, $1)) })
  }

  /// Returns the column of the caret at a position: the edge at which the character that follows it starts.
  ///
  /// At the end of the line, the edge at which the last character ends.
  public func caretColumn(at position: Int) -> Int {
    if characters.indices.contains(position) {
      let next = characters[position]
      return next.isRightToLeft ? next.columns.upperBound : next.columns.lowerBound
    }
    guard let last = characters.last else { return 0 }
    return last.isRightToLeft ? last.columns.lowerBound : last.columns.upperBound
  }

  /// Returns the position nearest to a column: before or after the character that is displayed there.
  ///
  /// - Complexity: O(characters).
  public func position(at column: Int) -> Int {
    guard !characters.isEmpty else { return 0 }
    if column < 0 { return isRightToLeft ? characters.count : 0 }
    if column >= width { return isRightToLeft ? 0 : characters.count }
    var (nearest, distance) = (0, Int.max)
    for (index, character) in characters.enumerated() where !character.columns.isEmpty {
      let columns = character.columns
      let away = columns.contains(column) ? 0 : min(abs(column - columns.lowerBound), abs(column - columns.upperBound))
      guard away < distance else { continue }
      let isLeftHalf = 2 * column < columns.lowerBound + columns.upperBound
      (nearest, distance) = (isLeftHalf == character.isRightToLeft ? index + 1 : index, away)
    }
    return nearest
  }

  /// Returns the columns of the characters between two positions, merged where they touch, in ascending order.
  ///
  /// - Complexity: O(n log n) for n characters.
  public func columns(of positions: Range<Int>) -> [Range<Int>] {
    let selected = characters[positions.clamped(to: characters.indices)].map(\.columns).filter { !$0.isEmpty }
    var merged: [Range<Int>] = []
    for columns in selected.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, columns.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, columns.upperBound)
      } else {
        merged.append(columns)
      }
    }
    return merged
  }
}
