import VitrineDataStructures
import VitrineGeometry
import VitrineRendering

/// Paints a sketch, or the part of it that fills a size: the same pixels on every machine and thread.
///
/// From back to front: the sky, the ridges from the farthest on, and the reflections in the water.
struct SketchCanvas {
  private let (sketch, size): (Sketch, PixelSize)
  /// Pixels per image height, and the position of the image's upper-left corner in pixels.
  private let scale: Float
  private let origin: (x: Float, y: Float)

  /// A 4 × 4 ordered dither matrix around zero, without which the sky shows bands.
  private static let dither: [Float] = [
    0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5,
  ].map { ($0 - 7.5) / 16 }

  /// Creates a canvas of a size, which the sketch fills; what exceeds it is cut off evenly on both sides.
  init(_ sketch: Sketch, filling size: PixelSize) {
    (self.sketch, self.size) = (sketch, size)
    let (width, height) = (Float(size.width), Float(size.height))
    scale = max(width / sketch.aspect, height)
    origin = ((width - sketch.aspect * scale) / 2, (height - scale) / 2)
  }

  /// Paints the sketch.
  ///
  /// - Parameters:
  ///   - storage: The memory layout of the pixels. Default: red first.
  ///   - grain: The amplitude of added film grain in 0...255. Default: 0.
  /// - Throws: `BitmapError` if there is not enough memory.
  /// - Complexity: O(pixels).
  func paint(_ storage: PixelStorage = PixelStorage(), grain: Int = 0) throws -> Bitmap {
    let order = storage.order
    return try Bitmap(size: size, isOpaque: true, order: order, pool: storage.pool) { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      paintSky(pixels)
      for index in sketch.ridges.indices { paintRidge(index, pixels) }
      if let waterline = sketch.waterline { paintWater(from: waterline, pixels) }
      if grain > 0 { addGrain(amplitude: grain, pixels) }
      if order == .blueFirst { ChannelOrder.swapRedAndBlue(in: bytes) }
    }
  }

  private func paintSky(_ pixels: UnsafeMutableBufferPointer<UInt32>) {
    let palette = sketch.palette
    let (lightX, lightY) = (origin.x + sketch.light.x * scale, origin.y + sketch.light.y * scale)
    let radius = sketch.light.radius * scale
    let outside = (radius + 1) * (radius + 1)
    let inverseSquaredExtent = 1 / (0.5625 * scale * scale)
    for row in 0..<size.height {
      let height = verticalPosition(ofRow: row) / 0.62
      let base =
        height < 0.5
        ? mix(palette.sky.top, palette.sky.middle, clampedToUnit(height * 2))
        : mix(palette.sky.middle, palette.sky.low, clampedToUnit(height * 2 - 1))
      let glow = (palette.light - base) * palette.glow
      let deltaY = Float(row) + 0.5 - lightY
      let rowStart = row * size.width
      for column in 0..<size.width {
        let deltaX = Float(column) + 0.5 - lightX
        let square = deltaX * deltaX + deltaY * deltaY
        let near = max(0, 1 - square * inverseSquaredExtent)
        var color = base + glow * (near * near * near)
        if square < outside { color = mix(color, palette.light, clampedToUnit(radius + 0.5 - square.squareRoot())) }
        pixels[rowStart + column] = SketchCanvas.pixel(color + SketchCanvas.dither[(row & 3) << 2 | column & 3])
      }
    }
  }

