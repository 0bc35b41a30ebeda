public import Geometry

/// What the first bytes of a picture file tell without decoding it.
public struct ImageHeader: Hashable, Sendable {
  /// The kind of file.
  public var format: ImageFormat
  /// The stored extent in pixels, before orientation; nothing where the header does not say or says nonsense.
  public var storedSize: PixelSize?
  /// Whether the header declares a side past ``PixelSize/longestSide``; then ``storedSize`` is nothing.
  public var isOversized: Bool
  /// Whether more stands before the first frame than is read of a file (``ImageHeaderParser/mostBytes``): what is missing
  /// here was not looked for any further.
  public var isIncomplete = false
  /// How the pixels stand.
  public var orientation: Orientation
  /// When the picture was taken, by its own clock: seconds since 1970 as if that clock were UTC.
  public var captureTime: Int64?
  /// Where the embedded preview's bytes lie in the file: a JPEG, but in HEIC and AVIF an item that only their decoders
  /// can read.
  public var embeddedThumbnail: Range<Int>?
  /// Which pixels of those that are coded are the picture, in HEIC and AVIF; nothing where all are.
  public var cleanAperture: PixelRect?

  /// Makes a header.
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

  /// The extent as it is looked at.
  public var size: PixelSize? { orientation.isTransposed ? storedSize?.transposed : storedSize }

  /// Notes the extent that the file declares.
  mutating func setStoredSize(width: Int, height: Int) {
    storedSize = PixelSize(width: width, height: height)
    isOversized = width > PixelSize.maximumSide || height > PixelSize.maximumSide
  }
}
