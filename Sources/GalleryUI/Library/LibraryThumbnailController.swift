import VitrineDiffableData
import VitrineFramePacing
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineThreads

/// What ``LibraryThumbnailController`` needs from the screen.
protocol LibraryThumbnailHost: AnyObject {
  /// The files of the library in the order of the grid, or nil while the library is being read or sorted.
  var thumbnailFiles: (any ThumbnailFiles)? { get }
  /// The progress of the thumbnails, or nil if none are being made.
  var thumbnailProgress: ThumbnailProgress? { get }
  /// Makes the thumbnails of files while nothing else is done; nil for none.
  func makeThumbnails(of files: (any ThumbnailFiles)?)
  /// Updates what is shown of the progress.
  func thumbnailProgressDidChange()
}

/// The owner of the work on thumbnails of the whole library, which the pipeline does while nothing else is done.
///
/// Invariants:
/// - The files are set again after each change of the library, once it is complete.
/// - Frames are requested once a second while thumbnails are being made, and not before or afterwards.
final class LibraryThumbnailController {
  /// The time between two updates of the progress.
  private static let interval = FrameDuration.seconds(1)
  /// The number of updates after which the progress is shown, so that a library whose thumbnails exist shows none.
  private static let updatesBeforeText = 3

  /// The screen, which owns the controller.
  private unowned let host: any LibraryThumbnailHost
  /// Whether the files must be set when the library is complete.
  private var isChanged = false
  private var nextUpdate: FrameInstant?
  private var updateCount = 0
  private(set) var statusText: String?

  /// Whether thumbnails are made.
  var isEnabled = false {
    didSet {
      guard isEnabled != oldValue else { return }
      isChanged = isEnabled
      if !isEnabled {
        host.makeThumbnails(of: nil)
        endUpdates()
      }
    }
  }

  /// Creates the controller of a screen.
  init(host: any LibraryThumbnailHost) { self.host = host }

  /// The time of the next update, or nil if no thumbnails are being made.
  var nextFrame: FrameInstant? { nextUpdate }

  /// Records that photographs were added, removed or changed.
  func libraryDidChange() { isChanged = isEnabled }

  /// Records that another library is shown.
  func libraryDidClose() {
    isChanged = isEnabled
    host.makeThumbnails(of: nil)
    endUpdates()
  }

  /// Sets the files of a library that has changed, and updates the progress.
  func update(at instant: FrameInstant) {
    if isChanged, let files = host.thumbnailFiles {
      isChanged = false
      host.makeThumbnails(of: files)
      updateCount = 0
      nextUpdate = host.thumbnailProgress == nil ? nil : instant + LibraryThumbnailController.interval
    }
    guard let due = nextUpdate, due <= instant else { return }
    guard let progress = host.thumbnailProgress, !progress.isComplete else { return endUpdates() }
    nextUpdate = instant + LibraryThumbnailController.interval
    updateCount += 1
    // While other work is done, there is none to speak of.
    guard updateCount >= LibraryThumbnailController.updatesBeforeText, progress.doneCount > 0 else { return }
    statusText =
      "Thumbnails: \(CountFormat.number(progress.doneCount)) of \(CountFormat.number(progress.totalCount))"
    host.thumbnailProgressDidChange()
  }

  private func endUpdates() {
    nextUpdate = nil
    guard statusText != nil else { return }
    statusText = nil
    host.thumbnailProgressDidChange()
  }
}

/// The files of a library in the order of the grid.
nonisolated final class LibraryThumbnailFiles: ThumbnailFiles {
  private let snapshot: DiffableDataSourceSnapshot<GallerySection, PhotoID>
  private let records: any PhotoRecords
  /// The photographs, listed by the first thread that needs them.
  private let items = Lock<[PhotoID]?>(nil)
  let background: UInt32

  /// Creates the files of the photographs in a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The photographs.
  ///   - records: The records of the photographs.
  ///   - background: The colour behind transparent pixels.
  init(
    _ snapshot: DiffableDataSourceSnapshot<GallerySection, PhotoID>, records: any PhotoRecords, background: UInt32
  ) {
    self.snapshot = snapshot
    self.records = records
    self.background = background
  }

  var count: Int { snapshot.numberOfItems }

  func file(at index: Int) -> ThumbnailFile? {
    let item = items.withLock { items in
      let listed = items ?? snapshot.itemIdentifiers
      items = listed
      return listed[index]
    }
    guard records.failure(of: item) == nil, case .file(let path)? = records.imageSource(of: item),
      let fingerprint = records.fingerprint(of: item)
    else { return nil }
    return ThumbnailFile(path: path, fingerprint: fingerprint)
  }
}
