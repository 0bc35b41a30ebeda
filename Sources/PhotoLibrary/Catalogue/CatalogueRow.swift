import Geometry
import ImageMetadata

/// The record of one photograph in 56 bytes, so that it fits into one cache line.
struct CatalogueRow: Sendable {
  private var inode: UInt64
  private var byteCount: Int64
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
  private var formatCode = CatalogueRow.noFormat
  private var orientation: UInt8 = 0
  private var failureCode: UInt8 = 0
  private var isOversized = false

  private static let noFormat: UInt8 = 0xFF

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
    get { PhotoFailure(rawValue: failureCode) }
    set { failureCode = newValue?.rawValue ?? 0 }
  }

  /// The stored size in pixels, before orientation.
  var storedSize: PixelSize? { PixelSize(width: Int(width), height: Int(height)) }

  /// The image header, or nil if it has not been read.
  ///
  /// An embedded thumbnail that starts beyond 4 GiB or has 64 KiB or more is dropped. EXIF thumbnails are shorter.
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
