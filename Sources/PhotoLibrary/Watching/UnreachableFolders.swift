/// The folders of a library that are out of reach, and the decision whether they must be read again: roots, and folders at
/// which a disk was mounted.
///
/// A folder is read again as soon as something else is found at its path than when it was read last: the folder that was
/// missing, another folder, or a file.
///
/// It is a value without a clock: calls state the time, in nanoseconds of a monotonic clock.
struct UnreachableFolders: Sendable {
  /// What is found at the path of a folder.
  enum Finding: Hashable, Sendable {
    /// A folder that can be read.
    case folder(FileKey)
    /// No folder that can be read, for the reason with this value of `errno`.
    case failure(Int32)
  }

  /// The time between two examinations.
  private let interval: UInt64
  private var findings: [PhotoPath: Finding] = [:]
  /// Those that are roots of the library.
  private var roots: Set<PhotoPath> = []
  /// The time of the next examination, or nil if no folder is out of reach.
  private(set) var nextTime: UInt64?

  /// Creates a value without folders.
  ///
  /// - Parameter interval: The time between two examinations, in nanoseconds.
  init(interval: UInt64) { self.interval = interval }

  /// The folders to examine.
  var paths: [PhotoPath] { Array(findings.keys) }

  /// Records that a folder is out of reach, with what was found at its path.
  ///
  /// A folder of the library is out of reach with the disk that contains it, so of several only the outermost one is
  /// recorded.
  ///
  /// - Parameter isRoot: Whether the folder is a root of the library, which may be on another disk than one that contains it.
  mutating func insert(_ folder: PhotoPath, _ finding: Finding, isRoot: Bool, at now: UInt64) {
    if !isRoot {
      let others = findings.keys.filter { $0 != folder }
      if others.contains(where: folder.isWithin) { return }
      for other in others where other.isWithin(folder) && !roots.contains(other) { findings[other] = nil }
    } else {
      roots.insert(folder)
    }
    findings[folder] = finding
    nextTime = nextTime ?? now + interval
  }

  /// Removes a folder that was read.
  mutating func remove(_ folder: PhotoPath) {
    guard !findings.isEmpty else { return }
    findings[folder] = nil
    roots.remove(folder)
    if findings.isEmpty { nextTime = nil }
  }

  /// Records what an examination found.
  ///
  /// - Returns: Whether a folder must be read again.
  mutating func update(_ found: [PhotoPath: Finding], at now: UInt64) -> Bool {
    var hasChanged = false
    // A folder may have been read during the examination.
    for (folder, finding) in found where findings[folder] != nil {
      hasChanged = hasChanged || findings[folder] != finding
      findings[folder] = finding
    }
    nextTime = findings.isEmpty ? nil : now + interval
    return hasChanged
  }
}

extension UnreachableFolders.Finding {
  /// Examines the path of a folder.
  ///
  /// The folder is opened, because a folder that may not be read has a status too.
  init(at folder: PhotoPath) {
    do throws(FileError) {
      self = .folder(try SystemCalls.status(of: try SystemCalls.openFolder(folder)).key)
    } catch {
      self = .failure(error.code)
    }
  }
}
