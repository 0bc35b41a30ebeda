package import Geometry
package import Rendering

/// Draws textures that are stretched: each pixel is mixed of the four that are nearest to it.
///
/// A pixel depends on where it is in the destination and on nothing else, such as where a copy is cut. Samples are taken
/// at pixels' middles, and do not leave the source: OpenGL's `GL_LINEAR`, but for the source's edges within the texture.
///
/// Each row of the source is stretched once, and the rows between two of them are mixed of these: a small preview over a
/// large frame costs one multiplication a channel. Bands of columns keep all of that in the processor's nearest cache.
package nonisolated final class StretchPainter {
  private let columns = StretchedColumns(capacity: bandWidth)
  private let rowPair = RowPair(capacity: bandWidth)
  /// Rows of the source, stretched.
  private var upper = PixelRowBuffer()
  private var lower = PixelRowBuffer()
  /// A row of the destination that is blended.
  private let mixed = PixelRowBuffer()

  /// The columns of the destination that are drawn at once.
  private static let bandWidth = 512

  /// Makes a painter with rows of its own, which are used again.
  package init() {}

  /// Draws what is visible of a copy.
  ///
  /// - Parameters:
  ///   - source: which part of the texture; within it.
  ///   - destination: where all of that goes.
  ///   - visible: what of the plane is drawn.
  /// - Complexity: O(pixels drawn), and for each row of the source that is needed O(columns of the source between the first
  ///   and the last).
  package func drawStretched(
    _ texels: Texels, from source: PixelRect, to destination: PixelRect, within visible: PixelRect,
    on plane: PixelPlane, tint: Color, isBlended: Bool
  ) {
    guard !plane.isPlainCopy(texels, tint: tint, isBlended: isBlended) else {
      return writeStretched(texels, from: source, to: destination, within: visible, on: plane)
    }
    forEachBand(of: texels, from: source, to: destination, within: visible, on: plane) { band, down in
      blendBand(texels, band, down, on: plane, tint: tint, isBlended: isBlended)
    }
  }

  /// Writes what is visible of a copy in place of what was there, alpha included.
  ///
  /// - Parameters:
  ///   - source: which part of the texture; within it.
  ///   - destination: where all of that goes.
  ///   - visible: what of the plane is written.
  /// - Complexity: as ``draw(_:from:to:within:on:tint:isBlended:)``.
  package func writeStretched(
    _ texels: Texels, from source: PixelRect, to destination: PixelRect, within visible: PixelRect,
    on plane: PixelPlane
  ) {
    forEachBand(of: texels, from: source, to: destination, within: visible, on: plane) { band, down in
      forEachRow(of: band, down, texels) { y, weight in
        plane.prefetchRow(y + Int32(PixelPlane.prefetchDistance), of: band)
        rowPair.mixRow(weight: weight, to: plane.address(Int(band.x), Int(y)), count: Int(band.width))
      }
    }
  }

  /// Goes through a copy's bands of columns, each made ready.
  private func forEachBand(
    of texels: Texels, from source: PixelRect, to destination: PixelRect, within visible: PixelRect,
    on plane: PixelPlane, _ body: (_ band: PixelRect, _ down: SampleAxis) -> Void
  ) {
    let rect = visible.intersection(destination).intersection(plane.extent)
    guard !rect.isEmpty, !source.isEmpty else { return }
    let across = SampleAxis(source: (source.x, source.width), destination: (destination.x, destination.width))
    let down = SampleAxis(source: (source.y, source.height), destination: (destination.y, destination.height))
    var band = rect
    while band.x < rect.maxX {
      band.width = min(Int32(StretchPainter.bandWidth), rect.maxX - band.x)
      columns.prepareColumns(across, from: band.x, count: Int(band.width))
      body(band, down)
      band.x += band.width
    }
  }

  /// Blends a band row by row, as if each were a texture of its own.
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

  /// Goes through the rows of a band, the two rows of the source at hand that each lies between.
  @inline(__always)
  private func forEachRow(
    of band: PixelRect, _ down: SampleAxis, _ texels: Texels, _ body: (_ y: Int32, _ weight: UInt16) -> Void
  ) {
    // The rows of the source that the buffers hold.
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

/// Where the pixels of a stretched row are taken from, and a row of the source made ready for that.
private nonisolated final class StretchedColumns {
  /// How many pixels of the destination there are.
  private(set) var count = 0
  /// For each of them, which of the source's columns is at or before it, counted from the first.
  private let columnIndices: UnsafeMutablePointer<Int32>
  /// How much of the one behind there is, of 256, for each channel.
  private let weights: UnsafeMutablePointer<SIMD4<UInt16>>
  /// The source's columns that are needed.
  private var range = 0...0
  /// Each column of a source's row: its channels times 256 and a half, and the way to the next one's.
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

  /// Takes the columns of a destination from one on.
  func prepareColumns(_ axis: SampleAxis, from place: Int32, count: Int) {
    self.count = count
    let first = axis.firstIndex(for: place)
    range = first...axis.secondIndex(for: place + Int32(count - 1))
    for column in 0..<count {
      let sample = axis.samplePosition(for: place &+ Int32(truncatingIfNeeded: column))
      columnIndices[column] = Int32(truncatingIfNeeded: axis.firstIndex(of: sample) &- first)
      weights[column] = SIMD4(repeating: UInt16(truncatingIfNeeded: SampleAxis.weight(of: sample)))
    }
    // Rows are made four pixels at a time.
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
    let places = columnIndices
    var place = 0
    while place < count {
      let one = StretchedColumns.mix(
        channels[Int(places[place])], channels[Int(places[place &+ 1])],
        weights.loadUnaligned(fromByteOffset: place &* 8, as: SIMD8<UInt16>.self))
      let two = StretchedColumns.mix(
        channels[Int(places[place &+ 2])], channels[Int(places[place &+ 3])],
        weights.loadUnaligned(fromByteOffset: place &* 8 &+ 16, as: SIMD8<UInt16>.self))
      let words = SIMD8<UInt32>(lowHalf: one, highHalf: two)
      let even = words.evenHalf &>> SIMD4(repeating: 8) & SIMD4(repeating: 0xFF_00FF)
      pixels.storeBytes(
        of: even | words.oddHalf & SIMD4(repeating: 0xFF00_FF00), toByteOffset: place &* 4, as: SIMD4<UInt32>.self)
      place &+= 4
    }
  }

  /// Mixes two pixels; of each the first and third channel are one word and the others the next, all in the upper byte of
  /// their halves.
  @inline(__always)
  private static func mix(
    _ left: SIMD8<UInt16>, _ right: SIMD8<UInt16>, _ weights: SIMD8<UInt16>
  ) -> SIMD4<UInt32> {
    let starts = SIMD8(lowHalf: left.lowHalf, highHalf: right.lowHalf)
    let ways = SIMD8(lowHalf: left.highHalf, highHalf: right.highHalf)
    return unsafeBitCast(starts &+ ways &* weights, to: SIMD4<UInt32>.self)
  }

  private func readRow(_ line: UnsafeRawPointer) {
    let channels = channels
    let last = range.count &- 1
    var here = StretchedColumns.splitChannels(line.loadUnaligned(as: UInt32.self))
    for column in 0...last {
      let next =
        column < last
        ? StretchedColumns.splitChannels(line.loadUnaligned(fromByteOffset: column &* 4 &+ 4, as: UInt32.self)) : here
      channels[column] = SIMD8(
        lowHalf: here &<< SIMD4(repeating: 8) | SIMD4(repeating: 128), highHalf: next &- here)
      here = next
    }
  }

  /// A pixel's first, third, second and fourth channel.
  @inline(__always)
  private static func splitChannels(_ pixel: UInt32) -> SIMD4<UInt16> {
    unsafeBitCast(UInt64(pixel >> 8 & 0xFF_00FF) << 32 | UInt64(pixel & 0xFF_00FF), to: SIMD4<UInt16>.self)
  }
}

/// Two neighbouring rows of a stretched copy, made ready for the rows between them.
private nonisolated final class RowPair {
  private typealias Lanes = SIMD8<UInt16>

  /// Of each four pixels the first and third channels times 256 and a half, the way to those below, and the same of the
  /// second and fourth.
  private let lanes: UnsafeMutablePointer<Lanes>

  init(capacity: Int) { lanes = .allocate(capacity: capacity + 4) }

  deinit { lanes.deallocate() }

  /// Takes two rows.
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

  /// Mixes a row by how much of the lower one there is, of 256; to the nearest.
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
    for place in 0..<count & 3 { target.storeBytes(of: rest[place], toByteOffset: place &* 4, as: UInt32.self) }
  }

  @inline(__always)
  private static func mixPixels(_ lanes: UnsafeMutablePointer<Lanes>, _ weights: Lanes) -> SIMD4<UInt32> {
    let even = (lanes[0] &+ lanes[1] &* weights) &>> Lanes(repeating: 8)
    let odd = (lanes[2] &+ lanes[3] &* weights) & Lanes(repeating: 0xFF00)
    return unsafeBitCast(even | odd, to: SIMD4<UInt32>.self)
  }
}
