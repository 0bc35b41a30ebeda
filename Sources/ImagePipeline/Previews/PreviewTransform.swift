/// How much of each frequency there is in a grid of places.
struct PreviewTransform {
  let across: CosineRows
  let down: CosineRows
  let width: Int
  let height: Int

  /// The shares of frequencies in rows, as factors of the cosines that add up to them.
  func shares(of rows: [CosineRows.Row], _ frequencies: [PreviewFrequencies.Frequency]) -> [Float] {
    let highest = frequencies.reduce(0) { max($0, $1.down) }
    let columns = (0...highest).map { frequency in
      var sum = CosineRows.Row.zero
      for y in rows.indices { sum += rows[y] * down.rows[frequency][y] }
      return sum
    }
    return frequencies.map { frequency in
      // What the grid is too coarse for would be counted as something else.
      guard frequency.across < width, frequency.down < height else { return 0 }
      let sum = (columns[frequency.down] * across.rows[frequency.across]).sum()
      // A cosine's square is half in the middle, and the constant's is one.
      let weight: Float = (frequency.across > 0 ? 2 : 1) * (frequency.down > 0 ? 2 : 1)
      return sum * weight / Float(width * height)
    }
  }
}
