public import VitrineGeometry

/// The metadata in the first bytes of an image file.
public struct ImageHeader: Hashable, Sendable {
  /// The format of the file.
  public var format: ImageFormat
  /// The stored size in pixels, before orientation, or nil if the header declares none or an invalid one.
  public var storedSize: PixelSize?
  /// Whether the header declares a side longer than `PixelSize.maximumSide`.
  ///
  /// ``storedSize`` is then nil.
  public var isOversized: Bool
  /// Whether reading stopped at a limit, `ImageHeaderParser.maximumBytes`, before the first frame, so that values may be
  /// missing.
  public var isIncomplete = false
  /// The orientation of the stored pixels.
  public var orientation: Orientation
  /// The capture time by the camera's clock, in seconds since 1970 as if that clock were UTC.
  public var captureTime: Int64?
  /// The model of the camera, preceded by its manufacturer unless the model's name contains it, or nil if the file does
  /// not state it.
  public var camera: String?
  /// The rating, 1 to 5, or nil if the file has none.
  ///
  /// A rating in XMP data is used instead of one in EXIF data.
  public var rating: UInt8?
  /// Where the photograph was taken, or nil if the file does not state it.
  public var location: GeographicLocation?
  /// The range of the embedded preview in the file: a JPEG, or in HEIC and AVIF an item that only their decoders can
  /// read.
  public var embeddedThumbnail: Range<Int>?
  /// The range of the EXIF data in the file, or nil if there is none or it is compressed.
  var exifData: Range<Int>?
  /// The part of the coded pixels that forms the image, in HEIC and AVIF, or nil if it is all of them.
  public var cleanAperture: PixelRect?

  /// Creates a header.
  public init(
    format: ImageFormat, storedSize: PixelSize? = nil, isOversized: Bool = false, orientation: Orientation = .up,
    captureTime: Int64? = nil, embeddedThumbnail: Range<Int>? = nil, cleanAperture: PixelRect? = nil
  ) {
    self.format = format
    self.storedSize = storedSize
    self.isOversized = isOversized
    self.orientation = orientation
    self.captureTime = captureTime
    self.embeddedThumbnail = embeddedThumbnail
    self.cleanAperture = cleanAperture
  }

  /// The size in pixels after orientation.
  public var size: PixelSize? { orientation.isTransposed ? storedSize?.transposed : storedSize }

  /// Sets the size that the file declares.
  mutating func setStoredSize(width: Int, height: Int) {
    storedSize = PixelSize(width: width, height: height)
    isOversized = width > PixelSize.maximumSide || height > PixelSize.maximumSide
  }
}

extension ImageHeader {
  /// Reads a file's header through a closure that reads bytes.
  ///
  /// Usually a single `pread` of 4 KiB suffices.
  ///
  /// - Parameters:
  ///   - fileBytes: The length of the file in bytes.
  ///   - read: A closure that reads `count` bytes at `offset`, or fewer at the end of the file.
  /// - Returns: The header, or nil if the file is not an image.
  /// - Throws: The closure's error.
  public static func read<Failure: Error>(
    fileBytes: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> ImageHeader? {
    var parser = ImageHeaderParser(fileBytes: fileBytes)
    while true {
      switch parser.step {
      case .needsBytes(let range): parser.supplyBytes(try read(range.lowerBound, range.count))
      case .finished(let header): return header
      }
    }
  }

  /// Reads the header of a file in memory.
  public static func read(_ bytes: UnsafeRawBufferPointer) -> ImageHeader? {
    read(fileBytes: bytes.count) { offset, count in Array(bytes[offset..<offset + count]) }
  }

  /// Reads the header of a file in memory.
  public static func read(_ bytes: [UInt8]) -> ImageHeader? {
    bytes.withUnsafeBytes { read($0) }
  }
}

/// A location on the surface of the earth (WGS 84).
///
/// Coordinates have a precision of a ten-millionth of a degree, about a centimetre.
public struct GeographicLocation: Hashable, Sendable {
  /// The latitude in ten-millionths of a degree, positive in the north.
  public let latitudeUnits: Int32
  /// The longitude in ten-millionths of a degree, positive in the east.
  public let longitudeUnits: Int32

  private static let unitsPerDegree = 10_000_000.0

  /// Creates a location from coordinates in degrees.
  ///
  /// - Returns: nil if a coordinate is out of range, or if both are 0, which devices write while they have no position.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.init(
      latitudeUnits: Int32((latitude * GeographicLocation.unitsPerDegree).rounded()),
      longitudeUnits: Int32((longitude * GeographicLocation.unitsPerDegree).rounded()))
  }

  /// Creates a location from coordinates in ten-millionths of a degree, with the same conditions.
  public init?(latitudeUnits: Int32, longitudeUnits: Int32) {
    guard (-900_000_000...900_000_000).contains(latitudeUnits),
      (-1_800_000_000...1_800_000_000).contains(longitudeUnits), latitudeUnits != 0 || longitudeUnits != 0
    else { return nil }
    self.latitudeUnits = latitudeUnits
    self.longitudeUnits = longitudeUnits
  }

  /// The latitude in degrees, positive in the north.
  public var latitude: Double { Double(latitudeUnits) / GeographicLocation.unitsPerDegree }

  /// The longitude in degrees, positive in the east.
  public var longitude: Double { Double(longitudeUnits) / GeographicLocation.unitsPerDegree }
}

