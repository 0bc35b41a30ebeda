import VitrineFramePacing
import VitrineGalleryUI
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineThreads

/// A server with pictures and a list of them, which a session changes.
///
/// It is the truth with which the gallery is compared. A change is found when the list is read again.
nonisolated struct SimulatedServer: Sendable {
  /// What the network and the server do.
  enum Mode: Int, CaseIterable, Sendable {
    /// Everything is answered.
    case working
    /// Nothing can be reached, but may be soon.
    case unreachable
    /// The list is there, and its pictures are not.
    case missing
    /// The list ends after a half of its pictures.
    case brokenList
  }

  /// A picture of the list.
  struct Picture: Hashable, Sendable {
    var id: String
    var title: String
    /// The number of times that the picture was replaced, which is a part of its address.
    var version = 1
    /// A number that tells the pictures apart, on which their data depends.
    var number: Int
    var content: SimulatedDisk.Content

    var address: String { "https://pictures.example/\(number)/\(version)/\(content.rawValue).jpg" }

    /// The entry of the list.
    ///
    /// Some entries state no size, and some no date.
    var item: ManifestItem {
      let isUpright = content == .upright
      let size = PixelSize(width: isUpright ? 900 : 1_200, height: isUpright ? 1_200 : 900)
      return ManifestItem(
        id: id, address: address, addressDigest: RemoteImage(address: address).digest, title: title,
        size: number % 5 == 0 ? nil : size,
        captureTime: content == .undated ? nil : Int64(number * 37 % 300) * 86_400, likes: nil)
    }
  }

  /// The pictures, in the order of the list.
  private(set) var pictures: [Picture] = []
  /// What the server does now.
  var mode = Mode.working
  private var nextNumber = 1

  /// Creates a server with some pictures.
  init(pictures count: Int) {
    for number in 0..<max(0, count) {
      let content = SimulatedDisk.Content(rawValue: number / 7 % SimulatedDisk.Content.allCases.count)
      add(number % 7 == 3 ? content ?? .picture : .picture, at: pictures.count)
    }
  }

  private mutating func add(_ content: SimulatedDisk.Content, at index: Int) {
    let words = SimulatedDisk.searchableWords
    pictures.insert(
      Picture(
        id: "id\(nextNumber)", title: "\(words[nextNumber * 5 % words.count]) \(nextNumber)", number: nextNumber,
        content: content), at: index)
    nextNumber += 1
  }

  /// Changes pictures as a step says that changes files; steps of folders and disks do nothing.
  mutating func apply(_ event: SimulationEvent) {
    let numbers = event.numbers
    switch event.kind {
    case .add:
      let content = SimulatedDisk.Content(rawValue: numbers[2].magnitudeIndex(in: SimulatedDisk.Content.allCases.count))
      // At the end, at the start, or in between.
      let index = numbers[0].magnitudeIndex(in: pictures.count + 1)
      for _ in 0..<min(400, max(1, numbers[1])) { add(content ?? .picture, at: index) }
    case .write:
      guard !pictures.isEmpty else { return }
      let index = numbers[0].magnitudeIndex(in: pictures.count)
      let content = SimulatedDisk.Content(rawValue: numbers[1].magnitudeIndex(in: SimulatedDisk.Content.allCases.count))
      pictures[index].version += 1
      pictures[index].content = content ?? .picture
    case .remove:
      let first = numbers[0].magnitudeIndex(in: max(1, pictures.count))
      pictures.removeSubrange(first..<min(pictures.count, first + min(200, max(1, numbers[1]))))
    case .rename:
      guard !pictures.isEmpty else { return }
      // Moved as well, so that the list has another order.
      var picture = pictures.remove(at: numbers[0].magnitudeIndex(in: pictures.count))
      picture.title = "\(SimulatedDisk.searchableWords[picture.number % 3]) \(picture.number)"
      pictures.insert(picture, at: numbers[0].magnitudeIndex(in: pictures.count + 1))
    default: break
    }
  }
}

