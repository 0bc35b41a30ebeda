import Geometry
import Rendering

/// Paints a sketch, or the part of it that fills a size: the same pixels on every machine and thread.
///
/// In the order in which the eye comes to it: the sky, the ridges from the farthest on, and what the water mirrors.
struct SketchCanvas {
  private let sketch: Sketch
  private let size: PixelSize
  /// Pixels for the picture's height, and where its upper left corner lies.
  private let scale: Float
  private let origin: (x: Float, y: Float)

  /// Ordered dither of four by four about zero: without it a sky's steps from one value to the next show as bands.
  private static let dither: [Float] = [
    0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5,
  ].map { ($0 - 7.5) / 16 }

  /// Prepares to fill a size: the picture's middle is kept where the shapes differ.
  init(_ sketch: Sketch, filling size: PixelSize) {
    self.sketch = sketch
    self.size = size
    let (width, height) = (Float(size.width), Float(size.height))
    scale = max(width / sketch.aspect, height)
    origin = ((width - sketch.aspect * scale) / 2, (height - scale) / 2)
  }

  /// Paints all of it.
  ///
  /// - Parameter storage: how the pixels are to stand in memory.
  /// - Throws: `BitmapError` where the memory is not to be had.
  /// - Complexity: O(pixels).
  func paint(_ storage: PixelStorage = PixelStorage()) throws -> Bitmap {
    try Bitmap(size: size, isOpaque: true, order: storage.order, pool: storage.pool) { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      paintSky(pixels)
      for place in sketch.ridges.indices { paintRidge(place, pixels) }
      if let waterline = sketch.waterline { paintWater(from: waterline, pixels) }
      if storage.order == .blueFirst { ChannelOrder.swapRedAndBlue(in: bytes) }
    }
  }

  private func paintSky(_ pixels: UnsafeMutableBufferPointer<UInt32>) {
    let palette = sketch.palette
    let (lightX, lightY) = (origin.x + sketch.light.x * scale, origin.y + sketch.light.y * scale)
    let radius = sketch.light.radius * scale
    let outside = (radius + 1) * (radius + 1)
    let perReach = 1 / (0.5625 * scale * scale)
    for row in 0..<size.height {
      let height = place(ofRow: row) / 0.62
      let base =
        height < 0.5
        ? mix(palette.sky.top, palette.sky.middle, clamped(height * 2))
        : mix(palette.sky.middle, palette.sky.low, clamped(height * 2 - 1))
      let glow = (palette.light - base) * palette.glow
      let down = Float(row) + 0.5 - lightY
      let line = row * size.width
      for column in 0..<size.width {
        let across = Float(column) + 0.5 - lightX
        let square = across * across + down * down
        let near = max(0, 1 - square * perReach)
        var color = base + glow * (near * near * near)
        if square < outside { color = mix(color, palette.light, clamped(radius + 0.5 - square.squareRoot())) }
        pixels[line + column] = SketchCanvas.word(color + SketchCanvas.dither[(row & 3) << 2 | column & 3])
      }
    }
  }

  /// Paints a ridge: darkest along its line, and paler below, where mist lies before the next one.
  private func paintRidge(_ place: Int, _ pixels: UnsafeMutableBufferPointer<UInt32>) {
    let ridge = sketch.ridges[place]
    let nearness = Float(place) / Float(max(1, sketch.ridges.count - 1))
    let color = mix(sketch.palette.ridges.far, sketch.palette.ridges.near, nearness)
    let mist = mix(color, sketch.palette.sky.low, 0.34 - 0.22 * nearness)
    let lines = (0..<size.width).map { column in
      origin.y + ridge.line(at: (Float(column) + 0.5 - origin.x) / scale) * scale
    }
    let highest = lines.min() ?? 0
    let perDepth = 1 / (0.3 * scale)
    func shade(_ row: Int) -> Tint { mix(color, mist, clamped((Float(row) + 0.5 - highest) * perDepth)) }
    // The line's own pixels, which it covers in part, and then all below it.
    for (column, line) in lines.enumerated() where line >= 0 && line < Float(size.height) {
      let row = Int(line)
      let place = row * size.width + column
      pixels[place] = SketchCanvas.word(
        mix(SketchCanvas.tint(pixels[place]), shade(row), Float(row + 1) - line))
    }
    let firsts = lines.map { Int32(max(-1, min(Float(size.height), $0))) + 1 }
    firsts.withUnsafeBufferPointer { firsts in
      let solid = Int(firsts.max() ?? 0)
      for row in min(size.height, Int(firsts.min() ?? 0))..<size.height {
        let word = SketchCanvas.word(shade(row))
        let line = UnsafeMutableBufferPointer(rebasing: pixels[(row * size.width)..<((row + 1) * size.width)])
        if row >= solid {
          line.update(repeating: word)
        } else {
          for column in 0..<size.width { line[column] = row >= firsts[column] ? word : line[column] }
        }
      }
    }
  }

  /// Paints water: what stands above it upside down, calmer and in the sky's colour towards the foot.
  private func paintWater(from waterline: Float, _ pixels: UnsafeMutableBufferPointer<UInt32>) {
    let shore = floored(origin.y + waterline * scale)
    guard shore > 0, shore < size.height else { return }
    let perDepth = 1 / max(1, (1 - waterline) * scale)
    for row in shore..<size.height {
      let below = row - shore
      let part = clamped(Float(below) * perDepth)
      let share = 0.3 + 0.4 * part
      let water = mix(sketch.palette.sky.low, sketch.palette.sky.top, 0.25 + 0.6 * part) * share
      let mirrored = max(0, shore - 1 - below * 2) * size.width
      let line = row * size.width
      for column in 0..<size.width {
        let seen = SketchCanvas.tint(pixels[mirrored + column])
        pixels[line + column] = SketchCanvas.word(seen * (1 - share) + water)
      }
    }
  }

  /// How far down a row's middle is, in heights of the picture.
  private func place(ofRow row: Int) -> Float { (Float(row) + 0.5 - origin.y) / scale }

  /// A pixel's word: red in the lowest byte, each part within -0.5..<255.5 and rounded, opaque.
  ///
  /// Added to half as much again as 2^23 a number has its whole part in the lowest bits; conversions take a lane at a
  /// time.
  @inline(__always) private static func word(_ color: Tint) -> UInt32 {
    let bits = unsafeBitCast(color + 12_582_912, to: SIMD4<UInt32>.self) & 0xFF
    return UInt32(littleEndian: bits.x | bits.y << 8 | bits.z << 16 | 0xFF00_0000)
  }

  @inline(__always) private static func tint(_ word: UInt32) -> Tint {
    let word = UInt32(littleEndian: word)
    return Tint(Float(word & 0xFF), Float(word >> 8 & 0xFF), Float(word >> 16 & 0xFF), 255)
  }
}
