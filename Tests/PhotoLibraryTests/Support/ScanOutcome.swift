import PhotoLibrary
import TestSupport
import Threads

/// All that a scan reported, gathered.
struct ScanOutcome {
  var photos: [FoundPhoto] = []
  var facts: [HeaderResult] = []
  var problems: [ScanProblem] = []
  var lastProgress = ScanProgress()
  var summary: ScanSummary?
  var batchSizes: [Int] = []

  /// The names from a folder on, in order, as text.
  func names(below root: PhotoPath) -> [String] {
    photos.map { String(decoding: $0.path.bytes.dropFirst(root.bytes.count + 1), as: UTF8.self) }
  }

  mutating func add(_ events: [LibraryEvent]) {
    for event in events {
      switch event {
      case .found(let found):
        photos += found
        batchSizes.append(found.count)
      case .headers(let headers): facts += headers
      case .problem(let problem): problems.append(problem)
      // A scan of files has no numbers to tell.
      case .listed, .entries: break
      case .progress(let progress): lastProgress = progress
      case .finished(let end): summary = end
      }
    }
  }

  /// Scans as the virtual clock does.
  static func waited(
    _ paths: [PhotoPath], excluding: [PhotoPath] = [], count: Int = 1000
  ) throws -> ScanOutcome {
    let scan = FolderScan(
      roots: try paths.map { path throws(LibraryError) in try LibraryRoot(checking: path) },
      options: ScanOptions(excludedFolders: excluding, isDeterministic: true))
    try scan.start()
    var outcome = ScanOutcome()
    while outcome.summary == nil { outcome.add(scan.takeBatch(count: count)) }
    scan.join()
    return outcome
  }

  /// Scans as a live window does: rests until woken, then takes a little at a time.
  static func live(
    _ paths: [PhotoPath], count: Int = 100, meanwhile: @escaping @Sendable () -> Void = {}
  ) throws -> ScanOutcome {
    let wakes = Lock(0)
    let scan = FolderScan(roots: try paths.map { path throws(LibraryError) in try LibraryRoot(checking: path) }) {
      meanwhile()
      wakes.withLock { $0 += 1 }
      wakes.wakeAll()
    }
    try scan.start()
    var outcome = ScanOutcome()
    while outcome.summary == nil {
      outcome.add(scan.takeEvents(atMost: count))
      if outcome.summary != nil || scan.hasEvents { continue }
      try wakes.wait(for: "the scan to tell something") { wakes -> Void? in
        defer { wakes = 0 }
        return wakes > 0 ? () : nil
      }
    }
    scan.join()
    return outcome
  }
}
