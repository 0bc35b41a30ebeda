import DataStructures

/// The posts by identifier.
final class PostStore {
  private(set) var ids: [DestinationPost.ID] = []
  private var posts: [DestinationPost.ID: DestinationPost] = [:]

  /// Invents posts.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - seed: which ones.
  ///   - title: what a picture is called.
  init(count: Int, seed: UInt64, title: (DestinationPost.AssetID) -> String) {
    var random = SplitMix64(seed: seed ^ 0x5EED)
    for id in 0..<count {
      posts[id] = DestinationPost(
        id: id, region: Self.regions[Int(random.next() % UInt64(Self.regions.count))], title: title(id),
        caption: Self.caption(&random), likes: Int(random.next() % 4_800) + 12, assetID: id)
      ids.append(id)
    }
  }

  /// A post, if there is one.
  func fetchByID(_ id: DestinationPost.ID) -> DestinationPost? { posts[id] }

  /// People like a post.
  func like(_ id: DestinationPost.ID, times: Int) { posts[id]?.likes += times }

  private static func caption(_ random: inout SplitMix64) -> String {
    let first = Int(random.next() % UInt64(sentences.count))
    let count = Int(random.next() % 3) + 1
    return (0..<count).map { sentences[(first + $0 * 5) % sentences.count] }.joined(separator: " ")
  }

  private static let regions = [
    "Varnholm", "Estrel Coast", "Ondara", "Upper Kelm", "Sorrow Vale", "Tessen", "The Hollows", "Maravay",
    "Brackenfell",
    "Isle of Aun", "Hart Hills", "Lower Ystad", "Cape Merrow", "Quillan",
  ]

  private static let sentences = [
    "Best before breakfast.", "The path begins behind the chapel and never quite ends.", "Bring a coat.",
    "Ferries leave at seven, and again when the fog allows.", "Nobody here is in a hurry.",
    "Two days on foot, or twenty minutes by the post bus, which stops for sheep.", "Stay for the light.",
    "The inn has four rooms and a good cook.", "Go in the week after the harvest, when the roads are empty.",
    "Worth the detour.", "There is no signal, and soon you will not miss it.",
  ]
}
