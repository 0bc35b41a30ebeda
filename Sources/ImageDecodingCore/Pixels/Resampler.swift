import CVitrineResampling
import Glibc
import VitrineGeometry
import VitrineImageMetadata

/// A Lanczos resampler that draws a window of an image at another size, in a given orientation.
///
/// Resamples vertically first, then horizontally. The vertical pass runs along whole rows, which processors do for many
/// numbers at once, and needs memory for one row only.
struct Resampler: ~Copyable {
  private let source: PixelMemory
  private let across: LanczosWeights
  private let down: LanczosWeights
  private let output: PixelSize
  private let indexMap: OrientedIndexMap
  private let line: ScratchMemory<Float>

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
    line = try ScratchMemory(count: source.width * 4)
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
          sumRows(down.spans[y], columns: first..<end)
          resampling_sum_pixels(
            line.elements, columns.baseAddress, columns.count, weights.baseAddress,
            pixels + (indexMap.origin + y * indexMap.down) * 4, indexMap.right * 4)
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

  /// Sums the weighted source rows of one row of the result, and adds 0.5 to round it.
  private func sumRows(_ span: resampling_span, columns: Range<Int>) {
    down.weights.withUnsafeBufferPointer { weights in
      resampling_sum_rows(
        line.elements + columns.lowerBound * 4, columns.count * 4, source.row(span.first) + columns.lowerBound * 4,
        source.bytesPerRow, weights.baseAddress.map { $0 + span.weights }, span.count)
    }
  }
}

// MARK: - Weights

/// The source pixels and their weights for each pixel of a resampled line, with a three-lobed Lanczos kernel.
///
/// Uses the exact ratio of the window to the result. Rounding the ratio to whole pixels, as a decoder's scaled size
/// suggests, shifts an image by fractions of a pixel and costs ten decibels or more.
struct LanczosWeights {
  /// The source pixels of each pixel of the result.
  private(set) var spans: [resampling_span] = []
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
      spans.append(resampling_span(first: first, count: line.count, weights: weights.count))
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
