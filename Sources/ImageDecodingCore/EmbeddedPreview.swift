package import VitrineGeometry

/// A small image that can replace a large image in the same file.
package struct EmbeddedPreview: Hashable {
  /// The stored size of the preview.
  package let size: PixelSize
  /// The stored size of the large image.
  package let picture: PixelSize

  /// The maximum relative difference of the aspect ratios.
  ///
  /// Previews by cameras have black bars if their aspect ratio differs, and some predate a crop of the image.
  private static let tolerance = 0.02

  /// Creates a preview, or returns nil if the aspect ratios differ.
  package init?(_ size: PixelSize?, of picture: PixelSize) {
    guard let size else { return nil }
    // A rounding error of one pixel per side is ignored.
    let wanted = Double(picture.width) / Double(picture.height)
    let least = (Double(size.width) - 1) / (Double(size.height) + 1) / (1 + EmbeddedPreview.tolerance)
    let most = (Double(size.width) + 1) / max(1, Double(size.height) - 1) * (1 + EmbeddedPreview.tolerance)
    guard wanted >= least, wanted <= most, size.area <= picture.area else { return nil }
    self.size = size
    self.picture = picture
  }

  /// Returns whether the preview has at least as many pixels as the result on both axes.
  package func hasPixels(for placement: Placement) -> Bool {
    let across = Double(size.width) / Double(picture.width)
    let down = Double(size.height) / Double(picture.height)
    return placement.ratioX * across >= 1 && placement.ratioY * down >= 1
  }

  /// Returns the placement of the preview's pixels in place of the image's.
  package func placement(for placement: Placement) -> Placement {
    placement.scaled(
      across: Double(size.width) / Double(picture.width), down: Double(size.height) / Double(picture.height))
  }
}

/// The byte ranges of a HEIC file that its preview needs: all boxes without pixels, and the preview's own bytes.
enum PreviewPieces {
  private static let maximumBoxes = 64
  /// Boxes without pixels take some kilobytes.
  private static let maximumBytes = 1 << 20
  /// Below this many saved bytes, reading the whole file is as fast.
  private static let minimumSavedBytes = 1 << 16

  /// Returns the ranges in file order, or nil if partial reading is not worthwhile or the boxes are malformed.
  ///
  /// - Parameters:
  ///   - preview: The range of the preview's own bytes.
  ///   - fileBytes: The length of the file in bytes.
  ///   - head: A closure that reads the sixteen bytes at an offset, or fewer at the end of the file.
  static func ranges<Failure: Error>(
    preview: Range<Int>, fileBytes: Int, head: (Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>]? {
    var ranges: [Range<Int>] = []
    var place = 0
    for _ in 0..<maximumBoxes where place < fileBytes {
      let bytes = try head(place)
      guard bytes.count >= 8 else { return nil }
      func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
      let short = number(0..<4)
      guard short != 1 || bytes.count == 16 else { return nil }
      let long = short == 1 ? number(8..<16) : short == 0 ? UInt64(fileBytes - place) : short
      guard long >= (short == 1 ? 16 : 8), long <= UInt64(fileBytes - place) else { return nil }
      let end = place + Int(long)
      // Boxes of pixels are skipped except for their headers.
      ranges.append(place..<(bytes[4..<8].elementsEqual("mdat".utf8) ? min(end, place + 16) : end))
      place = end
    }
    ranges.append(preview)
    let count = ranges.reduce(0) { $0 + $1.count }
    guard place == fileBytes, count <= maximumBytes, fileBytes - count >= minimumSavedBytes else { return nil }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }
}
