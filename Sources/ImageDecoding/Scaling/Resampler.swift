import Geometry
import ImageMetadata

/// Draws a window of a picture at another size, turned as its orientation asks.
///
/// Down first, then across: the first pass runs along whole rows, which a compiler makes wide arithmetic of, and needs
/// memory for one row alone.
struct Resampler: ~Copyable {
  private let source: PixelMemory
  private let across: LanczosWeights
  private let down: LanczosWeights
  private let output: PixelSize
  private let walk: PixelWalk
  private let line: ScratchMemory<SIMD4<Float>>

  /// Prepares for a picture.
  ///
  /// - Parameters:
  ///   - source: the pixels, opaque.
  ///   - window: the part that is shown, in the source's pixels.
  ///   - output: the size of the result before it is turned.
  ///   - orientation: how it is turned.
  init(source: consuming PixelMemory, window: Rect, output: PixelSize, orientation: Orientation) throws(DecodingError) {
    across = LanczosWeights(count: source.width, start: window.minX, length: window.width, output: output.width)
    down = LanczosWeights(count: source.height, start: window.minY, length: window.height, output: output.height)
    self.output = output
    walk = PixelWalk(stored: output, orientation: orientation)
    line = try ScratchMemory(count: source.width)
    self.source = source
  }

  /// Writes the result, `output.bytesAtFourPerPixel` bytes, opaque.
  ///
  /// - Throws: ``DecodingError/interrupted``.
  /// - Complexity: O(source pixels in the window), times the kernel's six pixels.
  func draw(
    into pixels: UnsafeMutablePointer<UInt8>, interruption: DecodingInterruption = .none
  ) throws(DecodingError) {
    if across.isCopy, down.isCopy { return copy(into: pixels) }
    var meter = WorkMeter(interruption)
    try across.spans.withUnsafeBufferPointer { columns throws(DecodingError) in
      try across.weights.withUnsafeBufferPointer { weights throws(DecodingError) in
        // Columns that no pixel of the result looks at are not worth a pass.
        let first = columns.map(\.first).min() ?? 0
        let end = columns.map { $0.first + $0.count }.max() ?? 0
        for y in 0..<output.height {
          mixRows(down.spans[y], columns: first..<end)
          let row = pixels + (walk.origin + y * walk.down) * 4
          drawRow(columns: columns, weights: weights, into: row)
          try meter.add((end - first) * down.spans[y].count)
        }
      }
    }
  }

  /// Moves pixels that stay as they are, as in a picture at its own size: runs of the source's on both axes.
  private func copy(into pixels: UnsafeMutablePointer<UInt8>) {
    let columns = across.spans.first?.first ?? 0
    for y in 0..<output.height {
      let from = source.row(down.spans[y].first) + columns * 4
      let to = pixels + (walk.origin + y * walk.down) * 4
      if walk.right == 1 {
        to.update(from: from, count: output.width * 4)
      } else {
        for x in 0..<output.width { (to + x * walk.right * 4).update(from: from + x * 4, count: 4) }
      }
    }
  }

  /// Adds up the source's rows that make one row of the result.
  private func mixRows(_ span: LanczosWeights.Span, columns: Range<Int>) {
    let count = columns.count * 4
    line.elements.withMemoryRebound(to: Float.self, capacity: line.count * 4) { start in
      let sum = start + columns.lowerBound * 4
      for index in 0..<count { sum[index] = 0.5 }
      down.weights.withUnsafeBufferPointer { weights in
        var tap = 0
        // Four rows at a time, as the sums would otherwise go to memory and back for each.
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

  /// Makes one row of the result of the line; the half that rounds is in it already.
  private func drawRow(
    columns: UnsafeBufferPointer<LanczosWeights.Span>, weights: UnsafeBufferPointer<Float>,
    into row: UnsafeMutablePointer<UInt8>
  ) {
    let low = SIMD4<Float>(repeating: 0)
    let high = SIMD4<Float>(repeating: 255)
    let step = walk.right * 4
    var pixel = row
    for span in columns {
      var sum = SIMD4<Float>()
      for tap in 0..<span.count { sum += weights[span.weights + tap] * line.elements[span.first + tap] }
      // Not `clamped(lowerBound:upperBound:)`, which is a call for each pixel.
      let bytes = sum.replacing(with: low, where: sum .< low).replacing(with: high, where: sum .> high)
      pixel[0] = UInt8(bytes[0])
      pixel[1] = UInt8(bytes[1])
      pixel[2] = UInt8(bytes[2])
      pixel[3] = 255
      pixel += step
    }
  }
}
