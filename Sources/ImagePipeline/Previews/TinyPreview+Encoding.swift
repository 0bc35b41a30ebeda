public import VitrineGeometry
public import VitrineRendering

extension TinyPreview {
  /// Creates the preview of an image from its thumbnail.
  ///
  /// Call this on a worker's thread, as it reads every pixel.
  ///
  /// - Parameters:
  ///   - bitmap: The image, possibly cropped around its centre to the bitmap's aspect ratio.
  ///   - pictureSize: The image's own size in pixels after orientation, if known.
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
    let horizontal = CosineBasis.fullExtent(count: grid.width)
    let vertical = CosineBasis.fullExtent(count: grid.height)
    let transform = PreviewTransform(horizontal: horizontal, vertical: vertical, width: grid.width, height: grid.height)
    encodeCoefficients(transform.coefficients(of: grid.luma, frequencies), scale: .lumaScale, Field.luma)
    let chroma = Array(frequencies.prefix(TinyPreview.chromaCount))
    encodeCoefficients(transform.coefficients(of: grid.orange, chroma), scale: .orangeScale, Field.orange)
    encodeCoefficients(transform.coefficients(of: grid.green, chroma), scale: .greenScale, Field.green)
  }

  /// Writes a channel's coefficients in steps of a scale that fits the largest of them.
  private mutating func encodeCoefficients(_ coefficients: [Float], scale: Field, _ field: (Int) -> Field) {
    let largest = coefficients.reduce(0) { max($0, abs($1)) }
    // The scale is squared when it is read; this is the smallest step that is large enough.
    let root = (min(1, largest)).squareRoot() * Float(scale.largest)
    set(scale, to: Int(root.rounded(.up)))
    let unit = self.scale(scale)
    for (index, coefficient) in coefficients.enumerated() {
      let steps = unit > 0 ? min(1, max(-1, coefficient / unit)) * TinyPreview.steps : 0
      set(field(index), to: TinyPreview.nearest(steps) + Int(TinyPreview.steps))
    }
  }

  private static func nearest(_ number: Float) -> Int { Int(number.rounded()) }
}

// MARK: - Grid

/// The averages of a bitmap in at most 32 by 32 cells, separated into luma and colour.
private struct PreviewGrid {
  /// The number of columns.
  let width: Int
  /// The number of rows.
  let height: Int
  /// The cells in consecutive rows from the top, padded with zeros.
  private(set) var luma: [PreviewRow.Part]
  private(set) var orange: [PreviewRow.Part]
  private(set) var green: [PreviewRow.Part]
  /// The averages of the whole bitmap.
  let average: (luma: Float, orange: Float, green: Float)

  /// Averages a bitmap, ignoring its alpha.
  ///
  /// - Complexity: O(pixels), about 1 ns each.
  init(of bitmap: Bitmap) {
    let size = PreviewGrid.gridSize(for: bitmap.size)
    (width, height) = size
    guard size != (bitmap.size.width, bitmap.size.height) else {
      let small = PreviewGrid.readUnscaled(bitmap)
      (luma, orange, green) = (small.luma, small.orange, small.green)
      average = PreviewGrid.average(of: small.total, area: bitmap.size.area)
      return
    }
    luma = Array(repeating: .zero, count: size.height * PreviewRow.parts)
    orange = luma
    green = luma
    var total = SIMD3<UInt64>.zero
    var sums = [SIMD3<UInt32>](repeating: .zero, count: size.width)
    let isBlueFirst = bitmap.order == .blueFirst
    for y in 0..<size.height {
      let rows = PreviewGrid.pixelRange(y, of: size.height, over: bitmap.size.height)
      for index in sums.indices { sums[index] = .zero }
      bitmap.withPixels { PreviewGrid.addRows(rows, of: $0, width: bitmap.size.width, to: &sums) }
      for x in 0..<size.width {
        if isBlueFirst { sums[x] = SIMD3(sums[x].z, sums[x].y, sums[x].x) }
        total &+= SIMD3(truncatingIfNeeded: sums[x])
        let columns = PreviewGrid.pixelRange(x, of: size.width, over: bitmap.size.width)
        let value = SIMD3<Float>(sums[x]) / Float(columns.count * rows.count * 255)
        let components = PreviewColors.components(red: value.x, green: value.y, blue: value.z)
        PreviewRow.set(x, ofRow: y, in: &luma, to: components.luma)
        PreviewRow.set(x, ofRow: y, in: &orange, to: components.orange)
        PreviewRow.set(x, ofRow: y, in: &green, to: components.green)
      }
    }
    average = PreviewGrid.average(of: total, area: bitmap.size.area)
  }

