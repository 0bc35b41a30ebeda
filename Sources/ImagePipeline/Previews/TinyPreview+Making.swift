public import Geometry
public import Rendering

extension TinyPreview {
  /// Makes the preview of a picture from its thumbnail.
  ///
  /// For a worker's thread: it reads every pixel.
  ///
  /// - Parameters:
  ///   - bitmap: the picture, or the middle of it, as a place of the bitmap's shape shows it.
  ///   - pictureSize: the picture's own size in pixels after orientation, where it is known.
  /// - Complexity: O(pixels), about 1 ns each.
  public init(of bitmap: Bitmap, pictureSize: PixelSize?) {
    self.init(words: .zero)
    let shape = PreviewShape(bitmap.size)
    set(.width, to: pictureSize?.width ?? 0)
    set(.height, to: pictureSize?.height ?? 0)
    set(.shape, to: shape.code)
    let grid = PreviewGrid(of: bitmap)
    set(.luma, to: TinyPreview.nearest(grid.average.luma * 255))
    set(.orange, to: TinyPreview.nearest(grid.average.orange * 63) + 63)
    set(.green, to: TinyPreview.nearest(grid.average.green * 63) + 63)
    let frequencies = PreviewFrequencies.forShape(shape).list
    let across = CosineBasis.fullExtent(count: grid.width)
    let down = CosineBasis.fullExtent(count: grid.height)
    let transform = PreviewTransform(horizontal: across, vertical: down, width: grid.width, height: grid.height)
    encodeCoefficients(transform.coefficients(of: grid.luma, frequencies), scale: .lumaScale, Field.luma)
    let chroma = Array(frequencies.prefix(TinyPreview.chromaCount))
    encodeCoefficients(transform.coefficients(of: grid.orange, chroma), scale: .orangeScale, Field.orange)
    encodeCoefficients(transform.coefficients(of: grid.green, chroma), scale: .greenScale, Field.green)
  }

  /// Notes a channel's shares in steps of a scale that the largest of them fits.
  private mutating func encodeCoefficients(_ shares: [Float], scale: Field, _ field: (Int) -> Field) {
    let largest = shares.reduce(0) { max($0, abs($1)) }
    // The scale is squared when it is read: the smallest of its steps that is large enough.
    let root = (min(1, largest)).squareRoot() * Float(scale.largest)
    set(scale, to: Int(root.rounded(.up)))
    let unit = self.scale(scale)
    for (place, share) in shares.enumerated() {
      let steps = unit > 0 ? min(1, max(-1, share / unit)) * TinyPreview.steps : 0
      set(field(place), to: TinyPreview.nearest(steps) + Int(TinyPreview.steps))
    }
  }

  private static func nearest(_ number: Float) -> Int { Int(number.rounded()) }
}
