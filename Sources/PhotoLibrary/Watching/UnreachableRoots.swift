/// The roots of a library that are out of reach, and the decision whether they must be read again.
///
/// A root is read again as soon as something else is found at its path than when it was read last: the folder that was
/// missing, another folder, or a file.
///
/// It is a value without a clock: calls state the time, in nanoseconds of a monotonic clock.
struct UnreachableRoots: Sendable {
  /// What is found at the path of a root.
  enum Finding: Hashable, Sendable {
    /// A folder that can be read.
    case folder(FileKey)
    /// No folder that can be read, for the reason with this value of `errno`.
    case failure(Int32)
  }

  /// The time between two examinations of the roots.
  private let interval: UInt64
  private var findings: [PhotoPath: Finding] = [:]
  /// The time of the next examination, or nil if no root is out of reach.
  private(set) var nextTime: UInt64?

  /// Creates a value without roots.
  ///
  /// - Parameter interval: The time between two examinations, in nanoseconds.
  init(interval: UInt64) { self.interval = interval }

  /// The roots to examine.
  var paths: [PhotoPath] { Array(findings.keys) }

  /// Records that a root is out of reach, with what was found at its path.
  mutating func insert(_ root: PhotoPath, _ finding: Finding, at now: UInt64) {
    findings[root] = finding
    nextTime = nextTime ?? now + interval
  }

  /// Removes a root that was read.
  mutating func remove(_ root: PhotoPath) {
    findings[root] = nil
    if findings.isEmpty { nextTime = nil }
  }

  /// Records what an examination found.
  ///
  /// - Returns: Whether a root must be read again.
  mutating func update(_ found: [PhotoPath: Finding], at now: UInt64) -> Bool {
    var hasChanged = false
    // A root may have been read during the examination.
    for (root, finding) in found where findings[root] != nil {
      hasChanged = hasChanged || findings[root] != finding
      findings[root] = finding
    }
    nextTime = findings.isEmpty ? nil : now + interval
    return hasChanged
  }
}

extension UnreachableRoots.Finding {
  /// Examines the path of a root.
  ///
  /// The folder is opened, because a folder that may not be read has a status too.
  init(at root: PhotoPath) {
    do throws(FileError) {
      self = .folder(try SystemCalls.status(of: try SystemCalls.openFolder(root)).key)
    } catch {
      self = .failure(error.code)
    }
  }
}