  /// Paints a ridge: darkest along its line, paler below, where mist lies before the next one.
  private func paintRidge(_ index: Int, _ pixels: UnsafeMutableBufferPointer<UInt32>) {
    let ridge = sketch.ridges[index]
    let nearness = Float(index) / Float(max(1, sketch.ridges.count - 1))
    let color = mix(sketch.palette.ridges.far, sketch.palette.ridges.near, nearness)
    let mist = mix(color, sketch.palette.sky.low, 0.34 - 0.22 * nearness)
    let lines = (0..<size.width).map { column in
      origin.y + ridge.line(at: (Float(column) + 0.5 - origin.x) / scale) * scale
    }
    let highest = lines.min() ?? 0
    let inverseDepth = 1 / (0.3 * scale)
    func shade(_ row: Int) -> SketchColor {
      mix(color, mist, clampedToUnit((Float(row) + 0.5 - highest) * inverseDepth))
    }
    // The pixels that the line covers in part, then everything below.
    for (column, line) in lines.enumerated() where line >= 0 && line < Float(size.height) {
      let row = Int(line)
      let offset = row * size.width + column
      pixels[offset] = SketchCanvas.pixel(
        mix(SketchCanvas.color(pixels[offset]), shade(row), Float(row + 1) - line))
    }
    let firsts = lines.map { Int32(max(-1, min(Float(size.height), $0))) + 1 }
    firsts.withUnsafeBufferPointer { firsts in
      let solid = Int(firsts.max() ?? 0)
      for row in min(size.height, Int(firsts.min() ?? 0))..<size.height {
        let pixel = SketchCanvas.pixel(shade(row))
        let line = UnsafeMutableBufferPointer(rebasing: pixels[(row * size.width)..<((row + 1) * size.width)])
        if row >= solid {
          line.update(repeating: pixel)
        } else {
          for column in 0..<size.width { line[column] = row >= firsts[column] ? pixel : line[column] }
        }
      }
    }
  }

  /// Paints the water: a compressed mirror image that fades to the sky's color toward the lower edge.
  private func paintWater(from waterline: Float, _ pixels: UnsafeMutableBufferPointer<UInt32>) {
    let shore = Int((origin.y + waterline * scale).rounded(.down))
    guard shore > 0, shore < size.height else { return }
    let inverseDepth = 1 / max(1, (1 - waterline) * scale)
    for row in shore..<size.height {
      let below = row - shore
      let part = clampedToUnit(Float(below) * inverseDepth)
      let share = 0.3 + 0.4 * part
      let water = mix(sketch.palette.sky.low, sketch.palette.sky.top, 0.25 + 0.6 * part) * share
      let mirrored = max(0, shore - 1 - below * 2) * size.width
      let rowStart = row * size.width
      for column in 0..<size.width {
        let reflected = SketchCanvas.color(pixels[mirrored + column])
        pixels[rowStart + column] = SketchCanvas.pixel(reflected * (1 - share) + water)
      }
    }
  }

  /// Adds grain, so that a file has the size and decodes in the time of a photograph.
  private func addGrain(amplitude: Int, _ pixels: UnsafeMutableBufferPointer<UInt32>) {
    let range = UInt64(2 * amplitude + 1)
    for row in 0..<size.height {
      var numbers = SplitMix64(seed: UInt64(row))
      for block in stride(from: row * size.width, to: (row + 1) * size.width, by: 8) {
        var bits = numbers.next()
        for index in block..<min(block + 8, (row + 1) * size.width) {
          let grain = Int(((bits & 0xFF) * range) >> 8) - amplitude
          bits >>= 8
          let pixel = UInt32(littleEndian: pixels[index])
          func channel(_ shift: UInt32) -> UInt32 {
            UInt32(max(0, min(255, Int(pixel >> shift & 0xFF) + grain))) << shift
          }
          pixels[index] = UInt32(littleEndian: channel(0) | channel(8) | channel(16) | 0xFF00_0000)
        }
      }
    }
  }

  /// Returns the vertical position of a row's center, in image heights.
  private func verticalPosition(ofRow row: Int) -> Float { (Float(row) + 0.5 - origin.y) / scale }

  /// Returns an opaque pixel, red in the lowest byte, of channels within -0.5..<255.5, which are rounded.
  ///
  /// A number added to 1.5 × 2^23 has its integer part in the lowest bits; a conversion would take one lane at a time.
  @inline(__always) private static func pixel(_ color: SketchColor) -> UInt32 {
    let bits = unsafeBitCast(color + 12_582_912, to: SIMD4<UInt32>.self) & 0xFF
    return UInt32(littleEndian: bits.x | bits.y << 8 | bits.z << 16 | 0xFF00_0000)
  }

  @inline(__always) private static func color(_ pixel: UInt32) -> SketchColor {
    let pixel = UInt32(littleEndian: pixel)
    return SketchColor(Float(pixel & 0xFF), Float(pixel >> 8 & 0xFF), Float(pixel >> 16 & 0xFF), 255)
  }
}
