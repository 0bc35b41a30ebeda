package import VitrineRendering

/// What is behind transparent pixels: a colour, or a checkerboard of two.
///
/// Pixels are blended over it before they are averaged. Averaging first would let the colours of invisible pixels bleed
/// into their neighbours.
package struct Backdrop: Hashable {
  /// The squares of a checkerboard.
  private struct Squares: Hashable {
    let color: SIMD4<UInt8>
    /// The sides in pixels, which are larger in an image that is reduced afterwards.
    let width: Int
    let height: Int
  }

  /// The colour, and that of every other square of a checkerboard.
  private let color: SIMD4<UInt8>
  private var squares: Squares?

  /// The side of a square in pixels of the result.
  static let squareSide = 8.0

  /// Creates a plain backdrop.
  package init(_ color: Color) { self.color = SIMD4(color.red, color.green, color.blue, 255) }

  /// Creates the backdrop of a result.
  ///
  /// - Parameters:
  ///   - target: The result, whose colours it has.
  ///   - placement: The placement, which gives squares the same side in every result.
  package init(_ target: DecodingTarget, _ placement: Placement) {
    self.init(target.background)
    guard let second = target.secondBackground else { return }
    func side(_ ratio: Double) -> Int { max(1, Int((min(ratio, 1e6) * Backdrop.squareSide).rounded())) }
    squares = Squares(
      color: SIMD4(second.red, second.green, second.blue, 255), width: side(placement.ratioX),
      height: side(placement.ratioY))
  }

  var red: UInt8 { color[0] }
  var green: UInt8 { color[1] }
  var blue: UInt8 { color[2] }

  /// Returns the backdrop of an image that was reduced before its pixels are blended.
  ///
  /// - Parameters:
  ///   - across: The number of its pixels per pixel of the file, horizontally.
  ///   - down: The same, vertically.
  package func scaled(across: Double, down: Double) -> Backdrop {
    guard let squares else { return self }
    var scaled = self
    scaled.squares = Squares(
      color: squares.color, width: max(1, Int((Double(squares.width) * across).rounded())),
      height: max(1, Int((Double(squares.height) * down).rounded())))
    return scaled
  }

  /// Blends pixels of a row over the backdrop and makes them opaque.
  ///
  /// - Parameters:
  ///   - pixels: The pixels, of which alpha is not premultiplied.
  ///   - count: Their number.
  ///   - x: The column of the first one in the image.
  ///   - y: The row.
  ///   - step: The distance of their columns. Default: 1.
  package func flatten(_ pixels: UnsafeMutablePointer<UInt8>, count: Int, x: Int, y: Int, step: Int = 1) {
    guard let squares else { return Backdrop.blend(pixels, count: count, over: color, Backdrop.mix) }
    forEachRun(squares, count: count, x: x, y: y, step: step) { index, run, color in
      Backdrop.blend(pixels + index * 4, count: run, over: color, Backdrop.mix)
    }
  }

  /// Blends pixels with premultiplied alpha over the backdrop, as ``flatten(_:count:x:y:step:)``.
  package func flattenPremultiplied(_ pixels: UnsafeMutablePointer<UInt8>, count: Int, x: Int, y: Int) {
    guard let squares else { return Backdrop.blend(pixels, count: count, over: color, Backdrop.add) }
    forEachRun(squares, count: count, x: x, y: y, step: 1) { index, run, color in
      Backdrop.blend(pixels + index * 4, count: run, over: color, Backdrop.add)
    }
  }

  /// Calls a closure for the pixels of each square in a row, with the index of the first one, their number and the
  /// square's colour.
  private func forEachRun(
    _ squares: Squares, count: Int, x: Int, y: Int, step: Int, _ body: (Int, Int, SIMD4<UInt8>) -> Void
  ) {
    var index = 0
    while index < count {
      let column = x + index * step
      let square = column / squares.width
      let end = (square + 1) * squares.width
      let run = min(count - index, (end - column + step - 1) / step)
      body(index, run, (square + y / squares.height).isMultiple(of: 2) ? color : squares.color)
      index += run
    }
  }

  @inline(__always)
  private static func blend(
    _ pixels: UnsafeMutablePointer<UInt8>, count: Int, over color: SIMD4<UInt8>, _ mix: (UInt8, UInt8, UInt8) -> UInt8
  ) {
    var pixel = pixels
    for _ in 0..<count {
      let alpha = pixel[3]
      if alpha != 255 {
        pixel[0] = mix(pixel[0], color[0], alpha)
        pixel[1] = mix(pixel[1], color[1], alpha)
        pixel[2] = mix(pixel[2], color[2], alpha)
        pixel[3] = 255
      }
      pixel += 4
    }
  }

  private static func add(_ over: UInt8, _ under: UInt8, _ alpha: UInt8) -> UInt8 {
    UInt8(clamping: UInt32(over) + (UInt32(under) * UInt32(255 - alpha) + 127) / 255)
  }

  private static func mix(_ over: UInt8, _ under: UInt8, _ alpha: UInt8) -> UInt8 {
    let sum = UInt32(over) * UInt32(alpha) + UInt32(under) * UInt32(255 - alpha)
    return UInt8(truncatingIfNeeded: (sum + 127) / 255)
  }
}
