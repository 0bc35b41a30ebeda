import CollectionUI
import ExampleSupport
import VitrineThreads

/// A post about a destination; everything except its identifiers can change.
struct DestinationPost: Identifiable {
  /// The identifier of a picture.
  typealias AssetID = Int

  let id: Int
  var region: String
  var title: String
  var caption: String
  var likes: Int
  let assetID: AssetID
}

/// The posts by identifier.
final class PostStore {
  private(set) var ids: [DestinationPost.ID] = []
  private var posts: [DestinationPost.ID: DestinationPost] = [:]

  /// Creates synthetic posts.
  ///
  /// - Parameters:
  ///   - count: The number of posts.
  ///   - seed: The seed of the generator.
  ///   - title: A closure that returns the title of a picture.
  init(count: Int, seed: UInt64, title: (DestinationPost.AssetID) -> String) {
    var random = SeededRandom(seed: seed ^ 0x5EED)
    for id in 0..<count {
      posts[id] = DestinationPost(
        id: id, region: Self.regions[Int(random.next() % UInt64(Self.regions.count))], title: title(id),
        caption: Self.caption(&random), likes: Int(random.next() % 4_800) + 12, assetID: id)
      ids.append(id)
    }
  }

  /// Returns the post with an identifier, or nil if there is none.
  func fetchByID(_ id: DestinationPost.ID) -> DestinationPost? { posts[id] }

  /// Adds likes to a post.
  func like(_ id: DestinationPost.ID, times: Int) { posts[id]?.likes += times }

  private static func caption(_ random: inout SeededRandom) -> String {
    let first = Int(random.next() % UInt64(sentences.count))
    let count = Int(random.next() % 3) + 1
    return (0..<count).map { sentences[(first + $0 * 5) % sentences.count] }.joined(separator: " ")
  }

  private static let regions = [
    "Varnholm", "Estrel Coast", "Ondara", "Upper Kelm", "Sorrow Vale", "Tessen", "The Hollows", "Maravay",
    "Brackenfell", "Isle of Aun", "Hart Hills", "Lower Ystad", "Cape Merrow", "Quillan",
  ]

  private static let sentences = [
    "Best before breakfast.", "The path begins behind the chapel and never quite ends.", "Bring a coat.",
    "Ferries leave at seven, and again when the fog allows.", "Nobody here is in a hurry.",
    "Two days on foot, or twenty minutes by the post bus, which stops for sheep.", "Stay for the light.",
    "The inn has four rooms and a good cook.", "Go in the week after the harvest, when the roads are empty.",
    "Worth the detour.", "There is no signal, and soon you will not miss it.",
  ]
}

/// A seeded sequence of likes, the same on every clock.
///
/// On a real-time clock a thread wakes the loop; on a simulated clock the loop reads ``nextLike``.
final class LikeTicker {
  /// The time of the next like, or nil if there are no likes.
  private(set) var nextLike: FrameInstant?
  private var random: SeededRandom
  private let interval: FrameDuration
  /// Whether the thread ends.
  private let isStopped = Lock(false)
  private var thread: WorkerThread?

  /// Creates a ticker.
  ///
  /// - Parameters:
  ///   - rate: The average number of likes per second, or 0 for none.
  ///   - seed: The seed of the intervals.
  ///   - clock: The clock of the frame loop.
  ///   - waker: The waker of the loop, called once per interval on a real-time clock.
  /// - Throws: `ThreadError` if the system cannot start a thread.
  init(rate: Double, seed: UInt64, clock: any FrameClock, waker: any LoopWaker) throws {
    random = SeededRandom(seed: seed ^ 0x11CE)
    interval = rate > 0 ? .seconds(1 / rate) : .zero
    guard rate > 0 else { return }
    nextLike = clock.now() + interval
    guard !clock.kind.isSimulated else { return }
    let isStopped = isStopped
    let pause = Duration.nanoseconds(interval.nanoseconds)
    thread = try WorkerThread(name: "likes") {
      while isStopped.wait(atMost: pause, until: { $0 ? () : nil }) == nil { waker.wake() }
    }
  }

  /// Removes and returns the likes up to an instant.
  ///
  /// - Returns: A random number for each like, which selects the post.
  func takeLikes(by now: FrameInstant) -> [UInt64] {
    var likes: [UInt64] = []
    while let instant = nextLike, instant <= now {
      likes.append(random.next())
      nextLike = instant + interval * (0.5 + random.nextFraction())
      // After a long pause the missed likes are dropped.
      if likes.count >= 16 { nextLike = now + interval }
    }
    return likes
  }

  /// Ends the thread.
  func shutdown() {
    isStopped.withLock { $0 = true }
    isStopped.wakeAll()
    thread?.join()
  }
}
