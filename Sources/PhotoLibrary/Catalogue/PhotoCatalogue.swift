import DataStructures
public import Geometry
public import ImageMetadata

/// All photographs that were ever found in this run, and what is known of each.
///
/// A photograph is found by its path's bytes and asked about by its ``PhotoID``, both in constant time. Nothing is ever
/// taken out: a photograph that vanishes and comes back is the same one. It knows no order; ``CatalogueChange/listed``
/// tells the scan's.
public struct PhotoCatalogue: Sendable {
  private var rows = PagedColumn<CatalogueRow>()
  private var names = NameArena()
  private var folders = FolderTable()
  private var devices = DeviceTable()
  private(set) var index = PathIndex()
  /// The row of each photograph of the scan that goes on, by its place in it.
  private var scannedRows = PagedColumn<UInt32>()

  /// Whether a photograph that does not tell when it was taken counts as taken when its file was last changed.
  public var datesByFile = true

  /// Makes an empty catalogue.
  public init() {}

  /// How many photographs there are.
  public var count: Int { rows.count }

  // MARK: - Filling

  /// Says that the next events are those of a new scan, whose ordinals begin at 0 again.
  public mutating func beginScan() { scannedRows = PagedColumn() }

  /// Takes an event of a scan in, the events of one scan in their order.
  ///
  /// - Complexity: O(photographs in the event).
  public mutating func apply(_ event: LibraryEvent) -> CatalogueChange {
    var change = CatalogueChange()
    switch event {
    case .found(let photos):
      for photo in photos { addPhoto(photo, &change) }
    case .headers(let facts):
      for fact in facts where Int(fact.ordinal) < scannedRows.count { applyHeader(fact, &change) }
    case .finished:
      beginScan()
    case .problem, .progress, .listed, .entries:
      break
    }
    return change
  }

  /// Notes what somebody else found out about a photograph, such as the process that decoded it.
  ///
  /// - Returns: whether that is new.
  @discardableResult
  public mutating func recordHeader(_ header: ImageHeader, for id: PhotoID) -> Bool {
    guard contains(id) else { return false }
    let before = rows[row(id)].header
    rows[row(id)].header = header
    return rows[row(id)].header != before
  }

  // MARK: - Asking

  /// Whether there is a photograph of this name.
  public func contains(_ id: PhotoID) -> Bool { id.rawValue > 0 && Int(id.rawValue) <= rows.count }

  /// The name of the photograph at a path; nothing where there is none.
  public func id(at path: PhotoPath) -> PhotoID? {
    guard let folder = folders.number(of: path.parent) else { return nil }
    let name = path.lastComponent
    return index.row(hash: hash(folder, name)) { matches($0, folder, name) }.map(PhotoCatalogue.id)
  }

  /// All that is known of a photograph.
  public subscript(id: PhotoID) -> Photo? {
    guard contains(id) else { return nil }
    let row = rows[row(id)]
    return Photo(
      id: id, path: folders[row.folderNumber].appending(names[row.nameOffset]), identity: row.identity(in: devices),
      header: row.header, failure: row.failure)
  }

  /// Where a photograph lies.
  public func path(of id: PhotoID) -> PhotoPath? {
    contains(id) ? folders[rows[row(id)].folderNumber].appending(names[rows[row(id)].nameOffset]) : nil
  }

  /// The folder a photograph lies in.
  public func folder(of id: PhotoID) -> PhotoPath? { contains(id) ? folders[rows[row(id)].folderNumber] : nil }

  /// The bytes of a photograph's file name.
  public func name(of id: PhotoID) -> ArraySlice<UInt8>? { contains(id) ? names[rows[row(id)].nameOffset] : nil }

  /// The caption: the file name as UTF-8, with U+FFFD for what is none.
  ///
  /// For eyes alone.
  public func displayName(of id: PhotoID) -> String? { name(of: id).map { String(decoding: $0, as: UTF8.self) } }

  /// The same rows, names and folders, page by page shared with this one.
  public var readOnlyCopy: any PhotoRecords {
    var copy = self
    copy.index = PathIndex()
    copy.folders.removeNumbers()
    copy.scannedRows = PagedColumn()
    return copy
  }

  /// Which file a photograph is, in which version.
  public func identity(of id: PhotoID) -> FileIdentity? { contains(id) ? rows[row(id)].identity(in: devices) : nil }

  /// What a photograph's first bytes told, once they were read.
  public func header(of id: PhotoID) -> ImageHeader? { contains(id) ? rows[row(id)].header : nil }

