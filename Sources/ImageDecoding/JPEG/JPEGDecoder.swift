import Geometry
import ImageMetadata

/// Decodes JPEG at the smallest of libjpeg-turbo's scales that leaves the resampler twice the pixels it needs.
struct JPEGDecoder {
  private let file: UnsafeRawBufferPointer
  private let structure: JPEGStructure

  /// Twice the pixels of the result, or nearly: a rounded side must not cost four times the work.
  private static let enough = 1.95
  /// Pixels decoded at once, at most, while a smaller scale still has as many as the result.
  private static let mostPixels = 32 << 20

  /// A damaged picture is shown when more than one row in so many was saved.
  private static let leastShare = 32

  init(_ file: UnsafeRawBufferPointer) {
    self.file = file
    structure = JPEGStructure(file)
  }

  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    guard structure.isSupported else {
      throw .unsupported(.jpeg, detail: "a process other than baseline or progressive")
    }
    guard structure.hasPixelBytes else { throw .damaged(detail: "the file ends before its pixels") }
    guard structure.scanCount <= JPEGStructure.mostScans else {
      throw .damaged(detail: "more than \(JPEGStructure.mostScans) scans")
    }
    let decoder = try TurboJPEG()
    let frame = try decoder.frame(of: file)
    guard frame.size == header.storedSize else { throw .damaged(detail: "two sizes in one file") }
    let eighths = JPEGDecoder.eighths(for: placement, size: frame.size)
    let pixels = try PixelMemory(size: TurboJPEG.scaled(frame.size, eighths: eighths))
    let isDamaged = try decoder.decode(file, isInk: frame.isInk, into: pixels)
    // A sliver at the top edge of a grey field helps nobody.
    if isDamaged, pixels.isUniform(fromRow: pixels.height / JPEGDecoder.leastShare) {
      throw .damaged(detail: "the file ends where its pixels begin")
    }
    if frame.isInk { InkConversion(isInverted: structure.hasAdobeMarker).convert(pixels) }
    let scale = Double(eighths) / 8
    return try ReducedPicture(pixels: pixels, scaleX: scale, scaleY: scale, isDamaged: isDamaged).reduced(
      for: placement)
  }

  /// The smallest scale with twice the pixels of the result on both axes, or else the file's own.
  static func eighths(for placement: Placement, size: PixelSize) -> Int {
    let ratio = min(placement.ratioX, placement.ratioY)
    var eighths = (1...8).first { ratio * Double($0) / 8 >= enough } ?? 8
    // A large result of a larger picture: less surplus rather than hundreds of megabytes.
    while eighths > 1, ratio * Double(eighths - 1) / 8 >= 1,
      TurboJPEG.scaled(size, eighths: eighths).area > mostPixels
    {
      eighths -= 1
    }
    // libjpeg-turbo takes the largest scale that gives these pixels; in tiny pictures several do.
    let scaled = TurboJPEG.scaled(size, eighths: eighths)
    return (eighths...8).last { TurboJPEG.scaled(size, eighths: $0) == scaled } ?? eighths
  }
}
