package import VitrineGeometry
package import VitrineRendering

/// A painter of stretched textures with bilinear interpolation, or with pixels as squares.
///
/// A pixel depends only on its position in the destination, and not on how a copy is clipped. Samples are taken at the
/// centres of pixels and stay within the source. This is OpenGL's `GL_LINEAR`, except at the edges of a source that is
/// a part of its texture.
///
/// Each row of the source is stretched once, and the rows between are interpolated from two of them. So a small preview
/// in a large frame costs one multiplication per channel. The destination is drawn in bands of columns, so that all
/// data stays in the L1 cache.
package final class StretchPainter {
  private let columns = StretchedColumns(capacity: bandWidth)
  private let rowPair = RowPair(capacity: bandWidth)
  /// Stretched rows of the source.
  private var upper = PixelRowBuffer()
  private var lower = PixelRowBuffer()
  /// A row of the destination, to be blended.
  private let mixed = PixelRowBuffer()

  /// The maximum number of columns of a band.
  private static let bandWidth = 512

  /// Creates a painter with buffers that are reused.
  package init() {}

  /// Draws the visible part of a stretched copy.
  ///
  /// - Parameters:
  ///   - texels: The texture.
  ///   - source: The part of the texture to draw.
  ///   - destination: The rectangle of the whole copy.
  ///   - visible: The visible rectangle.
  ///   - plane: The pixels to draw into.
  ///   - tint: The colour that the texture is multiplied by.
  ///   - isBlended: Whether the alpha is blended.
  ///   - showsPixels: Whether each pixel takes the nearest one of the source. Default: false.
  /// - Complexity: O(pixels drawn), and for each row of the source that is needed O(columns of the source from the
  ///   first to the last).
  package func drawStretched(
    _ texels: Texels, from source: PixelRect, to destination: PixelRect, within visible: PixelRect,
    on plane: PixelPlane, tint: Color, isBlended: Bool, showsPixels: Bool = false
  ) {
    guard !plane.isPlainCopy(texels, tint: tint, isBlended: isBlended) else {
      return writeStretched(
        texels, from: source, to: destination, within: visible, on: plane, showsPixels: showsPixels)
    }
    forEachBand(
      of: texels, from: source, to: destination, within: visible, on: plane, showsPixels: showsPixels
    ) { band, down in
      blendBand(texels, band, down, on: plane, tint: tint, isBlended: isBlended)
    }
  }

  /// Writes the visible part of a stretched copy, including alpha, in place of the existing pixels.
  ///
  /// - Parameters:
  ///   - texels: The texture.
  ///   - source: The part of the texture to draw.
  ///   - destination: The rectangle of the whole copy.
  ///   - visible: The visible rectangle.
  ///   - plane: The pixels to write.
  ///   - showsPixels: Whether each pixel takes the nearest one of the source. Default: false.
  /// - Complexity: As of ``drawStretched(_:from:to:within:on:tint:isBlended:)``.
  package func writeStretched(
    _ texels: Texels, from source: PixelRect, to destination: PixelRect, within visible: PixelRect,
    on plane: PixelPlane, showsPixels: Bool = false
  ) {
    forEachBand(
      of: texels, from: source, to: destination, within: visible, on: plane, showsPixels: showsPixels
    ) { band, down in
      forEachRow(of: band, down, texels) { y, weight in
        plane.prefetchRow(y + Int32(PixelPlane.prefetchDistance), of: band)
        rowPair.mixRow(weight: weight, to: plane.address(Int(band.x), Int(y)), count: Int(band.width))
      }
    }
  }

  /// Calls a closure for each band of columns of a copy, after preparing the columns.
  private func forEachBand(
    of texels: Texels, from source: PixelRect, to destination: PixelRect, within visible: PixelRect,
    on plane: PixelPlane, showsPixels: Bool, _ body: (_ band: PixelRect, _ down: SampleAxis) -> Void
  ) {
    let rect = visible.intersection(destination).intersection(plane.extent)
    guard !rect.isEmpty, !source.isEmpty else { return }
    let across = SampleAxis(
      source: (source.x, source.width), destination: (destination.x, destination.width), isNearest: showsPixels)
    let down = SampleAxis(
      source: (source.y, source.height), destination: (destination.y, destination.height), isNearest: showsPixels)
    var band = rect
    while band.x < rect.maxX {
      band.width = min(Int32(StretchPainter.bandWidth), rect.maxX - band.x)
      columns.prepareColumns(across, from: band.x, count: Int(band.width))
      body(band, down)
      band.x += band.width
    }
  }

  /// Blends a band row by row, each as a texture.
  private func blendBand(
    _ texels: Texels, _ band: PixelRect, _ down: SampleAxis, on plane: PixelPlane, tint: Color, isBlended: Bool
  ) {
    guard let size = PixelSize(width: Int(band.width), height: 1) else { return }
    let line = mixed.reserve(size.width)
    let row = Texels(
      start: line, bytesPerRow: size.width * 4, size: size, isOpaque: texels.isOpaque, order: texels.order,
      isWhite: texels.isWhite)
    forEachRow(of: band, down, texels) { y, weight in
      rowPair.mixRow(weight: weight, to: line, count: size.width)
      let whole = PixelRect(x: band.x, y: y, width: band.width, height: 1)
      let command = DrawCommand(
        kind: .texture, destination: whole, source: PixelRect(x: 0, y: 0, width: band.width, height: 1))
      guard let blit = Blit(command, texture: size, visible: whole) else { return }
      plane.draw(row, blit, tint: tint, isBlended: isBlended)
    }
  }

  /// Calls a closure for each row of a band, after preparing the two rows of the source around it.
  @inline(__always)
  private func forEachRow(
    of band: PixelRect, _ down: SampleAxis, _ texels: Texels, _ body: (_ y: Int32, _ weight: UInt16) -> Void
  ) {
    // The rows of the source in the two buffers, or -1.
    var (first, second) = (-1, -1)
    for y in band.y..<band.maxY {
      let sample = down.samplePosition(for: y)
      let (next, behind) = (down.firstIndex(of: sample), down.secondIndex(of: sample))
      if next != first || behind != second {
        if next == second, next != first {
          swap(&upper, &lower)
        } else if next != first {
          columns.stretchRow(texels, row: next, to: upper)
        }
        if behind != next { columns.stretchRow(texels, row: behind, to: lower) }
        rowPair.prepareRows(upper, behind == next ? upper : lower, count: columns.count)
        (first, second) = (next, behind)
      }
      body(y, UInt16(truncatingIfNeeded: SampleAxis.weight(of: sample)))
    }
  }
}

