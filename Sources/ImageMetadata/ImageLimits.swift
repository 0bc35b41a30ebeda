public import Geometry

/// How large a picture may be to be decoded at all, judged by its header before a pixel is touched.
///
/// What is read row by row (``ImageFormat/isReadByRows``) may have any size that ``PixelSize`` holds, as it takes memory for
/// a few rows; side and pixels bind the others. A file of a hundred bytes can declare gigabytes of pixels. What is refused
/// here costs a header's reading and no more.
public struct ImageLimits: Hashable, Sendable {
  /// The longest side of a picture that is decoded whole, in pixels.
  public var longestSide: Int
  /// The most pixels of a picture that is decoded whole.
  public var maximumPixels: Int
  /// The most pixels that a byte of the file may stand for, in pictures of more than ``pixelsBeyondSuspicion``.
  public var maximumPixelsPerByte: Int
  /// Up to so many pixels, a small file is only well compressed.
  public var ratioCheckThreshold: Int

  /// The limits of this program.
  ///
  /// 32,767 a side and 256 million pixels where a picture is decoded whole, 2,000 pixels a byte above 64 million pixels.
  public static let standard = ImageLimits(
    longestSide: 32_767, maximumPixels: 256_000_000, maximumPixelsPerByte: 2000, ratioCheckThreshold: 64_000_000)

  /// The most passes over all pixels that are made of a progressive picture: each costs as much as the first.
  public static let maximumPasses = 100

  /// Makes limits.
  public init(longestSide: Int, maximumPixels: Int, maximumPixelsPerByte: Int, ratioCheckThreshold: Int) {
    self.longestSide = longestSide
    self.maximumPixels = maximumPixels
    self.maximumPixelsPerByte = maximumPixelsPerByte
    self.ratioCheckThreshold = ratioCheckThreshold
  }

  /// Whether a picture of this size may be decoded from a file of so many bytes.
  public func allows(_ size: PixelSize, format: ImageFormat, fileBytes: Int) -> Bool {
    guard format.isReadByRows || (size.width <= longestSide && size.height <= longestSide && size.area <= maximumPixels)
    else { return false }
    // Division, as the product with a file's length could overflow.
    return size.area <= ratioCheckThreshold || size.area / maximumPixelsPerByte <= fileBytes
  }
}
