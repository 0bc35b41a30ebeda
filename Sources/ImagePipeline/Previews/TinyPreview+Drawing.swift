public import VitrineGeometry
public import VitrineRendering

extension TinyPreview {
  /// The longest side of a drawn preview in pixels.
  public static let longestSide = 32

  /// Draws the preview at a small size, for a view that stretches it.
  ///
  /// - Parameter size: The size of the view in pixels. The bitmap has its aspect ratio and shows the same part of the
  ///   image as the image itself would.
  /// - Returns: An opaque bitmap of at most 32 by 32 pixels, or nil if there is not enough memory.
  /// - Complexity: O(pixels), about 5 µs.
  public func bitmap(for size: PixelSize) -> Bitmap? {
    let (width, height) = TinyPreview.scaledSize(size)
    guard let size = PixelSize(width: width, height: height) else { return nil }
    let own = PreviewCrop(shape: shape, picture: pictureSize)
    let visible = PreviewCrop(viewSize: size, picture: pictureSize)
    let isWhole = PreviewShape(size) == shape
    let frequencies = PreviewFrequencies.forShape(shape)
    let horizontal =
      isWhole ? .fullExtent(count: width) : CosineBasis(count: width, extent: Float(visible.width / own.width))
    let vertical =
      isWhole ? .fullExtent(count: height) : CosineBasis(count: height, extent: Float(visible.height / own.height))
    let average = averages
    let luma = PreviewPlane(
      self, .lumaScale, Field.luma, frequencies.list[...], average: average.luma, horizontal: horizontal)
    let colored = frequencies.list.prefix(TinyPreview.chromaCount)
    let orange = PreviewPlane(
      self, .orangeScale, Field.orange, colored, average: average.orange, horizontal: horizontal)
    let green = PreviewPlane(self, .greenScale, Field.green, colored, average: average.green, horizontal: horizontal)
    return try? Bitmap(size: size, isOpaque: true) { pixels in
      for y in 0..<height {
        for part in 0..<PreviewRow.parts where part * PreviewRow.Part.scalarCount < width {
          let row = PreviewColors.pixels(
            luma.part(part, ofRow: y, vertical), orange.part(part, ofRow: y, vertical),
            green.part(part, ofRow: y, vertical))
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

  /// Returns the size at which a preview is drawn: as large as possible, and at least one pixel wide.
  private static func scaledSize(_ size: PixelSize) -> (width: Int, height: Int) {
    let longer = max(size.width, size.height)
    return (
      max(1, (size.width * longestSide + longer / 2) / longer),
      max(1, (size.height * longestSide + longer / 2) / longer)
    )
  }
}

/// A channel of a preview while it is drawn: for each vertical frequency, the sum of the horizontal ones.
private struct PreviewPlane {
  /// The sums, in consecutive rows.
  private let parts: [PreviewRow.Part]
  /// The highest vertical frequency.
  private let highest: Int

  /// Adds up the horizontal frequencies.
  init(
    _ preview: TinyPreview, _ scale: TinyPreview.Field, _ field: (Int) -> TinyPreview.Field,
    _ frequencies: ArraySlice<PreviewFrequencies.Frequency>, average: Float, horizontal: CosineBasis
  ) {
    let unit = preview.scale(scale)
    let highest = frequencies.reduce(0) { max($0, $1.vertical) }
    let row = PreviewRow.parts
    var parts = [PreviewRow.Part](repeating: .zero, count: (highest + 1) * row)
    for part in 0..<row { parts[part] = PreviewRow.Part(repeating: average) }
    for (index, frequency) in frequencies.enumerated() {
      let share = preview.coefficient(field(index)) * unit
      guard share != 0 else { continue }
      for part in 0..<row {
        parts[frequency.vertical * row + part] += horizontal.part(part, of: frequency.horizontal) * share
      }
    }
    self.parts = parts
    self.highest = highest
  }

  /// Returns a part of a row of the channel.
  @inline(__always)
  func part(_ part: Int, ofRow y: Int, _ vertical: CosineBasis) -> PreviewRow.Part {
    var sum = parts[part]
    var frequency = 1
    while frequency <= highest {
      sum += parts[frequency &* PreviewRow.parts &+ part] * vertical.cosine(frequency, at: y)
      frequency &+= 1
    }
    return sum
  }
}

/// The colour model of previews: luma and two colour differences, red minus blue, and green minus both.
///
/// The components of YCoCg (Malvar and Sullivan, 2003), which are easy to invert. Images have less detail in the
/// differences.
enum PreviewColors {
  /// Returns the components of a colour with channels in 0...1.
  @inline(__always)
  static func components(red: Float, green: Float, blue: Float) -> (luma: Float, orange: Float, green: Float) {
    ((red + 2 * green + blue) / 4, red - blue, green - (red + blue) / 2)
  }

  /// Returns red, green and blue, in 0...1 if the colour exists.
  @inline(__always)
  static func channels(_ luma: Float, _ orange: Float, _ green: Float) -> (red: Float, green: Float, blue: Float) {
    let rest = luma - green / 2
    return (rest + orange / 2, luma + green / 2, rest - orange / 2)
  }

  /// Returns opaque pixels of the given components, red in the lowest byte.
  @inline(__always)
  static func pixels(_ luma: PreviewRow.Part, _ orange: PreviewRow.Part, _ green: PreviewRow.Part) -> SIMD8<UInt32> {
    let rest = luma - green * 0.5
    let opaque = SIMD8<UInt32>(repeating: 0xFF00_0000)
    return byte(rest + orange * 0.5) | byte(luma + green * 0.5) &<< 8 | byte(rest - orange * 0.5) &<< 16 | opaque
  }

  /// Returns each channel as the nearest number in 0...255.
  @inline(__always)
  private static func byte(_ channel: PreviewRow.Part) -> SIMD8<UInt32> {
    var scaled = channel * 255
    scaled.replace(with: 0, where: scaled .< 0)
    scaled.replace(with: 255, where: scaled .> 255)
    // A number of this magnitude has no fraction bits, so its lowest bits hold the rounded value.
    let rounded = scaled + 8_388_608
    return withUnsafeBytes(of: rounded) { $0.load(as: SIMD8<UInt32>.self) } & 0xFF
  }
}