// MARK: - Rows

/// The sampling of the columns of a stretched row, and a prepared row of the source.
private final class StretchedColumns {
  /// The number of pixels of the destination.
  private(set) var count = 0
  /// For each pixel, the index of the source column at or before it, relative to the first.
  private let columnIndices: UnsafeMutablePointer<Int32>
  /// For each pixel, the weight of the next source column, of 256, for each channel.
  private let weights: UnsafeMutablePointer<SIMD4<UInt16>>
  /// The source columns that are needed.
  private var range = 0...0
  /// For each source column, its channels times 256 plus a half, and the differences to those of the next column.
  private var channels: UnsafeMutablePointer<SIMD8<UInt16>>
  private var capacity = 64

  init(capacity: Int) {
    columnIndices = .allocate(capacity: capacity + 4)
    weights = .allocate(capacity: capacity + 4)
    channels = .allocate(capacity: self.capacity)
  }

  deinit {
    columnIndices.deallocate()
    weights.deallocate()
    channels.deallocate()
  }

  /// Prepares a number of columns of the destination.
  func prepareColumns(_ axis: SampleAxis, from x: Int32, count: Int) {
    self.count = count
    let first = axis.firstIndex(for: x)
    range = first...axis.secondIndex(for: x + Int32(count - 1))
    for column in 0..<count {
      let sample = axis.samplePosition(for: x &+ Int32(truncatingIfNeeded: column))
      columnIndices[column] = Int32(truncatingIfNeeded: axis.firstIndex(of: sample) &- first)
      weights[column] = SIMD4(repeating: UInt16(truncatingIfNeeded: SampleAxis.weight(of: sample)))
    }
    // Rows are stretched four pixels at a time.
    for column in count..<(count + 3) & ~3 {
      columnIndices[column] = columnIndices[count - 1]
      weights[column] = .zero
    }
    guard range.count > capacity else { return }
    channels.deallocate()
    capacity = range.count
    channels = .allocate(capacity: capacity)
  }

