import Geometry
import Glibc
import ImageMetadata

/// A Lanczos resampler that draws a window of an image at another size, in a given orientation.
///
/// Resamples vertically first, then horizontally. The vertical pass runs along whole rows, which the compiler
/// vectorizes, and needs memory for one row only.
struct Resampler: ~Copyable {
  private let source: PixelMemory
  private let across: LanczosWeights
  private let down: LanczosWeights
  private let output: PixelSize
  private let indexMap: OrientedIndexMap
  private let line: ScratchMemory<SIMD4<Float>>

  /// Creates a resampler for an image.
  ///
  /// - Parameters:
  ///   - source: The opaque pixels.
  ///   - window: The part to draw, in pixels of the source.
  ///   - output: The size of the result before orientation.
  ///   - orientation: The orientation to apply.
  init(source: consuming PixelMemory, window: Rect, output: PixelSize, orientation: Orientation) throws(DecodingError) {
    across = LanczosWeights(count: source.width, start: window.minX, length: window.width, output: output.width)
    down = LanczosWeights(count: source.height, start: window.minY, length: window.height, output: output.height)
    self.output = output
    indexMap = OrientedIndexMap(stored: output, orientation: orientation)
    line = try ScratchMemory(count: source.width)
    self.source = source
  }

  /// Writes the opaque result, `output.bytesAtFourPerPixel` bytes.
  ///
  /// - Throws: ``DecodingError/interrupted``.
  /// - Complexity: O(source pixels in the window), times the six pixels of the kernel.
  func draw(
    into pixels: UnsafeMutablePointer<UInt8>, interruption: DecodingInterruption = .none
  ) throws(DecodingError) {
    if across.isCopy, down.isCopy { return copy(into: pixels) }
    var meter = WorkMeter(interruption)
    try across.spans.withUnsafeBufferPointer { columns throws(DecodingError) in
      try across.weights.withUnsafeBufferPointer { weights throws(DecodingError) in
        // Columns that contribute to no pixel of the result are left out of the vertical pass.
        let first = columns.map(\.first).min() ?? 0
        let end = columns.map { $0.first + $0.count }.max() ?? 0
        for y in 0..<output.height {
          mixRows(down.spans[y], columns: first..<end)
          let row = pixels + (indexMap.origin + y * indexMap.down) * 4
          drawRow(columns: columns, weights: weights, into: row)
          try meter.add((end - first) * down.spans[y].count)
        }
      }
    }
  }

  /// Copies unchanged pixels, as of an image at its own size, where both axes are runs of source pixels.
  private func copy(into pixels: UnsafeMutablePointer<UInt8>) {
    let columns = across.spans.first?.first ?? 0
    for y in 0..<output.height {
      let from = source.row(down.spans[y].first) + columns * 4
      let to = pixels + (indexMap.origin + y * indexMap.down) * 4
      if indexMap.right == 1 {
        to.update(from: from, count: output.width * 4)
      } else {
        for x in 0..<output.width { (to + x * indexMap.right * 4).update(from: from + x * 4, count: 4) }
      }
    }
  }

  /// Sums the weighted source rows of one row of the result.
  private func mixRows(_ span: LanczosWeights.Span, columns: Range<Int>) {
    let count = columns.count * 4
    line.elements.withMemoryRebound(to: Float.self, capacity: line.count * 4) { start in
      let sum = start + columns.lowerBound * 4
      for index in 0..<count { sum[index] = 0.5 }
      down.weights.withUnsafeBufferPointer { weights in
        var tap = 0
        // Four rows at a time; otherwise each row loads and stores the sums.
        while tap + 4 <= span.count {
          let row = source.row(span.first + tap) + columns.lowerBound * 4
          let stride = source.bytesPerRow
          let weight = span.weights + tap
          let (w0, w1, w2, w3) = (weights[weight], weights[weight + 1], weights[weight + 2], weights[weight + 3])
          let (r0, r1, r2, r3) = (row, row + stride, row + 2 * stride, row + 3 * stride)
          for index in 0..<count {
            sum[index] +=
              w0 * Float(r0[index]) + w1 * Float(r1[index]) + (w2 * Float(r2[index]) + w3 * Float(r3[index]))
          }
          tap += 4
        }
        while tap < span.count {
          let row = source.row(span.first + tap) + columns.lowerBound * 4
          let weight = weights[span.weights + tap]
          for index in 0..<count { sum[index] += weight * Float(row[index]) }
          tap += 1
        }
      }
    }
  }