  /// Reads a bitmap with one pixel per cell, as generated images provide.
  private static func readUnscaled(
    _ bitmap: Bitmap
  ) -> (luma: [PreviewRow.Part], orange: [PreviewRow.Part], green: [PreviewRow.Part], total: SIMD3<UInt64>) {
    var luma = [PreviewRow.Part](repeating: .zero, count: bitmap.size.height * PreviewRow.parts)
    var orange = luma
    var green = luma
    var total = SIMD3<UInt64>.zero
    let (width, area) = (bitmap.size.width, bitmap.size.area)
    let isBlueFirst = bitmap.order == .blueFirst
    bitmap.withPixels { pixels in
      luma.withUnsafeMutableBytes { luma in
        orange.withUnsafeMutableBytes { orange in
          green.withUnsafeMutableBytes { green in
            var (x, line) = (0, 0)
            for index in 0..<area {
              let stored = pixels.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
              let pixel = isBlueFirst ? ChannelOrder.swappingRedAndBlue(stored) : stored
              let channels = SIMD3<UInt32>(pixel & 0xFF, pixel &>> 8 & 0xFF, pixel &>> 16 & 0xFF)
              total &+= SIMD3(truncatingIfNeeded: channels)
              let value = SIMD3<Float>(channels) / 255
              let components = PreviewColors.components(red: value.x, green: value.y, blue: value.z)
              let offset = (line &+ x) &* MemoryLayout<Float>.stride
              luma.storeBytes(of: components.luma, toByteOffset: offset, as: Float.self)
              orange.storeBytes(of: components.orange, toByteOffset: offset, as: Float.self)
              green.storeBytes(of: components.green, toByteOffset: offset, as: Float.self)
              x &+= 1
              if x == width { (x, line) = (0, line &+ PreviewRow.longest) }
            }
          }
        }
      }
    }
    return (luma, orange, green, total)
  }

  private static func average(of total: SIMD3<UInt64>, area: Int) -> (luma: Float, orange: Float, green: Float) {
    let value = SIMD3<Float>(total) / (Float(area) * 255)
    return PreviewColors.components(red: value.x, green: value.y, blue: value.z)
  }

  /// Returns the largest grid with a bitmap's aspect ratio that is no larger than the bitmap.
  static func gridSize(for size: PixelSize) -> (width: Int, height: Int) {
    let longer = max(size.width, size.height)
    guard longer > PreviewRow.longest else { return (size.width, size.height) }
    return (max(1, size.width * PreviewRow.longest / longer), max(1, size.height * PreviewRow.longest / longer))
  }

  /// Returns the pixels of a cell along one side.
  private static func pixelRange(_ index: Int, of count: Int, over pixels: Int) -> Range<Int> {
    index * pixels / count..<(index + 1) * pixels / count
  }

  /// Adds rows of pixels to the sums of their cells.
  ///
  /// A cell of a thumbnail has fewer than 2^24 pixels, so the sums do not overflow.
  private static func addRows(
    _ rows: Range<Int>, of pixels: UnsafeRawBufferPointer, width: Int, to sums: inout [SIMD3<UInt32>]
  ) {
    for row in rows {
      for index in sums.indices {
        var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
        for column in pixelRange(index, of: sums.count, over: width) {
          let pixel = pixels.loadUnaligned(fromByteOffset: (row * width + column) * 4, as: UInt32.self)
          red &+= pixel & 0xFF
          green &+= pixel &>> 8 & 0xFF
          blue &+= pixel &>> 16 & 0xFF
        }
        sums[index] &+= SIMD3(red, green, blue)
      }
    }
  }
}

// MARK: - Transform

/// A cosine transform of a grid of cells.
private struct PreviewTransform {
  let horizontal: CosineBasis
  let vertical: CosineBasis
  let width: Int
  let height: Int

  /// Returns the coefficients of frequencies in consecutive rows, as the factors of the cosines that add up to the
  /// rows.
  func coefficients(of rows: [PreviewRow.Part], _ frequencies: [PreviewFrequencies.Frequency]) -> [Float] {
    let highest = frequencies.reduce(0) { max($0, $1.vertical) }
    // The padding is zero.
    let parts = (width + PreviewRow.Part.scalarCount - 1) / PreviewRow.Part.scalarCount
    let columns = [PreviewRow.Part](unsafeUninitializedCapacity: (highest + 1) * PreviewRow.parts) { columns, count in
      rows.withUnsafeBufferPointer { rows in
        for frequency in 0...highest {
          for part in 0..<PreviewRow.parts {
            var sum = PreviewRow.Part.zero
            if part < parts, frequency < height {
              for y in 0..<height { sum += rows[y &* PreviewRow.parts &+ part] * vertical.cosine(frequency, at: y) }
            }
            columns.initializeElement(at: frequency &* PreviewRow.parts &+ part, to: sum)
          }
        }
      }
      count = (highest + 1) * PreviewRow.parts
    }
    return frequencies.map { frequency in
      // Frequencies above the grid's resolution would alias.
      guard frequency.horizontal < width, frequency.vertical < height else { return 0 }
      var sum = PreviewRow.Part.zero
      for part in 0..<parts {
        sum += columns[frequency.vertical * PreviewRow.parts + part] * horizontal.part(part, of: frequency.horizontal)
      }
      // The mean of a squared cosine is one half, and that of the constant is one.
      let weight: Float = (frequency.horizontal > 0 ? 2 : 1) * (frequency.vertical > 0 ? 2 : 1)
      return sum.sum() * weight / Float(width * height)
    }
  }
}
