import VitrineDataStructures
package import VitrineGeometry
package import VitrineImageMetadata
package import VitrineImagePipeline

/// A table of all photographs that were found during this run, with what is known about each of them.
///
/// A photograph is looked up by the bytes of its path, and queried by its ``PhotoID``, both in constant time.
/// Photographs are never removed: one that disappears and comes back keeps its identifier. The catalogue has no order;
/// the order of a scan is in ``CatalogueChange/listed``.
package struct PhotoCatalogue: Sendable {
  private(set) var rows = PagedColumn<CatalogueRow>()
  private(set) var names = NameArena()
  private(set) var folders = FolderTable()
  private var devices = DeviceTable()
  private(set) var cameras = CameraTable()
  private(set) var index = PathIndex()
  /// The rows of links, by the file to which they refer.
  private var linkRows: [FileKey: UInt32] = [:]
  /// Whether the events belong to an update.
  private var isUpdating = false
  /// The row of each photograph of the current scan, by its ordinal.
  private var scannedRows = PagedColumn<UInt32>()

  /// Whether the modification date of a file is used as its capture date if the file has none.
  ///
  /// Default: true.
  package var datesByFile = true

  /// Creates an empty catalogue.
  package init() {}

  /// The number of photographs.
  package var count: Int { rows.count }

  // MARK: - Updates

  /// Starts a new scan, whose ordinals start at 0 again.
  package mutating func beginScan() {
    scannedRows = PagedColumn()
    isUpdating = false
  }

  /// Applies an event of a scan.
  ///
  /// The events of one scan must be applied in order.
  ///
  /// - Complexity: O(*n*) in the number of photographs in the event.
  package mutating func apply(_ event: LibraryEvent) -> CatalogueChange {
    var change = CatalogueChange()
    switch event {
    case .found(let photos):
      for photo in photos { addPhoto(photo, &change) }
    case .headers(let results):
      for result in results where Int(result.ordinal) < scannedRows.count { applyHeader(result, &change) }
    case .finished: beginScan()
    case .updating:
      beginScan()
      isUpdating = true
    case .relisted(let listing): change.unlisted = unlistedPhotos(listing)
    case .problem, .progress, .listed, .entries, .unread:
      break
    }
    return change
  }

  /// Adds a picture that is known before its folder is listed.
  ///
  /// A scan that lists it reports it as ``CatalogueChange/listed``, and not as added.
  package mutating func insert(_ picture: OpenedPicture) {
    beginScan()
    _ = apply(.found([picture.photo]))
    _ = apply(.headers([picture.result]))
    beginScan()
  }

  /// Records a header that came from elsewhere, for example from the process that decoded the file.
  ///
  /// - Returns: Whether the header differs from the recorded one.
  @discardableResult
  package mutating func recordHeader(_ header: ImageHeader, for id: PhotoID) -> Bool {
    guard contains(id) else { return false }
    let before = rows[row(id)]
    setHeader(header, row(id))
    return rows[row(id)] != before
  }

  /// Adds the photographs of a folder as they were in an earlier run; those that are known already are ignored.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - entries: Its stored entries, up to the first damaged one.
  /// - Complexity: O(*n*) in the number of photographs in the folder.
  mutating func restore(_ path: PhotoPath, _ entries: StoredEntries) {
    let folder = folders.intern(path)
    let cameras = [0] + entries.cameras.map { self.cameras.intern($0) }
    // A record names each file once.
    let isNew = folders.rows(of: folder).isEmpty
    let first = UInt32(rows.count)
    var entries = entries
    while let entry = entries.next() {
      let hash = PhotoCatalogue.hash(folder, entry.name)
      guard isNew || index.row(hash: hash, where: { matches($0, folder, entry.name) }) == nil else { continue }
      var row = CatalogueRow(folder: folder, name: names.append(entry.name))
      row.setIdentity(entry.identity, device: devices.intern(entry.identity.device) ?? 0)
      row.setHeader(entry.header, camera: cameras[entry.camera])
      row.failure = entry.failure
      index.insert(hash: hash, row: UInt32(rows.count))
      rows.append(row)
    }
    folders.addRows(first..<UInt32(rows.count), to: folder)
  }

  // MARK: - Queries

  /// Returns whether the catalogue contains a photograph with the given identifier.
  package func contains(_ id: PhotoID) -> Bool { id.rawValue > 0 && Int(id.rawValue) <= rows.count }

  /// Returns the identifier of the photograph at the given path, or nil if there is none.
  package func id(at path: PhotoPath) -> PhotoID? {
    guard let folder = folders.number(of: path.parent) else { return nil }
    let name = path.lastComponent
    return index.row(hash: hash(folder, name)) { matches($0, folder, name) }.map(PhotoCatalogue.id)
  }

  /// Returns the record of the given photograph, or nil if there is none.
  package subscript(id: PhotoID) -> Photo? {
    guard contains(id) else { return nil }
    let row = rows[row(id)]
    return Photo(
      id: id, path: folders[row.folderNumber].appending(names[row.nameOffset]), identity: row.identity(in: devices),
      header: row.header(camera: cameras[row.cameraNumber]), failure: row.failure)
  }

  /// Returns the path of the given photograph.
  package func path(of id: PhotoID) -> PhotoPath? {
    contains(id) ? folders[rows[row(id)].folderNumber].appending(names[rows[row(id)].nameOffset]) : nil
  }

  /// Returns the folder of the given photograph.
  package func folder(of id: PhotoID) -> PhotoPath? { contains(id) ? folders[rows[row(id)].folderNumber] : nil }

  /// Returns the bytes of the file name of the given photograph.
  package func name(of id: PhotoID) -> ArraySlice<UInt8>? { contains(id) ? names[rows[row(id)].nameOffset] : nil }

  /// Returns the file name for display, decoded as UTF-8 with U+FFFD in place of invalid bytes.
  ///
  /// Do not compare or store it: different files may have the same display name.
  package func displayName(of id: PhotoID) -> String? { name(of: id).map { String(decoding: $0, as: UTF8.self) } }

  /// Returns whether a photograph of a folder, or of one within, satisfies a condition.
  ///
  /// - Complexity: O(*f* + *k*) for *f* folders and the *k* photographs that are examined.
  package func containsPhoto(within folder: PhotoPath, where condition: (PhotoID) -> Bool) -> Bool {
    folders.folders(within: folder).contains { number, _ in
      folders.rows(of: number).contains { $0.contains { condition(PhotoCatalogue.id($0)) } }
    }
  }

  /// A copy that shares the pages of rows, names and folders with this catalogue.
  package var readOnlyCopy: any PhotoRecords {
    var copy = self
    copy.index = PathIndex()
    copy.folders.removeNumbers()
    copy.scannedRows = PagedColumn()
    copy.linkRows = [:]
    return copy
  }

  /// Returns the identity of the given photograph's file, including its version.
  package func identity(of id: PhotoID) -> FileIdentity? { contains(id) ? rows[row(id)].identity(in: devices) : nil }

  /// Returns the header of the given photograph, or nil if it has not been read.
  package func header(of id: PhotoID) -> ImageHeader? { contains(id) ? header(row(id)) : nil }

  /// Returns the size of the given photograph in pixels, after orientation, or nil if it is unknown.
  package func size(of id: PhotoID) -> PixelSize? { contains(id) ? rows[row(id)].size : nil }

  /// Returns the time at which the given photograph was taken, in seconds since 1970.
  ///
  /// It comes from the header, or else, if ``datesByFile`` is true, from the file's modification date. Header times are
  /// in the camera's local time, modification dates in UTC, so the result does not depend on the machine. Returns nil
  /// if neither is known. A modification date of 1970 or earlier counts as unknown, because file systems and archives
  /// write it for missing dates.
  package func time(of id: PhotoID) -> Int64? {
    guard contains(id) else { return nil }
    return rows[row(id)].time(datesByFile: datesByFile)
  }

  /// Returns why the given photograph cannot be shown, or nil if no reason is known.
  package func failure(of id: PhotoID) -> PhotoFailure? { contains(id) ? rows[row(id)].failure : nil }

  /// Returns a number for cache keys that changes when the photograph's file changes.
  ///
  /// Two photographs have the same number only if they are two names of the same file. Returns 0 if there is no such
  /// photograph.
  package func version(of id: PhotoID) -> UInt64 {
    guard let identity = identity(of: id) else { return 0 }
    return identity == .unknown ? SplitMix64.mix(UInt64(id.rawValue)) : identity.version
  }

  /// The memory that the catalogue uses per photograph, including names, in bytes; 0 if the catalogue is empty.
  ///
  /// - Complexity: O(*p*) in the number of pages and folders.
  package var bytesPerItem: Int {
    let total =
      rows.memoryBytes + names.memoryBytes + folders.memoryBytes + index.memoryBytes + scannedRows.memoryBytes
      + cameras.memoryBytes
    return count == 0 ? 0 : total / count
  }

  // MARK: - Rows

  private mutating func addPhoto(_ photo: FoundPhoto, _ change: inout CatalogueChange) {
    let folder = folders.intern(photo.folder)
    let hash = hash(folder, photo.name[...])
    let ownRow = index.row(hash: hash) { matches($0, folder, photo.name[...]) }
    let otherRow = ownRow == nil && isUpdating ? row(showing: photo) : nil
    let existingRow = ownRow ?? otherRow
    let number = existingRow ?? UInt32(rows.count)
    let id = PhotoCatalogue.id(number)
    if existingRow == nil {
      rows.append(CatalogueRow(folder: folder, name: names.append(photo.name)))
      index.insert(hash: hash, row: number)
      folders.addRow(number, to: folder)
      change.added.append(id)
    }
    let isDifferentFile = setIdentity(photo.identity, Int(number))
    // The header of an unchanged file stays valid until the file is read again.
    let failure = photo.failure ?? (isDifferentFile ? nil : rows[Int(number)].failure)
    let hasChanged = isDifferentFile || rows[Int(number)].failure != failure
    rows[Int(number)].failure = failure
    if existingRow != nil, hasChanged { change.changed.append(id) }
    if existingRow != nil, isDifferentFile { change.replaced.append(id) }
    scannedRows.append(number)
    change.listed.append(id)
    if photo.isLink, otherRow == nil, photo.identity != .unknown {
      linkRows[FileKey(device: photo.identity.device, inode: photo.identity.inode)] = number
    }
  }

  /// Returns the row under which an update's photograph is shown already, or nil: that of the file of a link, or that of
  /// a link to the file that a scan listed in its place.
  private func row(showing photo: FoundPhoto) -> UInt32? {
    if let path = photo.shownPath { return id(at: path).map { $0.rawValue - 1 } }
    let key = FileKey(device: photo.identity.device, inode: photo.identity.inode)
    return photo.isLink || photo.identity == .unknown ? nil : linkRows[key]
  }

  /// Returns the known photographs that a list of a folder does not contain.
  ///
  /// - Complexity: O(*f* + *k*) for *f* folders and *k* photographs of the folder and of missing folders within.
  private func unlistedPhotos(_ listing: FolderListing) -> [PhotoID] {
    var unlisted: [PhotoID] = []
    for (number, path) in folders.folders(within: listing.folder) {
      if path == listing.folder, !listing.isMissing {
        // One flag per row of the folder: a set of a hundred thousand rows would cost a frame.
        let runs = folders.rows(of: number)
        var isListed = runs.map { [Bool](repeating: false, count: $0.count) }
        for ordinal in listing.ordinals where ordinal < scannedRows.count {
          let row = scannedRows[Int(ordinal)]
          guard let run = runs.firstIndex(where: { $0.contains(row) }) else { continue }
          isListed[run][Int(row - runs[run].lowerBound)] = true
        }
        for (run, flags) in zip(runs, isListed) {
          for (row, isListed) in zip(run, flags) where !isListed {
            if !listing.unfinishedNames.isEmpty,
              listing.unfinishedNames.contains(Array(names[rows[Int(row)].nameOffset]))
            {
              continue
            }
            unlisted.append(PhotoCatalogue.id(row))
          }
        }
      } else if listing.isMissing || !listing.subfolders.contains(path.component(behind: listing.folder)) {
        unlisted += folders.rows(of: number).joined().map(PhotoCatalogue.id)
      }
    }
    return unlisted
  }

  private mutating func applyHeader(_ result: HeaderResult, _ change: inout CatalogueChange) {
    let number = Int(scannedRows[Int(result.ordinal)])
    let before = rows[number]
    let isDifferentFile = result.identity.map { setIdentity($0, number) } ?? false
    setHeader(result.header, number)
    rows[number].failure = result.failure
    if isDifferentFile || before != rows[number] {
      change.changed.append(PhotoCatalogue.id(UInt32(number)))
    }
    if isDifferentFile { change.replaced.append(PhotoCatalogue.id(UInt32(number))) }
  }

  /// Sets the identity of a row, and discards its header if the file has changed.
  ///
  /// - Returns: Whether the file has changed.
  private mutating func setIdentity(_ identity: FileIdentity, _ number: Int) -> Bool {
    // If there are more devices than two bytes can number, the rest of the identity tells the files apart.
    let device = devices.intern(identity.device) ?? 0
    let isDifferentFile = rows[number].identity(in: devices) != identity
    rows[number].setIdentity(identity, device: device)
    if isDifferentFile { setHeader(nil, number) }
    return isDifferentFile
  }

  private func header(_ number: Int) -> ImageHeader? {
    rows[number].header(camera: cameras[rows[number].cameraNumber])
  }

  private mutating func setHeader(_ header: ImageHeader?, _ number: Int) {
    rows[number].setHeader(header, camera: cameras.intern(header?.camera))
  }

  private func matches(_ number: UInt32, _ folder: UInt32, _ name: some Sequence<UInt8>) -> Bool {
    let row = rows[Int(number)]
    return row.folderNumber == folder && names[row.nameOffset].elementsEqual(name)
  }

  private func hash(_ folder: UInt32, _ name: ArraySlice<UInt8>) -> UInt64 {
    name.withUnsafeBytes { PhotoCatalogue.hash(folder, $0) }
  }

  private static func hash(_ folder: UInt32, _ name: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(folder)
    hasher.combine(bytes: name)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private func row(_ id: PhotoID) -> Int { Int(id.rawValue) - 1 }

  private static func id(_ row: UInt32) -> PhotoID { PhotoID(rawValue: row + 1) }
}

// MARK: - PhotoRecords

extension PhotoCatalogue: PhotoRecords {
  /// Always false: a catalogue stores the results of scans.
  package var isComputed: Bool { false }

  /// Returns the format of the given photograph's file, or nil if its header has not been read.
  package func format(of id: PhotoID) -> ImageFormat? { contains(id) ? rows[row(id)].format : nil }

  /// Returns the camera of the given photograph, or nil if it is unknown.
  package func camera(of id: PhotoID) -> String? { contains(id) ? cameras[rows[row(id)].cameraNumber] : nil }

  /// Returns the rating of the given photograph, 1 to 5, or 0 if it has none.
  package func rating(of id: PhotoID) -> Int { contains(id) ? Int(rows[row(id)].rating) : 0 }

  /// Returns whether the given photograph's file states where it was taken.
  package func hasLocation(_ id: PhotoID) -> Bool { contains(id) && rows[row(id)].hasLocation }

  /// Returns whether the given photograph's header contains an embedded thumbnail.
  package func hasPreview(_ id: PhotoID) -> Bool { contains(id) && rows[row(id)].hasThumbnail }

  /// Returns the fingerprint of the given photograph's file, including its version.
  package func fingerprint(of id: PhotoID) -> FileFingerprint? {
    guard let identity = identity(of: id), identity != .unknown else { return nil }
    return FileFingerprint(
      device: identity.device, inode: identity.inode, byteCount: identity.byteCount,
      modificationNanoseconds: identity.modificationNanoseconds)
  }

  /// Returns the file of the given photograph.
  package func imageSource(of id: PhotoID) -> ImageSource? { path(of: id).map { .file(path: $0.bytes) } }

  /// Returns the size of the given photograph's file in bytes, as the scan found it.
  package func byteCount(of id: PhotoID) -> Int { identity(of: id).map { Int($0.byteCount) } ?? 0 }
}
