import VitrineDataStructures

/// What happened to a name in a watched folder.
enum FolderEvent: Hashable, Sendable {
  /// A file was created, and may not be written yet.
  case created
  /// The contents of a file changed, and may change further.
  case modified
  /// A file that was open for writing was closed, or a complete file, a link or a folder appeared.
  case completed
  /// The file or folder was removed or renamed.
  case removed
}

/// A folder whose list of photographs must be read again.
package struct FolderChange: Hashable, Sendable {
  /// The folder.
  package var folder: PhotoPath
  /// The names of files that are still being written, which are not to be shown yet.
  package var unfinishedNames: Set<[UInt8]> = []

  /// Creates a change.
  package init(folder: PhotoPath, unfinishedNames: Set<[UInt8]> = []) {
    self.folder = folder
    self.unfinishedNames = unfinishedNames
  }
}

/// A collector of what happens in folders, which decides when a folder's list must be read again.
///
/// Changes are collected until there was none in the folder for ``quietTime``, but not longer than ``maximumDelay``, so
/// that a thousand copied files cause a few lists and not a thousand. A file that is being written waits until it is
/// closed, or unchanged for ``abandonedTime``.
///
/// It is a value without a clock: every call states the time, in nanoseconds of a monotonic clock.
struct FolderChangeCollector: Sendable {
  /// The time without events after which a folder's list is read.
  static let quietTime: UInt64 = 150_000_000
  /// The maximum time between the first event and reading the list.
  static let maximumDelay: UInt64 = 600_000_000
  /// The time without changes after which a file counts as complete, even if it was not closed.
  static let abandonedTime: UInt64 = 2_000_000_000

  private struct Folder: Sendable {
    /// The times of the first and the last event since the list was read, or nil if there was none.
    var pending: (first: UInt64, last: UInt64)?
    /// The files being written, and the time of the last writing.
    var unfinished: [[UInt8]: UInt64] = [:]

    /// The time at which the list must be read because of events.
    var readingTime: UInt64? {
      pending.map { min($0.last + FolderChangeCollector.quietTime, $0.first + FolderChangeCollector.maximumDelay) }
    }

    mutating func addEvent(at now: UInt64) { pending = (pending?.first ?? now, now) }
  }

  private var folders: [PhotoPath: Folder] = [:]

  /// Creates a collector without changes.
  init() {}

  /// Records that something happened to a name in a folder.
  mutating func record(_ event: FolderEvent, of name: [UInt8], in path: PhotoPath, at now: UInt64) {
    // Temporary files of programs that write safely, by renaming, are not shown anyway.
    guard !EntryAction.isHidden(name) else { return }
    // In place: a copy of the folder would copy the names of all files that are being written.
    switch event {
    // A file that is shown stays; its new version is read when it is complete.
    case .created, .modified: folders[path, default: Folder()].unfinished[name] = now
    case .completed, .removed:
      folders[path, default: Folder()].unfinished[name] = nil
      folders[path]?.addEvent(at: now)
    }
  }

  /// Records that a folder must be read again for another reason.
  mutating func recordChange(of path: PhotoPath, at now: UInt64) { folders[path, default: Folder()].addEvent(at: now) }

  /// The time at which ``takeChanges(at:)`` has something to return, or nil if nothing is pending.
  ///
  /// - Complexity: O(*n*) in the number of folders with changes.
  var nextTime: UInt64? {
    folders.values.lazy.flatMap { folder in
      [folder.readingTime, folder.unfinished.values.min().map { $0 + FolderChangeCollector.abandonedTime }]
        .compactMap { $0 }
    }.min()
  }

  /// Takes the changes that are due, in the order of the folders' paths.
  ///
  /// - Complexity: O(*n* log *n*) in the number of folders with changes.
  mutating func takeChanges(at now: UInt64) -> [FolderChange] {
    var changes: [FolderChange] = []
    for (path, var folder) in folders {
      let abandoned = folder.unfinished.filter { $0.value + FolderChangeCollector.abandonedTime <= now }
      for name in abandoned.keys { folder.unfinished[name] = nil }
      if !abandoned.isEmpty || folder.readingTime.map({ $0 <= now }) ?? false {
        changes.append(FolderChange(folder: path, unfinishedNames: Set(folder.unfinished.keys)))
        folder.pending = nil
      }
      folders[path] = folder.pending == nil && folder.unfinished.isEmpty ? nil : folder
    }
    return changes.sorted { $0.folder.bytes.lexicographicallyPrecedes($1.folder.bytes) }
  }
}
