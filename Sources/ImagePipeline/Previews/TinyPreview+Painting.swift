public import Geometry
public import Rendering

extension TinyPreview {
  /// The longest side of what is painted, in pixels.
  public static let longestSide = 32

  /// Paints the preview small, for a view that draws it stretched over a place.
  ///
  /// - Parameter place: the size of the place in pixels; what is painted has its shape, and shows as much of the picture
  ///   as the picture itself would there.
  /// - Returns: an opaque bitmap of at most 32 by 32 pixels; nothing where there is no memory for it.
  /// - Complexity: O(pixels), about 5 µs.
  public func bitmap(for place: PixelSize) -> Bitmap? {
    let (width, height) = TinyPreview.scaledSize(place)
    guard let size = PixelSize(width: width, height: height) else { return nil }
    let own = PreviewCrop(shape: shape, picture: pictureSize)
    let seen = PreviewCrop(viewSize: place, picture: pictureSize)
    let isWhole = PreviewShape(place) == shape
    let frequencies = PreviewFrequencies.forShape(shape)
    let across = isWhole ? .fullExtent(count: width) : CosineBasis(count: width, extent: Float(seen.width / own.width))
    let down =
      isWhole ? .fullExtent(count: height) : CosineBasis(count: height, extent: Float(seen.height / own.height))
    let average = averages
    let luma = PreviewPlane(
      self, .lumaScale, Field.luma, frequencies.list[...], average: average.luma, across: across)
    let colored = frequencies.list.prefix(TinyPreview.chromaCount)
    let orange = PreviewPlane(self, .orangeScale, Field.orange, colored, average: average.orange, across: across)
    let green = PreviewPlane(self, .greenScale, Field.green, colored, average: average.green, across: across)
    return try? Bitmap(size: size, isOpaque: true) { pixels in
      for y in 0..<height {
        for part in 0..<PreviewRow.parts where part * PreviewRow.Part.scalarCount < width {
          let row = PreviewColors.pixels(
            luma.part(part, ofRow: y, down), orange.part(part, ofRow: y, down), green.part(part, ofRow: y, down))
          let first = part * PreviewRow.Part.scalarCount
          withUnsafeBytes(of: row) { row in
            let count = min(PreviewRow.Part.scalarCount, width - first) * 4
            let start = (y * width + first) * 4
            UnsafeMutableRawBufferPointer(rebasing: pixels[start..<start + count])
              .copyMemory(from: UnsafeRawBufferPointer(rebasing: row[..<count]))
          }
        }
      }
    }
  }

  /// The small size that a place's is painted at: as long as can be, and a pixel wide at least.
  private static func scaledSize(_ place: PixelSize) -> (width: Int, height: Int) {
    let longer = max(place.width, place.height)
    return (
      max(1, (place.width * longestSide + longer / 2) / longer),
      max(1, (place.height * longestSide + longer / 2) / longer)
    )
  }
}