  /// Writes one row of the result from the summed line, which already includes the rounding offset of 0.5.
  private func drawRow(
    columns: UnsafeBufferPointer<LanczosWeights.Span>, weights: UnsafeBufferPointer<Float>,
    into row: UnsafeMutablePointer<UInt8>
  ) {
    let low = SIMD4<Float>(repeating: 0)
    let high = SIMD4<Float>(repeating: 255)
    let step = indexMap.right * 4
    var pixel = row
    for span in columns {
      var sum = SIMD4<Float>()
      for tap in 0..<span.count { sum += weights[span.weights + tap] * line.elements[span.first + tap] }
      // `clamped(lowerBound:upperBound:)` would be a function call per pixel.
      let bytes = sum.replacing(with: low, where: sum .< low).replacing(with: high, where: sum .> high)
      pixel[0] = UInt8(bytes[0])
      pixel[1] = UInt8(bytes[1])
      pixel[2] = UInt8(bytes[2])
      pixel[3] = 255
      pixel += step
    }
  }
}

// MARK: - Weights

/// The source pixels and their weights for each pixel of a resampled line, with a three-lobed Lanczos kernel.
///
/// Uses the exact ratio of the window to the result. Rounding the ratio to whole pixels, as a decoder's scaled size
/// suggests, shifts an image by fractions of a pixel and costs ten decibels or more.
struct LanczosWeights {
  /// The source pixels of one pixel of the result.
  struct Span {
    /// The index of the first source pixel.
    var first: Int
    /// The number of source pixels.
    var count: Int
    /// The index of the first of their weights.
    var weights: Int
  }

  private(set) var spans: [Span] = []
  private(set) var weights: [Float] = []

  /// Whether the result is a run of unchanged source pixels, as with a window of whole pixels and an equal size.
  ///
  /// One weight per pixel is not sufficient: a source of one pixel contributes to all pixels of a longer result.
  var isCopy: Bool {
    guard let start = spans.first?.first, weights.count == spans.count else { return false }
    return spans.indices.allSatisfy { spans[$0].first == start + $0 }
  }

  private static let lobes = 3.0
  /// The magnitude below which a weight changes no byte.
  ///
  /// Dropping such weights makes an image at its own size an exact copy.
  private static let negligible = 1e-6

  /// Creates the weights of a line.
  ///
  /// - Parameters:
  ///   - count: The number of pixels in the source line.
  ///   - start: The start of the window, in source pixels.
  ///   - length: The length of the window, in source pixels.
  ///   - output: The number of pixels in the result.
  init(count: Int, start: Double, length: Double, output: Int) {
    let ratio = length / Double(output)
    let scale = max(1, ratio)
    let reach = LanczosWeights.reach(ratio: ratio)
    spans.reserveCapacity(output)
    weights.reserveCapacity(output * (Int(reach * 2) + 2))
    for index in 0..<output {
      let center = start + (Double(index) + 0.5) * ratio
      var first = max(0, min(count - 1, Int((center - reach).rounded(.down))))
      let end = max(first + 1, min(count, Int((center + reach).rounded(.up))))
      var line = (first..<end).map { LanczosWeights.kernel((Double($0) + 0.5 - center) / scale) }
      let leading = line.prefix { abs($0) < LanczosWeights.negligible }.count
      if leading < line.count {
        line.removeFirst(leading)
        first += leading
        while let last = line.last, abs(last) < LanczosWeights.negligible { line.removeLast() }
      }
      let sum = line.reduce(0, +)
      spans.append(Span(first: first, count: line.count, weights: weights.count))
      weights.append(contentsOf: line.map { Float(sum == 0 ? 1 / Double(line.count) : $0 / sum) })
    }
  }

  /// Returns the radius of the kernel in source pixels, for a ratio of source pixels to result pixels.
  static func reach(ratio: Double) -> Double { lobes * max(1, ratio) }

  /// Returns the value of the kernel at a distance in pixels.
  static func kernel(_ x: Double) -> Double {
    if x == 0 { return 1 }
    if abs(x) >= lobes { return 0 }
    let angle = Double.pi * x
    return lobes * sin(angle) * sin(angle / lobes) / (angle * angle)
  }
}

// MARK: - Orientation

/// The mapping of stored pixels to indices in the oriented image: index = origin + x * right + y * down.
struct OrientedIndexMap: Hashable {
  /// The index of the first stored pixel.
  let origin: Int
  /// The index difference to the next stored pixel on the right.
  let right: Int
  /// The index difference to the next stored pixel below.
  let down: Int

  /// Creates the mapping for an image's stored size.
  init(stored: PixelSize, orientation: Orientation) {
    let lastX = stored.width - 1
    let lastY = stored.height - 1
    // The number of pixels in a row of the oriented image.
    let across = orientation.isTransposed ? stored.height : stored.width
    switch orientation {
    case .up: (origin, right, down) = (0, 1, across)
    case .upMirrored: (origin, right, down) = (lastX, -1, across)
    case .down: (origin, right, down) = (lastY * across + lastX, -1, -across)
    case .downMirrored: (origin, right, down) = (lastY * across, 1, -across)
    case .leftMirrored: (origin, right, down) = (0, across, 1)
    case .right: (origin, right, down) = (lastY, across, -1)
    case .rightMirrored: (origin, right, down) = (lastX * across + lastY, -across, -1)
    case .left: (origin, right, down) = (lastX * across, -across, 1)
    }
  }
}
