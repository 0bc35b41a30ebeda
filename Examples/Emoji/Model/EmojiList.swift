/// The emoji that are shown: pictures of one scalar each, as old as the fonts that have them.
enum EmojiList {
  /// All of them, in the order of the grid.
  static let all: [String] = ranges.flatMap { range in
    range.compactMap(Unicode.Scalar.init).filter { isPicture($0) }.map { String(Character($0)) }
  }

  /// Food and plants, animals, faces, weather, celebrations and games, hands and people, things, ways to travel.
  private static let ranges: [ClosedRange<UInt32>] = [
    0x1F330...0x1F37F, 0x1F950...0x1F96B, 0x1F400...0x1F43E, 0x1F981...0x1F9A2, 0x1F600...0x1F64F, 0x1F910...0x1F917,
    0x1F920...0x1F92F, 0x1F970...0x1F976, 0x1F30D...0x1F320, 0x1F380...0x1F3CA, 0x1F3E0...0x1F3F0, 0x1F440...0x1F4FC,
    0x1F680...0x1F6A8,
  ]

  /// Whether it is a picture by itself, in a version of Unicode that fonts have.
  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.properties.isEmojiPresentation, let age = scalar.properties.age else { return false }
    return age.major <= 12
  }
}
