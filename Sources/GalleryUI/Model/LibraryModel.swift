import DecodingProtocol
import ImageMetadata
import ImagePipeline
public import PhotoLibrary
import Rendering

/// The photographs of the gallery and what is known of each.
///
/// A feed's events go in; what changed comes out, by identifier.
public final class LibraryModel {
  /// What a portion of events changed.
  struct News {
    /// New photographs, in their final order.
    var added: [PhotoID] = []
    /// Photographs whose facts changed.
    var changed: [PhotoID] = []
    /// Whether anything at all came, counts and progress included.
    var isNews = false
    /// The photograph that the program was asked to open, if it is among the new ones.
    var wantedArrived: PhotoID?

    /// Joins the news of the portion after this one.
    mutating func add(_ next: News) {
      added += next.added
      changed += next.changed
      isNews = isNews || next.isNews
      wantedArrived = wantedArrived ?? next.wantedArrived
    }
  }

  /// All photographs, by identifier.
  public private(set) var catalogue = PhotoCatalogue()
  /// Folders that could not be read, in the order of the scan.
  public private(set) var problems: [ScanProblem] = []
  /// Photographs in the grid.
  public private(set) var count = 0

  private let feed: any LibraryFeed
  /// Photographs that cannot be shown, as far as their files tell.
  private(set) var failed: Set<PhotoID> = []

  /// The photograph that the program was asked to open, once it was found.
  private(set) var wanted: PhotoID?
  private let wantedPath: PhotoPath?

  /// Makes the model of a feed.
  ///
  /// - Parameters:
  ///   - feed: what fills it.
  ///   - wantedPath: the photograph to bring into view once it is found.
  public init(feed: any LibraryFeed, wantedPath: PhotoPath? = nil) {
    self.feed = feed
    self.wantedPath = wantedPath
  }

  /// Whether this is the photograph that the program was asked to open.
  func isWanted(_ item: PhotoID) -> Bool { item == wanted }

  // MARK: Events

  /// Whether events wait to be taken.
  var hasPending: Bool { feed.hasPending }

  /// Whether all photographs are known.
  public var isComplete: Bool { feed.isComplete }

  /// Takes the feed's next events.
  func take() -> News {
    var news = News()
    for event in feed.take() {
      news.isNews = true
      if case .problem(let problem) = event { problems.append(problem) }
      let change = catalogue.apply(event)
      news.added += change.added
      news.changed += change.changed
    }
    count += news.added.count
    if wanted == nil, let wantedPath, let item = catalogue.id(at: wantedPath) {
      wanted = item
      news.wantedArrived = item
    }
    for item in news.changed + news.added {
      if catalogue.failure(of: item) == nil { failed.remove(item) } else { failed.insert(item) }
    }
    return news
  }

  // MARK: Photographs

  /// A photograph's name as a caption shows it.
  func caption(of item: PhotoID) -> String {
    catalogue.name(of: item).map { CaptionText(bytes: $0).string } ?? ""
  }

  /// Why a photograph cannot be shown, in a few words, as far as its file tells.
  func failure(of item: PhotoID) -> String? { catalogue.failure(of: item)?.description }

  /// Why a photograph's picture cannot be had, in a few words; a format without a decoder by its name.
  func words(for failure: ImageFailure, of item: PhotoID) -> String {
    if case .refused(.unsupportedFormat) = failure, let format = catalogue.header(of: item)?.format {
      return "no preview for \(format.name)"
    }
    return failure.description
  }

  /// What the image pipeline needs to know of a photograph; nothing of one that is known not to be shown.
  func reference(to item: PhotoID) -> PhotoReference? {
    guard catalogue.failure(of: item) == nil, let path = catalogue.path(of: item),
      let identity = catalogue.identity(of: item)
    else { return nil }
    return PhotoReference(
      path: path.bytes, imageSource: LibraryModel.imageSource(of: item, version: catalogue.version(of: item)),
      fileBytes: Int(identity.byteCount))
  }

  /// The item and its file's version in one number: files that change are other pictures, and so are two items.
  private static func imageSource(of item: PhotoID, version: UInt64) -> UInt64 {
    (version ^ UInt64(item.rawValue)) &* 0x9E37_79B9_7F4A_7C15
  }

  // MARK: Texts

  var title: String { feed.title }
  var progress: Double? { feed.progress }

  /// What goes on, or what went wrong.
  var status: String {
    if let activity = feed.activity { return activity }
    return problems.isEmpty ? "" : Counted.things(problems.count, "folder") + " could not be read"
  }

  var emptyTexts: (headline: String, hint: String) {
    if let problem = problems.first {
      return ("The folder cannot be read", problem.description)
    }
    return feed.emptyTexts
  }
}