  /// Stretches a row of a texture.
  func stretchRow(_ texels: Texels, row: Int, to target: PixelRowBuffer) {
    readRow(texels.address(range.lowerBound, row))
    let pixels = UnsafeMutableRawPointer(target.reserve((count + 3) & ~3))
    let weights = UnsafeRawPointer(weights)
    let channels = channels
    let indices = columnIndices
    var column = 0
    while column < count {
      let one = StretchedColumns.mix(
        channels[Int(indices[column])], channels[Int(indices[column &+ 1])],
        weights.loadUnaligned(fromByteOffset: column &* 8, as: SIMD8<UInt16>.self))
      let two = StretchedColumns.mix(
        channels[Int(indices[column &+ 2])], channels[Int(indices[column &+ 3])],
        weights.loadUnaligned(fromByteOffset: column &* 8 &+ 16, as: SIMD8<UInt16>.self))
      let words = SIMD8<UInt32>(lowHalf: one, highHalf: two)
      let even = words.evenHalf &>> SIMD4(repeating: 8) & SIMD4(repeating: 0xFF_00FF)
      pixels.storeBytes(
        of: even | words.oddHalf & SIMD4(repeating: 0xFF00_FF00), toByteOffset: column &* 4, as: SIMD4<UInt32>.self)
      column &+= 4
    }
  }

  /// Interpolates two pixels.
  ///
  /// In each result, one word has the first and third channel and the next word the others, in the upper bytes of their
  /// halves.
  @inline(__always)
  private static func mix(
    _ left: SIMD8<UInt16>, _ right: SIMD8<UInt16>, _ weights: SIMD8<UInt16>
  ) -> SIMD4<UInt32> {
    let starts = SIMD8(lowHalf: left.lowHalf, highHalf: right.lowHalf)
    let deltas = SIMD8(lowHalf: left.highHalf, highHalf: right.highHalf)
    return unsafeBitCast(starts &+ deltas &* weights, to: SIMD4<UInt32>.self)
  }

  private func readRow(_ line: UnsafeRawPointer) {
    let channels = channels
    let last = range.count &- 1
    var current = StretchedColumns.splitChannels(line.loadUnaligned(as: UInt32.self))
    for column in 0...last {
      let next =
        column < last
        ? StretchedColumns.splitChannels(line.loadUnaligned(fromByteOffset: column &* 4 &+ 4, as: UInt32.self))
        : current
      channels[column] = SIMD8(
        lowHalf: current &<< SIMD4(repeating: 8) | SIMD4(repeating: 128), highHalf: next &- current)
      current = next
    }
  }

  /// Returns the first, third, second and fourth channel of a pixel.
  @inline(__always)
  private static func splitChannels(_ pixel: UInt32) -> SIMD4<UInt16> {
    unsafeBitCast(UInt64(pixel >> 8 & 0xFF_00FF) << 32 | UInt64(pixel & 0xFF_00FF), to: SIMD4<UInt16>.self)
  }
}

/// Two adjacent stretched rows, prepared for the rows between them.
private final class RowPair {
  private typealias Lanes = SIMD8<UInt16>

  /// For each four pixels, the first and third channels times 256 plus a half, the differences to those of the lower
  /// row, and the same for the second and fourth channels.
  private let lanes: UnsafeMutablePointer<Lanes>

  init(capacity: Int) { lanes = .allocate(capacity: capacity + 4) }

  deinit { lanes.deallocate() }

  /// Prepares two rows.
  func prepareRows(_ upper: PixelRowBuffer, _ lower: PixelRowBuffer, count: Int) {
    let (upper, lower) = (UnsafeRawPointer(upper.pixels), UnsafeRawPointer(lower.pixels))
    let mask = Lanes(repeating: 0xFF)
    let eight = Lanes(repeating: 8)
    let half = Lanes(repeating: 128)
    var lanes = lanes
    var offset = 0
    while offset < count &* 4 {
      let above = upper.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
      let below = lower.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
      lanes[0] = above &<< eight | half
      lanes[1] = below & mask &- above & mask
      lanes[2] = above & ~mask | half
      lanes[3] = below &>> eight &- above &>> eight
      lanes += 4
      offset &+= 16
    }
  }

