import VitrineFramePacing
import VitrineGalleryUI
import VitrineGeometry
import VitrinePhotoLibrary

/// A feed that reads a simulated disk, as a scan and its updates do: folder by folder, and the headers later.
///
/// A file may change between the two, and while another update is being read.
final class SimulatedFeed: LibraryFeed {
  /// A step of a scan.
  private enum Step {
    case list(PhotoPath)
    case headers(ordinal: UInt32, [SimulatedDisk.Location])
    case finish
  }

  /// The time between a change and its update.
  private static let latency = FrameDuration.milliseconds(150)

  let title: String
  /// The files.
  var disk: SimulatedDisk
  /// The names that were listed last, by folder: what the gallery must show.
  private(set) var listed: [PhotoPath: Set<String>] = [:]
  private(set) var isComplete = false
  private(set) var needsRescan = false

  private let gap: FrameDuration
  private let clock: any FrameClock
  private var steps: [Step] = []
  private var isUpdating = false
  private var nextOrdinal: UInt32 = 0
  private var due: FrameInstant?
  private var ready: [LibraryEvent] = []
  private var scanned: [PhotoPath: Set<String>] = [:]
  private var dirty: Set<PhotoPath> = []
  private var dirtyDue: FrameInstant?
  private var isEnded = false
  private var hasLostNotifications = false

  /// Starts to scan a disk.
  init(_ disk: SimulatedDisk, gap: FrameDuration, clock: any FrameClock) {
    (self.disk, self.gap, self.clock) = (disk, gap, clock)
    title = String(decoding: disk.root.lastComponent, as: UTF8.self)
    startScan()
  }

  var roots: [PhotoPath] { [disk.root] }
  var activity: String? { isComplete ? nil : "Reading…" }
  var progress: Double? { nil }
  var emptyTexts: (headline: String, hint: String) { ("No pictures", "None") }
  var hasPendingEvents: Bool { !ready.isEmpty || (hasLostNotifications && isComplete && !isUpdating) }

  /// Whether nothing is left to read.
  var isIdle: Bool { !hasPendingEvents && steps.isEmpty && dirty.isEmpty && !needsRescan && isComplete }

  /// The time of the next step.
  var nextStep: FrameInstant? {
    if isEnded { return nil }
    return steps.isEmpty ? (needsRescan || !isComplete ? nil : dirtyDue) : due
  }

  func takePendingEvents() -> [LibraryEvent] {
    defer { ready = [] }
    for case .finished in ready {
      isComplete = true
      if !isUpdating { listed = scanned }
      isUpdating = false
    }
    if ready.isEmpty, hasLostNotifications, isComplete, !isUpdating {
      (needsRescan, hasLostNotifications) = (true, false)
    }
    return ready
  }

  func end() { isEnded = true }

  // MARK: Changes

  /// Records changed folders, which an update reads later.
  func folders(_ folders: Set<PhotoPath>, didChangeAt now: FrameInstant) {
    guard !folders.isEmpty else { return }
    dirty.formUnion(folders)
    dirtyDue = now + SimulatedFeed.latency
  }

  /// Takes the disk of a folder away.
  func unmount(_ number: Int) {
    guard let folder = disk.unmount(number) else { return }
    dirty = dirty.filter { !$0.isWithin(folder) }
    ready.append(.problem(ScanProblem(folder: folder, reason: .unmounted)))
  }

  /// Loses notifications of changes.
  func loseNotifications() { hasLostNotifications = true }

  // MARK: Reading

  private func startScan() {
    isComplete = false
    isUpdating = false
    nextOrdinal = 0
    scanned = [:]
    steps = disk.paths.map { .list($0) } + [.finish]
    due = clock.now() + gap
    ready = []
  }

  func rescan() -> Bool {
    needsRescan = false
    (dirty, dirtyDue, hasLostNotifications) = ([], nil, false)
    startScan()
    return true
  }

