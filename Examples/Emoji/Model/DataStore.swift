import DataStructures
import FramePacing

/// The emoji, and where their ratings come from: slowly, each in its own time.
final class DataStore {
  /// How long a rating takes to load, in milliseconds.
  static let delays = 100.0...700.0

  /// How many there are.
  let numberOfEmoji: Int
  private let seed: UInt64
  private var random: SplitMix64

  /// Makes a store of so many emoji, which begin again once all were named; equal seeds give equal ratings, and equal delays
  /// to what is loaded in the same order.
  init(numberOfEmoji: Int = EmojiList.all.count, seed: UInt64) {
    self.numberOfEmoji = numberOfEmoji
    self.seed = seed
    random = SplitMix64(seed: seed)
  }

  /// The emoji at an index, which is there at once.
  /// - Precondition: 0 or more.
  func emoji(at index: Int) -> String { EmojiList.all[index % EmojiList.all.count] }

  /// What loads the rating at an index; nothing where there is none.
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

  /// The better of two lots: few are disliked.
  private nonisolated static func stars(of index: Int, seed: UInt64) -> Int {
    var random = SplitMix64(seed: SplitMix64.mix(seed) ^ UInt64(index))
    return 1 + Int(max(random.nextFraction(), random.nextFraction()) * Double(EmojiRating.most))
  }
}