  /// Interpolates a row with the weight of the lower row, of 256, rounded to nearest.
  @inline(__always)
  func mixRow(weight: UInt16, to target: UnsafeMutableRawPointer, count: Int) {
    let weights = Lanes(repeating: weight)
    var lanes = lanes
    var target = target
    let end = target + (count & ~3) &* 4
    while target < end {
      target.storeBytes(of: RowPair.mixPixels(lanes, weights), as: SIMD4<UInt32>.self)
      lanes += 4
      target += 16
    }
    guard count & 3 > 0 else { return }
    let rest = RowPair.mixPixels(lanes, weights)
    for column in 0..<count & 3 { target.storeBytes(of: rest[column], toByteOffset: column &* 4, as: UInt32.self) }
  }

  @inline(__always)
  private static func mixPixels(_ lanes: UnsafeMutablePointer<Lanes>, _ weights: Lanes) -> SIMD4<UInt32> {
    let even = (lanes[0] &+ lanes[1] &* weights) &>> Lanes(repeating: 8)
    let odd = (lanes[2] &+ lanes[3] &* weights) & Lanes(repeating: 0xFF00)
    return unsafeBitCast(even | odd, to: SIMD4<UInt32>.self)
  }
}

// MARK: - Sampling

/// The sampling positions of a stretched copy along one axis, with 32 fractional bits, of which eight are used.
///
/// Of sources longer than 65,535 pixels, only the first 65,535 are used.
private struct SampleAxis {
  private let sourceStart: Int
  private let lastIndex: Int
  private let destinationStart: Int
  /// The distance between two samples with 48 fractional bits.
  ///
  /// A position two billion pixels away has an error of 1/100,000 pixel.
  private let step: UInt
  private let offset: Int
  /// The bits of positions that are used.
  private let mask: Int

  /// Maps the centres of the destination's pixels to the source, or to the nearest pixels of the source.
  /// - Precondition: Neither is empty.
  init(source: (start: Int32, length: Int32), destination: (start: Int32, length: Int32), isNearest: Bool) {
    let length = min(Int(source.length), 65_535)
    sourceStart = Int(source.start)
    lastIndex = length - 1
    destinationStart = Int(destination.start)
    step = UInt(length) << 48 / UInt(destination.length)
    // The centre of the first pixel, rounded to the bits that are used.
    offset = isNearest ? Int(step >> 17) : Int(step >> 17) - 1 << 31 + 1 << 23
    mask = isNearest ? ~0xFFFF_FFFF : ~0xFF_FFFF
  }

  /// Returns the position in the source for a pixel of the destination, limited to the centres of the first and last
  /// pixel.
  @inline(__always)
  func samplePosition(for coordinate: Int32) -> Int {
    let product = UInt(Int(coordinate) - destinationStart).multipliedFullWidth(by: step)
    let position = Int(product.high << 48 | product.low >> 16)
    return min(lastIndex << 32, max(0, position + offset)) & mask
  }

  /// Returns the source pixel at or before a position.
  @inline(__always)
  func firstIndex(of sample: Int) -> Int { sourceStart + sample >> 32 }

  /// Returns the next source pixel, or the last one.
  @inline(__always)
  func secondIndex(of sample: Int) -> Int { sourceStart + min(lastIndex, sample >> 32 + 1) }

  /// Returns the weight of the next source pixel, of 256.
  @inline(__always)
  static func weight(of sample: Int) -> UInt32 { UInt32(truncatingIfNeeded: sample >> 24 & 0xFF) }

  /// Returns the first source pixel for a pixel of the destination.
  func firstIndex(for coordinate: Int32) -> Int { firstIndex(of: samplePosition(for: coordinate)) }

  /// Returns the second source pixel for a pixel of the destination.
  func secondIndex(for coordinate: Int32) -> Int { secondIndex(of: samplePosition(for: coordinate)) }
}

// MARK: - Buffers

/// A buffer for a row of pixels, which grows to the longest row.
private final class PixelRowBuffer {
  /// The pixels of the last ``reserve(_:)``.
  private(set) var pixels = UnsafeMutablePointer<UInt32>.allocate(capacity: 4)
  private var capacity = 4

  deinit { pixels.deallocate() }

  /// Returns memory for a number of pixels.
  ///
  /// They are undefined, and valid until the next call.
  func reserve(_ count: Int) -> UnsafeMutablePointer<UInt32> {
    if count > capacity {
      pixels.deallocate()
      pixels = .allocate(capacity: count)
      capacity = count
    }
    return pixels
  }
}
