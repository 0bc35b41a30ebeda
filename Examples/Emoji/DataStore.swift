import CollectionUI
import ExampleSupport

/// The source of the emoji and of their ratings, which take time to load.
final class DataStore {
  /// The range of loading times, in milliseconds.
  static let delays = 100.0...700.0

  /// The number of emoji; the list repeats after its last one.
  let numberOfEmoji: Int
  private let seed: UInt64
  private var random: SeededRandom

  /// Creates a store.
  ///
  /// Equal seeds produce equal ratings, and equal loading times for the same order of calls.
  init(numberOfEmoji: Int = EmojiList.all.count, seed: UInt64) {
    self.numberOfEmoji = numberOfEmoji
    self.seed = seed
    random = SeededRandom(seed: seed)
  }

  /// Returns the emoji at an index.
  ///
  /// - Precondition: The index is not negative.
  func emoji(at index: Int) -> String { EmojiList.all[index % EmojiList.all.count] }

  /// Returns an operation that loads the rating at an index, or nil if there is none.
  func loadEmojiRating(at index: Int) -> DataLoadOperation? {
    guard (0..<numberOfEmoji).contains(index) else { return nil }
    let (emoji, seed) = (emoji(at: index), seed)
    let delay =
      DataStore.delays.lowerBound
      + random.nextFraction() * (DataStore.delays.upperBound - DataStore.delays.lowerBound)
    return DataLoadOperation(delay: .milliseconds(delay)) {
      EmojiRating(emoji: emoji, stars: DataStore.stars(of: index, seed: seed))
    }
  }

  /// Returns the better of two random ratings, so that few are low.
  private nonisolated static func stars(of index: Int, seed: UInt64) -> Int {
    var random = SeededRandom(seed: SeededRandom.mix(seed) ^ UInt64(index))
    return 1 + Int(max(random.nextFraction(), random.nextFraction()) * Double(EmojiRating.maximumStars))
  }
}

/// The emoji that the grid shows, each a single Unicode scalar.
enum EmojiList {
  /// All emoji, in the order of the grid.
  static let all: [String] = ranges.flatMap { range in
    range.compactMap(Unicode.Scalar.init).filter { isPicture($0) }.map { String(Character($0)) }
  }

  /// Food and plants, animals, faces, weather, celebrations and games, hands and people, objects, and vehicles.
  private static let ranges: [ClosedRange<UInt32>] = [
    0x1F330...0x1F37F, 0x1F950...0x1F96B, 0x1F400...0x1F43E, 0x1F981...0x1F9A2, 0x1F600...0x1F64F, 0x1F910...0x1F917,
    0x1F920...0x1F92F, 0x1F970...0x1F976, 0x1F30D...0x1F320, 0x1F380...0x1F3CA, 0x1F3E0...0x1F3F0, 0x1F440...0x1F4FC,
    0x1F680...0x1F6A8,
  ]

  /// Returns whether a scalar is an emoji by itself, in a Unicode version that fonts support.
  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.properties.isEmojiPresentation, let age = scalar.properties.age else { return false }
    return age.major <= 12
  }
}

/// An emoji with its rating.
nonisolated struct EmojiRating: Hashable, Sendable {
  /// The maximum number of stars.
  static let maximumStars = 5

  /// The emoji.
  let emoji: String
  /// The number of stars, from 1 to ``maximumStars``.
  let stars: Int

  /// The rating as a line of filled and empty stars, always the same number of characters.
  var text: String {
    String(repeating: "★", count: stars) + String(repeating: "☆", count: EmojiRating.maximumStars - stars)
  }
}
