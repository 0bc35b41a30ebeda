import VitrineGeometry
import VitrineImageMetadata

/// The record of one photograph in 56 bytes, so that it fits into one cache line.
struct CatalogueRow: Hashable, Sendable {
  private var inode: UInt64
  private(set) var byteCount: Int64
  private var modificationNanoseconds: Int64
  private var captureSeconds = Int64.min
  private var thumbnailStart: UInt32 = 0
  /// The offset of the file name in the name arena.
  let nameOffset: UInt32
  /// The number of the folder in the folder table.
  let folderNumber: UInt32
  private var width: UInt16 = 0
  private var height: UInt16 = 0
  private var thumbnailBytes: UInt16 = 0
  private var deviceNumber: UInt16
  /// The number of the camera in the camera table, or 0.
  private(set) var cameraNumber: UInt16 = 0
  /// The format in the upper four bits, all set if there is none, then whether there is a location, and the rating in the
  /// lower three.
  private var formatAndRating = CatalogueRow.noFormat << 4
  /// The failure in the upper three bits, then whether the image is oversized, and the orientation in the lower four.
  private var state: UInt8 = 0

  private static let noFormat: UInt8 = 0xF

  /// Creates a row of which only the path is known.
  init(folder: UInt32, name: UInt32) {
    self.folderNumber = folder
    self.nameOffset = name
    inode = 0
    byteCount = 0
    modificationNanoseconds = 0
    deviceNumber = 0
  }

  /// Returns the identity of the file, with the file system looked up in the given table.
  func identity(in devices: DeviceTable) -> FileIdentity {
    FileIdentity(
      device: devices[deviceNumber], inode: inode, byteCount: byteCount,
      modificationNanoseconds: modificationNanoseconds)
  }

  /// Sets the identity of the file.
  mutating func setIdentity(_ identity: FileIdentity, device: UInt16) {
    self.deviceNumber = device
    inode = identity.inode
    byteCount = identity.byteCount
    modificationNanoseconds = identity.modificationNanoseconds
  }

  /// Why the photograph cannot be shown, or nil if no reason is known.
  var failure: PhotoFailure? {
    get { PhotoFailure(rawValue: state >> 5) }
    set { state = state & 0x1F | (newValue?.rawValue ?? 0) << 5 }
  }

  /// The stored size in pixels, before orientation.
  var storedSize: PixelSize? { PixelSize(width: Int(width), height: Int(height)) }

  /// The size in pixels after orientation, or nil if it is unknown.
  var size: PixelSize? {
    Orientation(rawValue: state & 0xF)?.isTransposed == true ? storedSize?.transposed : storedSize
  }

  /// Whether the header contains an embedded thumbnail.
  var hasThumbnail: Bool { thumbnailBytes > 0 }

  /// The capture time in seconds since 1970 on the camera's clock, or nil if it is unknown.
  var captureTime: Int64? { captureSeconds == .min ? nil : captureSeconds }

  /// Returns the capture time, or else the modification date, in seconds since 1970, or nil if neither is known.
  ///
  /// - Parameter datesByFile: Whether the modification date is used.
  func time(datesByFile: Bool) -> Int64? {
    if let captureTime { return captureTime }
    guard datesByFile else { return nil }
    let seconds = CalendarMonth.flooredQuotient(modificationNanoseconds, 1_000_000_000)
    // 1970 begins with what archives write for an unknown date.
    return seconds != 0 ? seconds : nil
  }

  /// The format, or nil if the header has not been read.
  var format: ImageFormat? { ImageFormat(rawValue: formatAndRating >> 4) }

  /// The rating, 1 to 5, or 0 if there is none.
  var rating: UInt8 { formatAndRating & 7 }

  /// Whether the file states where the photograph was taken.
  var hasLocation: Bool { formatAndRating & 8 != 0 }

  /// Returns the image header with a camera, or nil if it has not been read.
  ///
  /// The location is not part of it: it is stored on disk only.
  /// An embedded thumbnail that starts beyond 4 GiB or has 64 KiB or more is dropped. EXIF thumbnails are shorter.
  func header(camera: String?) -> ImageHeader? {
    guard let format else { return nil }
    let start = Int(thumbnailStart)
    var header = ImageHeader(
      format: format, storedSize: storedSize, isOversized: state & 0x10 != 0,
      orientation: Orientation(rawValue: state & 0xF) ?? .up,
      captureTime: captureTime,
      embeddedThumbnail: thumbnailBytes == 0 ? nil : start..<start + Int(thumbnailBytes))
    header.camera = camera
    header.rating = rating == 0 ? nil : rating
    return header
  }

  /// Sets the image header, or removes it.
  ///
  /// - Parameter camera: The number of the header's camera in the camera table, or 0.
  mutating func setHeader(_ header: ImageHeader?, camera: UInt16) {
    formatAndRating = (header?.format.rawValue ?? CatalogueRow.noFormat) << 4 | min(5, header?.rating ?? 0)
    if header?.location != nil { formatAndRating |= 8 }
    cameraNumber = camera
    width = UInt16(header?.storedSize?.width ?? 0)
    height = UInt16(header?.storedSize?.height ?? 0)
    state = state & 0xE0 | (header?.isOversized == true ? 0x10 : 0) | (header?.orientation.rawValue ?? 0)
    captureSeconds = header?.captureTime ?? .min
    thumbnailStart = 0
    thumbnailBytes = 0
    if let range = header?.embeddedThumbnail, let start = UInt32(exactly: range.lowerBound),
      let bytes = UInt16(exactly: range.count)
    {
      thumbnailStart = start
      thumbnailBytes = bytes
    }
  }
}