  /// Performs the steps that are due.
  func advance(to now: FrameInstant) {
    guard !isEnded else { return }
    if steps.isEmpty, isComplete, ready.isEmpty, !needsRescan, let start = dirtyDue, start <= now {
      // Also folders that are gone meanwhile, which the update reports.
      let changed = dirty.filter { !disk.isOffline($0) }
        .sorted { $0.listingKey.lexicographicallyPrecedes($1.listingKey) }
      (dirty, dirtyDue) = ([], nil)
      if !changed.isEmpty {
        isUpdating = true
        nextOrdinal = 0
        steps = changed.map { .list($0) } + [.finish]
        due = now
        ready.append(.updating)
      }
    }
    while let next = due, next <= now, !steps.isEmpty {
      perform(steps.removeFirst())
      due = steps.isEmpty ? nil : next + gap
      if steps.isEmpty, dirtyDue != nil { dirtyDue = max(dirtyDue ?? now, now) }
    }
  }

  private func perform(_ step: Step) {
    switch step {
    case .list(let folder): list(folder)
    case .headers(let ordinal, let places):
      ready.append(
        .headers(
          places.enumerated().map { offset, place in
            let number = ordinal + UInt32(offset)
            guard !disk.isOffline(place.folder), let file = disk[place] else {
              return HeaderResult(ordinal: number, identity: nil, failure: .missing)
            }
            guard let header = file.header else {
              return HeaderResult(ordinal: number, identity: file.identity, failure: .notAPicture)
            }
            return HeaderResult(ordinal: number, identity: file.identity, header: header)
          }))
    case .finish: ready.append(.finished(ScanSummary()))
    }
  }

  private func list(_ folder: PhotoPath) {
    if disk.isOffline(folder) {
      if !isUpdating {
        scanned[folder] = listed[folder]
        if disk.offline.contains(folder) {
          ready.append(.problem(ScanProblem(folder: folder, reason: .unmounted)))
        }
      }
      return
    }
    guard disk.folders[folder] != nil else {
      // An update reports that the folder is gone. A scan finds no such folder.
      if isUpdating {
        ready.append(.relisted(missing(folder)))
        for path in listed.keys where path.isWithin(folder) { listed[path] = nil }
      }
      return
    }
    let all = disk.names(in: folder)
    let unfinished = isUpdating ? all.filter { disk.folders[folder]?[$0]?.isUnfinished == true } : []
    let names = all.filter { !unfinished.contains($0) }
    let places = names.map { SimulatedDisk.Location(folder: folder, name: $0) }
    let first = nextOrdinal
    nextOrdinal += UInt32(names.count)
    if !places.isEmpty {
      ready.append(
        .found(
          places.enumerated().map { offset, place in
            FoundPhoto(
              ordinal: first + UInt32(offset), folder: folder, name: Array(place.name.utf8),
              identity: disk[place]?.identity ?? .unknown)
          }))
    }
    if isUpdating {
      let subfolders = Set(disk.subfolders(of: folder))
      ready.append(
        .relisted(
          FolderListing(
            folder: folder, ordinals: first..<nextOrdinal, subfolders: subfolders,
            unfinishedNames: Set(unfinished.map { Array($0.utf8) }))))
      let kept = (listed[folder] ?? []).intersection(unfinished)
      listed[folder] = Set(names).union(kept)
      for path in listed.keys where path != folder && path.isWithin(folder) {
        let rest = Array(path.bytes.dropFirst(folder.bytes.count + 1).prefix { $0 != UInt8(ascii: "/") })
        if !subfolders.contains(rest) { listed[path] = nil }
      }
    } else {
      scanned[folder] = Set(names)
    }
    if !places.isEmpty { insertHeaders(places, from: first) }
  }

  private func missing(_ folder: PhotoPath) -> FolderListing {
    var listing = FolderListing(folder: folder, ordinals: nextOrdinal..<nextOrdinal)
    listing.isMissing = true
    return listing
  }

  /// Inserts the reading of headers behind the next list, so that the headers come while others are found.
  private func insertHeaders(_ places: [SimulatedDisk.Location], from ordinal: UInt32) {
    let last = steps.lastIndex { if case .headers = $0 { true } else { false } }
    steps.insert(.headers(ordinal: ordinal, places), at: last.map { $0 + 1 } ?? min(1, steps.count - 1))
  }
}