  /// A photograph's extent in pixels as it is looked at, once it is known.
  public func size(of id: PhotoID) -> PixelSize? { header(of: id)?.size }

  /// When a photograph was taken, in seconds since 1970: by its header, else when its file was last changed, unless
  /// ``datesByFile`` says otherwise.
  ///
  /// The former is the camera's own clock, the latter UTC: the same on every machine. Nothing where neither is known, and
  /// for a file whose time is 1970 or before, which is how file systems and archives write that they know none.
  public func time(of id: PhotoID) -> Int64? {
    guard contains(id) else { return nil }
    if let time = rows[row(id)].header?.captureTime { return time }
    let changed = rows[row(id)].identity(in: devices).modificationSeconds
    return datesByFile && changed > 0 ? changed : nil
  }

  /// Why a photograph cannot be shown, if that is known.
  public func failure(of id: PhotoID) -> PhotoFailure? { contains(id) ? rows[row(id)].failure : nil }

  /// A number for the keys of caches: another one once the file behind the photograph was changed.
  ///
  /// Two photographs have the same one only when they are the same file by two names. 0 for no photograph.
  public func version(of id: PhotoID) -> UInt64 {
    guard let identity = identity(of: id) else { return 0 }
    return identity == .unknown ? SplitMix64.mix(UInt64(id.rawValue)) : identity.version
  }

  /// The memory that the catalogue holds for each photograph, names and all, in bytes; 0 when empty.
  ///
  /// - Complexity: O(pages and folders).
  public var bytesPerItem: Int {
    let held = rows.memoryBytes + names.memoryBytes + folders.memoryBytes + index.memoryBytes + scannedRows.memoryBytes
    return count == 0 ? 0 : held / count
  }

  // MARK: - Rows

  private mutating func addPhoto(_ photo: FoundPhoto, _ change: inout CatalogueChange) {
    let folder = folders.intern(photo.folder)
    let hash = hash(folder, photo.name[...])
    let known = index.row(hash: hash) { matches($0, folder, photo.name[...]) }
    let number = known ?? UInt32(rows.count)
    let id = PhotoCatalogue.id(number)
    if known == nil {
      rows.append(CatalogueRow(folder: folder, name: names.append(photo.name)))
      index.insert(hash: hash, row: number)
      change.added.append(id)
    }
    let isOther = setIdentity(photo.identity, Int(number))
    // What an unchanged file's first bytes told stands until they are read again.
    let failure = photo.failure ?? (isOther ? nil : rows[Int(number)].failure)
    let isNews = isOther || rows[Int(number)].failure != failure
    rows[Int(number)].failure = failure
    if known != nil, isNews { change.changed.append(id) }
    if known != nil, isOther { change.replaced.append(id) }
    scannedRows.append(number)
    change.listed.append(id)
  }

  private mutating func applyHeader(_ fact: HeaderResult, _ change: inout CatalogueChange) {
    let number = Int(scannedRows[Int(fact.ordinal)])
    let before = (header: rows[number].header, failure: rows[number].failure)
    let isOther = fact.identity.map { setIdentity($0, number) } ?? false
    rows[number].header = fact.header
    rows[number].failure = fact.failure
    if isOther || before.header != rows[number].header || before.failure != fact.failure {
      change.changed.append(PhotoCatalogue.id(UInt32(number)))
    }
    if isOther { change.replaced.append(PhotoCatalogue.id(UInt32(number))) }
  }

  /// Notes which file a photograph is, and forgets its facts if it was another; tells whether it was.
  private mutating func setIdentity(_ identity: FileIdentity, _ number: Int) -> Bool {
    // Where two bytes do not name all file systems, the file is known by the rest of its identity.
    let device = devices.intern(identity.device) ?? 0
    let isOther = rows[number].identity(in: devices) != identity
    rows[number].setIdentity(identity, device: device)
    if isOther { rows[number].header = nil }
    return isOther
  }

  private func matches(_ number: UInt32, _ folder: UInt32, _ name: ArraySlice<UInt8>) -> Bool {
    let row = rows[Int(number)]
    return row.folderNumber == folder && names[row.nameOffset] == name
  }

  private func hash(_ folder: UInt32, _ name: ArraySlice<UInt8>) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(folder)
    name.withUnsafeBytes { hasher.combine(bytes: $0) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private func row(_ id: PhotoID) -> Int { Int(id.rawValue) - 1 }

  private static func id(_ row: UInt32) -> PhotoID { PhotoID(rawValue: row + 1) }
}
