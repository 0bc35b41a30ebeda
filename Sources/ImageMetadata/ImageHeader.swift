public import Geometry

/// What the first bytes of a picture file tell without decoding it.
public struct ImageHeader: Hashable, Sendable {
  /// The kind of file.
  public var format: ImageFormat
  /// The stored extent in pixels, before orientation; nothing where the header does not say or says nonsense.
  public var storedSize: PixelSize?
  /// Whether the header declares a side past ``PixelSize/longestSide``; then ``storedSize`` is nothing.
  public var declaresGiant: Bool
  /// Whether more stands before the first frame than is read of a file (``ImageHeaderParser/mostBytes``): what is missing
  /// here was not looked for any further.
  public var isUnfinished = false
  /// How the pixels stand.
  public var orientation: Orientation
  /// When the picture was taken, by its own clock: seconds since 1970 as if that clock were UTC.
  public var captureTime: Int64?
  /// Where the embedded preview's bytes lie in the file: a JPEG, but in HEIC and AVIF an item that only their decoders
  /// can read.
  public var embeddedThumbnail: Range<Int>?
  /// Which pixels of those that are coded are the picture, in HEIC and AVIF; nothing where all are.
  public var aperture: PixelRect?

  /// Makes a header.
  public init(
    format: ImageFormat, storedSize: PixelSize? = nil, declaresGiant: Bool = false, orientation: Orientation = .up,
    captureTime: Int64? = nil, embeddedThumbnail: Range<Int>? = nil, aperture: PixelRect? = nil
  ) {
    self.format = format
    self.storedSize = storedSize
    self.declaresGiant = declaresGiant
    self.orientation = orientation
    self.captureTime = captureTime
    self.embeddedThumbnail = embeddedThumbnail
    self.aperture = aperture
  }

  /// The extent as it is looked at.
  public var size: PixelSize? { orientation.isTransposed ? storedSize?.transposed : storedSize }

  /// Notes the extent that the file declares.
  mutating func declare(width: Int, height: Int) {
    storedSize = PixelSize(width: width, height: height)
    declaresGiant = width > PixelSize.longestSide || height > PixelSize.longestSide
  }
}
