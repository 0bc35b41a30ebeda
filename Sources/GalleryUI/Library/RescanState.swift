import VitrinePhotoLibrary

/// The state of the library's rescans, and the folders that its scans could not read.
///
/// Invariants:
/// - Any number of requests while a scan is running result in one rescan after it.
/// - The problems of the first scan are reported immediately. Those of a rescan replace the last ones at its end, and
///   those of a cancelled rescan are dropped.
/// - A photograph that a rescan did not list is offline, not deleted, if the scan could not read its folder, one that
///   contains it, or its list.
nonisolated struct RescanState: Sendable {
  private var rescan: Rescan?
  private var isRequested = false
  /// The folders that the running rescan could not read.
  private var newProblems: [ScanProblem] = []
  /// The folders that the last complete scan or the first one could not read, in the order of the scan.
  private(set) var problems: [ScanProblem] = []

  /// The lists that the running rescan could not read to their end, and those that the last one could not.
  private var (newUnreadLists, unreadLists): (Set<Int>, Set<Int>) = ([], [])

  /// Whether a rescan is running.
  var isRunning: Bool { rescan != nil }

  /// Requests a rescan.
  mutating func request() { isRequested = true }

  /// Takes the request for a rescan.
  ///
  /// The request stays while a rescan is running or if none is possible.
  ///
  /// - Parameter isPossible: Whether a rescan can start.
  /// - Returns: Whether a rescan must be started.
  mutating func takeRequest(if isPossible: Bool) -> Bool {
    guard isRequested, isPossible, !isRunning else { return false }
    isRequested = false
    return true
  }

  /// Starts a rescan.
  ///
  /// - Parameters:
  ///   - shown: The current snapshot.
  ///   - keepsListedOrder: Whether the snapshot is in the order of the scan.
  mutating func start(from shown: Rescan.Snapshot, keepsListedOrder: Bool) {
    (newProblems, newUnreadLists) = ([], [])
    rescan = Rescan(of: shown, keepsListedOrder: keepsListedOrder)
  }

  /// Adds the next photographs that the scan lists.
  mutating func addListed(_ items: [PhotoID]) {
    for item in items { rescan?.addListed(item) }
  }

  /// Adds a folder that the scan cannot read.
  ///
  /// Replaces what is known about the folder and those within.
  mutating func addProblem(_ problem: ScanProblem) {
    if isRunning { return newProblems.append(problem) }
    problems.removeAll { $0.folder.isWithin(problem.folder) }
    problems.append(problem)
  }

  /// Adds a list that the scan cannot read to its end.
  mutating func addUnreadList(_ list: Int) { newUnreadLists.insert(list) }

  /// Forgets the problems with a folder that could be read again.
  mutating func resolveProblems(with folder: PhotoPath) { problems.removeAll { $0.folder == folder } }

  /// Ends the scan.
  ///
  /// - Returns: The rescan whose changes must be applied, or nil if it was cancelled or if this was the first scan.
  mutating func finish(_ summary: ScanSummary) -> Rescan? {
    defer { rescan = nil }
    guard let rescan, !summary.wasCancelled else { return nil }
    (problems, unreadLists) = (newProblems, newUnreadLists)
    return rescan
  }

  /// Whether pictures stay because the last rescan could not read their list to its end.
  var keepsUnlisted: Bool { !unreadLists.isEmpty }

  /// Returns whether a photograph stays that the last scan did not list: it is offline, or in a list that could not be read
  /// to its end.
  func staysUnlisted(_ item: PhotoID, using records: any PhotoRecords) -> Bool {
    !unreadLists.isEmpty && records.list(of: item).map(unreadLists.contains) ?? false
      || isOffline(item, using: records)
  }

  /// Returns whether the folder of a photograph, or one that contains it, could not be read.
  ///
  /// Photographs without a folder are never offline.
  func isOffline(_ item: PhotoID, using records: any PhotoRecords) -> Bool {
    guard !problems.isEmpty, let folder = records.folder(of: item) else { return false }
    return problems.contains { !$0.isLeftOut && folder.isWithin($0.folder) }
  }
}