/// The orientation of stored pixels: the values 1 to 8 of EXIF tag 0x0112.
public enum Orientation: UInt8, CaseIterable, Hashable, Sendable {
  /// As stored.
  case up = 1
  /// Mirrored horizontally.
  case upMirrored = 2
  /// Rotated by 180°.
  case down = 3
  /// Mirrored vertically.
  case downMirrored = 4
  /// Mirrored along the main diagonal.
  case leftMirrored = 5
  /// Must be rotated by 90° clockwise for display.
  case right = 6
  /// Mirrored along the other diagonal.
  case rightMirrored = 7
  /// Must be rotated by 90° counterclockwise for display.
  case left = 8

  /// Whether width and height are swapped.
  public var isTransposed: Bool { rawValue >= 5 }

  /// Returns the part of the stored image that is a part of the upright one.
  ///
  /// - Parameters:
  ///   - part: The part of the upright image.
  ///   - stored: The size of the stored image.
  public func storedPart(_ part: PixelRect, of stored: PixelSize) -> PixelRect {
    let (width, height) = (Int32(stored.width), Int32(stored.height))
    let (x, y) = isTransposed ? (part.y, part.x) : (part.x, part.y)
    let size = isTransposed ? (part.height, part.width) : (part.width, part.height)
    let isMirroredAcross = [.upMirrored, .down, .rightMirrored, .left].contains(self)
    let isMirroredDown = [.down, .downMirrored, .right, .rightMirrored].contains(self)
    return PixelRect(
      x: isMirroredAcross ? width - x - size.0 : x, y: isMirroredDown ? height - y - size.1 : y, width: size.0,
      height: size.1)
  }
}

/// The limits that reject an image by its header, before any pixel is decoded.
///
/// A file of a hundred bytes can declare gigabytes of pixels; rejecting it here costs only the reading of its header.
/// Formats that are decoded row by row (``ImageFormat/isReadByRows``) may have any size that `PixelSize` can
/// represent, because they need memory for a few rows only. The limits of side and pixels apply to the others.
public struct ImageLimits: Hashable, Sendable {
  /// The longest side of an image that is decoded as a whole, in pixels.
  public var longestSide: Int
  /// The maximum number of pixels of an image that is decoded as a whole.
  public var maximumPixels: Int
  /// The maximum number of pixels per byte of the file, for images with more than ``ratioCheckThreshold`` pixels.
  public var maximumPixelsPerByte: Int
  /// The number of pixels up to which the compression ratio is not checked, because a small file may just compress
  /// well.
  public var ratioCheckThreshold: Int
  /// The maximum number of bytes read of a file.
  ///
  /// Skipped metadata does not count.
  public var maximumFileBytes: Int

  /// The maximum number of bytes read of a file by default.
  public static let standardFileBytes = 128 << 20

  /// The default limits.
  ///
  /// 32,767 pixels per side and 256 million pixels for images that are decoded as a whole, 2,000 pixels per byte above
  /// 64 million pixels, and 128 MiB of a file.
  public static let standard = ImageLimits(
    longestSide: 32_767, maximumPixels: 256_000_000, maximumPixelsPerByte: 2000, ratioCheckThreshold: 64_000_000)

  /// The maximum number of passes over all pixels of a progressive image, each of which costs as much as the first.
  public static let maximumPasses = 100

  /// Creates limits.
  public init(
    longestSide: Int, maximumPixels: Int, maximumPixelsPerByte: Int, ratioCheckThreshold: Int,
    maximumFileBytes: Int = standardFileBytes
  ) {
    self.longestSide = longestSide
    self.maximumPixels = maximumPixels
    self.maximumPixelsPerByte = maximumPixelsPerByte
    self.ratioCheckThreshold = ratioCheckThreshold
    self.maximumFileBytes = maximumFileBytes
  }

  /// Returns whether an image of the given size may be decoded from a file of the given length.
  public func allows(_ size: PixelSize, format: ImageFormat, fileBytes: Int) -> Bool {
    guard format.isReadByRows || (size.width <= longestSide && size.height <= longestSide && size.area <= maximumPixels)
    else { return false }
    // A division, because the product with the file's length could overflow.
    return size.area <= ratioCheckThreshold || size.area / maximumPixelsPerByte <= fileBytes
  }
}
