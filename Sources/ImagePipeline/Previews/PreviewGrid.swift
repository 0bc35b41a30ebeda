import Geometry
import Rendering

/// A bitmap averaged down to at most 32 by 32 places, brightness and colour apart.
struct PreviewGrid {
  /// Places across.
  let width: Int
  /// Places down.
  let height: Int
  /// Rows of places, one behind the other from the top; what lies beyond the width is zero.
  private(set) var luma: [PreviewRow.Part]
  private(set) var orange: [PreviewRow.Part]
  private(set) var green: [PreviewRow.Part]
  /// The averages of the whole bitmap.
  let average: (luma: Float, orange: Float, green: Float)

  /// Averages a bitmap; its alpha counts for nothing.
  ///
  /// - Complexity: O(pixels), about 1 ns each.
  init(of bitmap: Bitmap) {
    let size = PreviewGrid.gridSize(for: bitmap.size)
    (width, height) = size
    guard size != (bitmap.size.width, bitmap.size.height) else {
      let small = PreviewGrid.readUnscaled(bitmap)
      (luma, orange, green) = (small.luma, small.orange, small.green)
      average = PreviewGrid.average(of: small.whole, area: bitmap.size.area)
      return
    }
    luma = Array(repeating: .zero, count: size.height * PreviewRow.parts)
    orange = luma
    green = luma
    var whole = SIMD3<UInt64>.zero
    var sums = [SIMD3<UInt32>](repeating: .zero, count: size.width)
    let isBlueFirst = bitmap.order == .blueFirst
    for y in 0..<size.height {
      let rows = PreviewGrid.pixelRange(y, of: size.height, over: bitmap.size.height)
      for place in sums.indices { sums[place] = .zero }
      bitmap.withPixels { PreviewGrid.addRows(rows, of: $0, width: bitmap.size.width, to: &sums) }
      for x in 0..<size.width {
        if isBlueFirst { sums[x] = SIMD3(sums[x].z, sums[x].y, sums[x].x) }
        whole &+= SIMD3(truncatingIfNeeded: sums[x])
        let columns = PreviewGrid.pixelRange(x, of: size.width, over: bitmap.size.width)
        let value = SIMD3<Float>(sums[x]) / Float(columns.count * rows.count * 255)
        let parts = PreviewColors.parts(red: value.x, green: value.y, blue: value.z)
        PreviewRow.set(x, ofRow: y, in: &luma, to: parts.luma)
        PreviewRow.set(x, ofRow: y, in: &orange, to: parts.orange)
        PreviewRow.set(x, ofRow: y, in: &green, to: parts.green)
      }
    }
    average = PreviewGrid.average(of: whole, area: bitmap.size.area)
  }

  /// Reads a bitmap of which each pixel is a place: what computed pictures are known by is as small as that.
  private static func readUnscaled(
    _ bitmap: Bitmap
  ) -> (luma: [PreviewRow.Part], orange: [PreviewRow.Part], green: [PreviewRow.Part], whole: SIMD3<UInt64>) {
    var luma = [PreviewRow.Part](repeating: .zero, count: bitmap.size.height * PreviewRow.parts)
    var orange = luma
    var green = luma
    var whole = SIMD3<UInt64>.zero
    let (width, area) = (bitmap.size.width, bitmap.size.area)
    let isBlueFirst = bitmap.order == .blueFirst
    bitmap.withPixels { pixels in
      luma.withUnsafeMutableBytes { luma in
        orange.withUnsafeMutableBytes { orange in
          green.withUnsafeMutableBytes { green in
            var (x, line) = (0, 0)
            for place in 0..<area {
              let stored = pixels.loadUnaligned(fromByteOffset: place &* 4, as: UInt32.self)
              let pixel = isBlueFirst ? ChannelOrder.swappingRedAndBlue(stored) : stored
              let channels = SIMD3<UInt32>(pixel & 0xFF, pixel &>> 8 & 0xFF, pixel &>> 16 & 0xFF)
              whole &+= SIMD3(truncatingIfNeeded: channels)
              let value = SIMD3<Float>(channels) / 255
              let parts = PreviewColors.parts(red: value.x, green: value.y, blue: value.z)
              let offset = (line &+ x) &* MemoryLayout<Float>.stride
              luma.storeBytes(of: parts.luma, toByteOffset: offset, as: Float.self)
              orange.storeBytes(of: parts.orange, toByteOffset: offset, as: Float.self)
              green.storeBytes(of: parts.green, toByteOffset: offset, as: Float.self)
              x &+= 1
              if x == width { (x, line) = (0, line &+ PreviewRow.longest) }
            }
          }
        }
      }
    }
    return (luma, orange, green, whole)
  }

  private static func average(of whole: SIMD3<UInt64>, area: Int) -> (luma: Float, orange: Float, green: Float) {
    let value = SIMD3<Float>(whole) / (Float(area) * 255)
    return PreviewColors.parts(red: value.x, green: value.y, blue: value.z)
  }

  /// The largest grid of a bitmap's shape, no larger than the bitmap.
  static func gridSize(for size: PixelSize) -> (width: Int, height: Int) {
    let longer = max(size.width, size.height)
    guard longer > PreviewRow.longest else { return (size.width, size.height) }
    return (max(1, size.width * PreviewRow.longest / longer), max(1, size.height * PreviewRow.longest / longer))
  }

  /// The pixels that a place has along a side.
  private static func pixelRange(_ place: Int, of count: Int, over pixels: Int) -> Range<Int> {
    place * pixels / count..<(place + 1) * pixels / count
  }

  /// Adds rows of pixels up, each place's apart; a place has fewer than 2^24 pixels as thumbnails are.
  private static func addRows(
    _ rows: Range<Int>, of pixels: UnsafeRawBufferPointer, width: Int, to sums: inout [SIMD3<UInt32>]
  ) {
    for row in rows {
      for place in sums.indices {
        var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
        for column in pixelRange(place, of: sums.count, over: width) {
          let pixel = pixels.loadUnaligned(fromByteOffset: (row * width + column) * 4, as: UInt32.self)
          red &+= pixel & 0xFF
          green &+= pixel &>> 8 & 0xFF
          blue &+= pixel &>> 16 & 0xFF
        }
        sums[place] &+= SIMD3(red, green, blue)
      }
    }
  }
}
