/// How much of each frequency there is in a grid of places.
struct PreviewTransform {
  let horizontal: CosineBasis
  let vertical: CosineBasis
  let width: Int
  let height: Int

  /// The shares of frequencies in rows that stand one behind the other, as factors of the cosines that add up to them.
  func coefficients(of rows: [PreviewRow.Part], _ frequencies: [PreviewFrequencies.Frequency]) -> [Float] {
    let highest = frequencies.reduce(0) { max($0, $1.vertical) }
    // What lies beyond the width is zero.
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
      // What the grid is too coarse for would be counted as something else.
      guard frequency.horizontal < width, frequency.vertical < height else { return 0 }
      var sum = PreviewRow.Part.zero
      for part in 0..<parts {
        sum += columns[frequency.vertical * PreviewRow.parts + part] * horizontal.part(part, of: frequency.horizontal)
      }
      // A cosine's square is half in the middle, and the constant's is one.
      let weight: Float = (frequency.horizontal > 0 ? 2 : 1) * (frequency.vertical > 0 ? 2 : 1)
      return sum.sum() * weight / Float(width * height)
    }
  }
}
