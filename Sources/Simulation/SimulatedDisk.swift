import VitrineDataStructures
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary

/// The files of a simulated library, which a session changes.
///
/// It is the truth with which the gallery is compared.
package nonisolated struct SimulatedDisk: Sendable {
  /// What is in a file.
  ///
  /// The lowest digit of a file's size in base 16 states it, so that a decoder knows it from the request.
  package enum Content: Int, CaseIterable, Sendable {
    case picture, withPreview, damaged, refused, crashing, hanging, slow, noPicture, undated, upright
  }

  /// A file.
  struct File: Hashable, Sendable {
    var inode: UInt64
    var version: Int64
    var byteCount: Int64
    var content: Content
    /// Whether the file is being written.
    var isUnfinished = false

    var identity: FileIdentity {
      FileIdentity(
        device: 1, inode: inode, byteCount: byteCount, modificationNanoseconds: version * 1_000_000_000)
    }

    /// The header, or nil if the file is no picture.
    var header: ImageHeader? {
      guard content != .noPicture, !isUnfinished else { return nil }
      let isUpright = content == .upright
      return ImageHeader(
        format: .jpeg, storedSize: PixelSize(width: isUpright ? 900 : 1_200, height: isUpright ? 1_200 : 900),
        captureTime: content == .undated ? nil : Int64(inode &* 2_654_435_761 % 300) * 86_400,
        embeddedThumbnail: content == .withPreview ? 100..<5_000 : nil)
    }
  }

  /// A file and its place.
  struct Location: Hashable, Sendable {
    var folder: PhotoPath
    var name: String
  }

  let root: PhotoPath
  /// The files of each folder that exists.
  private(set) var folders: [PhotoPath: [String: File]]
  /// The folders whose disks are away.
  private(set) var offline: Set<PhotoPath> = []
  private var removed: [[PhotoPath: [String: File]]] = []
  private var nextInode: UInt64 = 1
  private var random: SplitMix64

  private static let words = ["kiwi", "plum", "pear", "quince", "lime", "melon"]

  /// The texts that the search finds in names alone.
  static let searchableWords = words + ["kiw", "plu", "quinc"]

  /// Creates a library.
  init(root: PhotoPath, files: Int, folders count: Int, seed: Int) {
    self.root = root
    random = SplitMix64(seed: UInt64(truncatingIfNeeded: seed))
    folders = [root: [:]]
    for number in 0..<max(0, count) {
      let parent = number % 3 == 2 ? root.appending("f\(number - 1)") : root
      folders[parent.appending("f\(number)")] = [:]
    }
    let paths = self.paths
    for number in 0..<max(0, files) {
      let content = number % 11 == 5 ? Content(rawValue: number / 11 % Content.allCases.count) ?? .picture : .picture
      addFile(in: paths[number * paths.count / max(1, files)], content)
    }
  }

  /// The folders, in the order of a scan.
  var paths: [PhotoPath] {
    folders.keys.sorted { $0.listingKey.lexicographicallyPrecedes($1.listingKey) }
  }

  /// All files that can be reached, in the order of a scan.
  var locations: [Location] {
    paths.filter { !isOffline($0) }.flatMap { folder in
      names(in: folder).map { Location(folder: folder, name: $0) }
    }
  }

  /// Returns the names of the files of a folder, in the order of a scan.
  func names(in folder: PhotoPath) -> [String] {
    (folders[folder] ?? [:]).keys.map { (name: $0, key: NaturalOrder.sortKey(of: Array($0.utf8))) }
      .sorted { $0.key == $1.key ? $0.name < $1.name : $0.key.lexicographicallyPrecedes($1.key) }.map(\.name)
  }

  /// Returns the file at a place, or nil if there is none.
  subscript(location: Location) -> File? { folders[location.folder]?[location.name] }

  /// Returns the names of the folders in a folder.
  func subfolders(of folder: PhotoPath) -> [[UInt8]] {
    folders.keys.filter { $0 != folder && $0.parent == folder }.map { Array($0.lastComponent) }
  }

  /// Returns whether the disk of a folder is away.
  func isOffline(_ folder: PhotoPath) -> Bool { offline.contains { folder.isWithin($0) } }

  // MARK: Changes

  private func folder(_ number: Int, includesRoot: Bool = true) -> PhotoPath? {
    let present = paths.filter { !isOffline($0) && (includesRoot || $0 != root) }
    return present.isEmpty ? nil : present[number.magnitudeIndex(in: present.count)]
  }

  private mutating func addFile(in folder: PhotoPath, _ content: Content, isUnfinished: Bool = false) {
    let inode = nextInode
    nextInode += 1
    let word = SimulatedDisk.words[Int(random.next() % UInt64(SimulatedDisk.words.count))]
    var size = Int64(random.next() % 400_000)
    if content == .slow { size += 8_000_000 }
    folders[folder, default: [:]]["\(word)-\(random.next() % 1_000)-\(inode).jpg"] = File(
      inode: inode, version: 1, byteCount: size * 16 + Int64(content.rawValue), content: content,
      isUnfinished: isUnfinished)
  }

  /// Changes files as a step says.
  ///
  /// - Returns: The folders that changed.
  mutating func apply(_ event: SimulationEvent) -> Set<PhotoPath> {
    let numbers = event.numbers
    switch event.kind {
    case .add:
      guard let folder = folder(numbers[0]) else { return [] }
      let content = Content(rawValue: numbers[2].magnitudeIndex(in: Content.allCases.count)) ?? .picture
      for _ in 0..<min(400, max(1, numbers[1])) { addFile(in: folder, content) }
      return [folder]
    case .begin:
      guard let folder = folder(numbers[0]) else { return [] }
      addFile(in: folder, .picture, isUnfinished: true)
      return [folder]
    case .finish:
      var changed: Set<PhotoPath> = []
      for (folder, files) in folders where !isOffline(folder) {
        for (name, file) in files where file.isUnfinished {
          folders[folder]?[name]?.isUnfinished = false
          folders[folder]?[name]?.version += 1
          changed.insert(folder)
        }
      }
      return changed
    case .write:
      guard let place = pick(numbers[0]), var file = self[place] else { return [] }
      let content = Content(rawValue: numbers[1].magnitudeIndex(in: Content.allCases.count)) ?? .picture
      file.version += 1
      file.content = content
      file.byteCount = (file.byteCount / 16 + 1) * 16 + Int64(content.rawValue)
      folders[place.folder]?[place.name] = file
      return [place.folder]
    case .remove:
      var changed: Set<PhotoPath> = []
      let all = locations
      for place in all.dropFirst(numbers[0].magnitudeIndex(in: max(1, all.count))).prefix(min(200, max(1, numbers[1])))
      {
        folders[place.folder]?[place.name] = nil
        changed.insert(place.folder)
      }
      return changed
    case .rename:
      guard let place = pick(numbers[0]), let file = self[place] else { return [] }
      folders[place.folder]?[place.name] = nil
      let word = SimulatedDisk.words[Int(random.next() % UInt64(SimulatedDisk.words.count))]
      folders[place.folder]?["\(word)-\(random.next() % 1_000)-\(file.inode).jpg"] = file
      return [place.folder]
    case .folder:
      guard let parent = folder(numbers[0]), parent.ancestors.count < 5 else { return [] }
      let path = parent.appending("g\(nextInode)")
      folders[path] = [:]
      for _ in 0..<min(200, max(1, numbers[1])) { addFile(in: path, .picture) }
      return [parent, path]
    case .vanish:
      guard let path = folder(numbers[0], includesRoot: false) else { return [] }
      let gone = folders.filter { $0.key.isWithin(path) }
      guard !gone.keys.contains(where: isOffline) else { return [] }
      removed.append(gone)
      for key in gone.keys { folders[key] = nil }
      return [path.parent]
    case .restore:
      guard let back = removed.popLast(), let top = back.keys.min(by: { $0.bytes.count < $1.bytes.count }),
        folders[top.parent] != nil, !isOffline(top.parent), folders[top] == nil
      else { return [] }
      folders.merge(back) { $1 }
      return Set(back.keys).union([top.parent])
    default: return []
    }
  }

  /// Takes the disk of a folder away.
  ///
  /// - Returns: The folder, or nil if there is none.
  mutating func unmount(_ number: Int) -> PhotoPath? {
    guard let path = folder(number, includesRoot: false), !offline.contains(where: { $0.isWithin(path) }) else {
      return nil
    }
    offline.insert(path)
    return path
  }

  /// Brings all disks back.
  ///
  /// - Returns: The folders that can be reached again.
  mutating func mount() -> Set<PhotoPath> {
    defer { offline = [] }
    return Set(folders.keys.filter { isOffline($0) })
  }

  private func pick(_ number: Int) -> Location? {
    let all = locations
    return all.isEmpty ? nil : all[number.magnitudeIndex(in: all.count)]
  }
}

extension Int {
  /// Returns an index below a count that depends on the number.
  nonisolated func magnitudeIndex(in count: Int) -> Int { Int(magnitude % UInt(count)) }
}