/// A feed that reads the list of a simulated server, part by part.
final class SimulatedListFeed: LibraryFeed {
  let title = "pictures.example"
  /// The server.
  var server: SimulatedServer
  /// The identifiers that were listed last, and those that stay besides because the list could not be read to its end.
  ///
  /// The gallery must show both.
  private(set) var listed: [String] = []
  private(set) var kept: Set<String> = []
  /// The titles and addresses of these pictures, as they were read last.
  private(set) var items: [String: ManifestItem] = [:]
  private(set) var isComplete = false
  private(set) var problem: String?

  private let gap: FrameDuration
  private let clock: any FrameClock
  /// The pictures of the list that is being read, which does not change meanwhile.
  private var unread: ArraySlice<SimulatedServer.Picture> = []
  private var isBroken = false
  private var due: FrameInstant?
  private var ready: [LibraryEvent] = []
  private var read: [String] = []
  private var isEnded = false

  private static let batchSize = 40

  /// Starts to read the list of a server.
  init(_ server: SimulatedServer, gap: FrameDuration, clock: any FrameClock) {
    (self.server, self.gap, self.clock) = (server, gap, clock)
    start()
  }

  var activity: String? { isComplete ? nil : "Reading the list…" }
  var progress: Double? { nil }
  var emptyTexts: (headline: String, hint: String) { ("No pictures", problem ?? "The list is empty.") }
  var hasPendingEvents: Bool { !ready.isEmpty }

  /// Whether nothing is left to read.
  var isIdle: Bool { isComplete && ready.isEmpty }

  /// The time of the next part.
  var nextStep: FrameInstant? { isEnded ? nil : due }

  func makeRecords(datesByFile: Bool) -> any PhotoRecords { ManifestRecords() }

  func takePendingEvents() -> [LibraryEvent] {
    defer { ready = [] }
    for case .finished in ready {
      isComplete = true
      kept = isBroken ? kept.union(listed).subtracting(read) : []
      listed = read
    }
    return ready
  }

  func rescan() -> Bool {
    start()
    return true
  }

  func end() { isEnded = true }

  private func start() {
    (isComplete, problem, ready, read) = (false, nil, [], [])
    due = clock.now() + gap
    isBroken = server.mode == .unreachable || server.mode == .brokenList
    switch server.mode {
    case .unreachable: unread = []
    case .brokenList: unread = server.pictures.prefix(server.pictures.count / 2)
    case .working, .missing: unread = server.pictures[...]
    }
  }

  /// Reads the parts that are due.
  func advance(to now: FrameInstant) {
    while !isEnded, let next = due, next <= now {
      let part = unread.prefix(SimulatedListFeed.batchSize)
      unread = unread.dropFirst(part.count)
      if !part.isEmpty {
        read += part.map(\.id)
        for picture in part { items[picture.id] = picture.item }
        ready.append(.entries(part.map(\.item), list: 0, isFromPublicServer: true))
      }
      due = next + gap
      if unread.isEmpty {
        due = nil
        if isBroken {
          problem = "The list could not be read"
          ready.append(.unread(list: 0))
        }
        ready.append(.finished(ScanSummary()))
      }
    }
  }
}

/// A downloader of pictures that are not there: it answers at once with the address, and as the server does.
nonisolated final class SimulatedDownloader: ImageDownloader {
  private let mode = Lock(SimulatedServer.Mode.working)

  /// Sets what the network and the server do.
  func set(_ mode: SimulatedServer.Mode) { self.mode.withLock { $0 = mode } }

  @MainActor
  func download(
    _ image: RemoteImage, deadline: FrameInstant,
    completion: @escaping @Sendable (Result<StoredImage, ImageFailure>) -> Void
  ) -> (any Deferrable)? {
    switch mode.withLock({ $0 }) {
    case .unreachable: completion(.failure(.download(reason: "no connection", isTransient: true)))
    case .missing: completion(.failure(.download(reason: "not found", isTransient: false)))
    case .working, .brokenList:
      // The name of the file is what is in it.
      let content = Int(image.address.split(separator: "/").last?.prefix { $0 != "." } ?? "") ?? 0
      completion(
        .success(
          StoredImage(
            path: Array(image.address.utf8), version: image.digest,
            byteCount: Int(image.digest % 400_000) * 16 + content)))
    }
    return nil
  }
}
