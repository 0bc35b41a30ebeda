import VitrineDiffableData
import VitrinePhotoLibrary

/// The owner of the set of photographs whose names are repeated in other folders, whose captions name the folder.
///
/// Invariants:
/// - The set is computed when the library is complete, and again after photographs were added or removed. Until then
///   the last one is used.
/// - A large library is examined in the background. A change cancels that.
/// - Pictures without folders have no repeated names.
final class RepeatedNameController {
  /// The maximum number of names that a frame examines: a millisecond of work.
  private static let maximumPerFrame = 2_000

  private var isOutdated = false
  private var task: BackgroundTask<RepeatedNames?>?
  private let thread: ArrangementThread?

  /// Creates a controller.
  ///
  /// - Parameter thread: The thread for large libraries. If nil, they are examined in the frame.
  init(thread: ArrangementThread?) { self.thread = thread }

  /// Whether ``advance(using:all:)`` has a result.
  var hasPendingWork: Bool { task?.hasResult ?? false }

  /// Records that photographs were added or removed, or that another library is shown.
  func namesDidChange() {
    task?.cancel()
    task = nil
    isOutdated = true
  }

  /// Takes the result from the background, or examines a library that has changed and is complete.
  ///
  /// - Parameters:
  ///   - records: The records of a complete library.
  ///   - all: Returns the photographs.
  /// - Returns: The new set, if there is one.
  func advance(
    using records: any PhotoRecords, all: () -> DiffableDataSourceSnapshot<GallerySection, PhotoID>
  ) -> RepeatedNames? {
    if let result = task?.takeResult() {
      task = nil
      return result
    }
    guard isOutdated, task == nil else { return nil }
    isOutdated = false
    let snapshot = all()
    guard let first = snapshot.itemIdentifier(section: 0, item: 0), records.folder(of: first) != nil else {
      return RepeatedNames()
    }
    if snapshot.numberOfItems > RepeatedNameController.maximumPerFrame {
      task = thread?.makeTask { [records = records.readOnlyCopy] isCancelled in
        RepeatedNames(among: snapshot.itemIdentifiers, in: records) { !isCancelled() }
      }
      if task != nil { return nil }
    }
    return RepeatedNames(among: snapshot.itemIdentifiers, in: records)
  }
}
