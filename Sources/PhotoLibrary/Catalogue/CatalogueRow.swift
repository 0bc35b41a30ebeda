import Geometry
import ImageMetadata

/// One photograph in 56 bytes: what a cell asks for lies in one line of the processor's cache.
struct CatalogueRow: Sendable {
  private var inode: UInt64
  private var byteCount: Int64
  private var modificationNanoseconds: Int64
  private var captureSeconds = Int64.min
  private var thumbnailStart: UInt32 = 0
  /// Where the name lies.
  let nameOffset: UInt32
  /// The folder's number.
  let folderNumber: UInt32
  private var width: UInt16 = 0
  private var height: UInt16 = 0
  private var thumbnailBytes: UInt16 = 0
  private var deviceNumber: UInt16
  private var formatCode = CatalogueRow.noFormat
  private var orientation: UInt8 = 0
  private var failureCode: UInt8 = 0
  private var isOversized = false

  private static let noFormat: UInt8 = 0xFF

  /// A photograph of which nothing but its place is known.
  init(folder: UInt32, name: UInt32) {
    self.folderNumber = folder
    self.nameOffset = name
    inode = 0
    byteCount = 0
    modificationNanoseconds = 0
    deviceNumber = 0
  }

  /// Which file it is; the table says which file system.
  func identity(in devices: DeviceTable) -> FileIdentity {
    FileIdentity(
      device: devices[deviceNumber], inode: inode, byteCount: byteCount,
      modificationNanoseconds: modificationNanoseconds)
  }

  /// Notes which file it is.
  mutating func setIdentity(_ identity: FileIdentity, device: UInt16) {
    self.deviceNumber = device
    inode = identity.inode
    byteCount = identity.byteCount
    modificationNanoseconds = identity.modificationNanoseconds
  }

  /// Why it cannot be shown.
  var failure: PhotoFailure? {
    get { PhotoFailure(rawValue: failureCode) }
    set { failureCode = newValue?.rawValue ?? 0 }
  }

  /// The pixels' extent as they are stored.
  var storedSize: PixelSize? { PixelSize(width: Int(width), height: Int(height)) }

  /// What the first bytes told.
  ///
  /// A preview past the first 4 GB or of 64 KiB and more is left out; EXIF's are shorter.
  var header: ImageHeader? {
    get {
      guard let format = ImageFormat(rawValue: formatCode) else { return nil }
      let start = Int(thumbnailStart)
      return ImageHeader(
        format: format, storedSize: storedSize, isOversized: isOversized,
        orientation: Orientation(rawValue: orientation) ?? .up,
        captureTime: captureSeconds == .min ? nil : captureSeconds,
        embeddedThumbnail: thumbnailBytes == 0 ? nil : start..<start + Int(thumbnailBytes))
    }
    set {
      formatCode = newValue?.format.rawValue ?? CatalogueRow.noFormat
      width = UInt16(newValue?.storedSize?.width ?? 0)
      height = UInt16(newValue?.storedSize?.height ?? 0)
      isOversized = newValue?.isOversized ?? false
      orientation = newValue?.orientation.rawValue ?? 0
      captureSeconds = newValue?.captureTime ?? .min
      thumbnailStart = 0
      thumbnailBytes = 0
      if let range = newValue?.embeddedThumbnail, let start = UInt32(exactly: range.lowerBound),
        let bytes = UInt16(exactly: range.count)
      {
        thumbnailStart = start
        thumbnailBytes = bytes
      }
    }
  }
}
