/// A channel of a preview that is being painted: for each frequency downwards the sum of those across.
struct PreviewPlane {
  private let rows: [CosineRows.Row]

  /// Adds the frequencies across up.
  init(
    _ preview: TinyPreview, _ scale: TinyPreview.Field, _ field: (Int) -> TinyPreview.Field,
    _ frequencies: ArraySlice<PreviewFrequencies.Frequency>, average: Float, across: CosineRows
  ) {
    let unit = preview.scale(scale)
    var rows = [CosineRows.Row](repeating: .zero, count: frequencies.reduce(0) { max($0, $1.down) } + 1)
    rows[0] = CosineRows.Row(repeating: average)
    for (place, frequency) in frequencies.enumerated() {
      let share = preview.share(field(place)) * unit
      if share != 0 { rows[frequency.down] += across.rows[frequency.across] * share }
    }
    self.rows = rows
  }

  /// A row of the channel.
  @inline(__always)
  func row(_ y: Int, _ down: CosineRows) -> CosineRows.Row {
    var sum = rows[0]
    for frequency in 1..<max(1, rows.count) { sum += rows[frequency] * down.rows[frequency][y] }
    return sum
  }

  /// A row of pixels by channel, 0 to 255, from brightness and the differences of colour.
  @inline(__always)
  static func channels(
    _ luma: CosineRows.Row, _ orange: CosineRows.Row, _ green: CosineRows.Row
  ) -> (red: SIMD32<UInt32>, green: SIMD32<UInt32>, blue: SIMD32<UInt32>) {
    let rest = luma - green * 0.5
    return (byte(rest + orange * 0.5), byte(luma + green * 0.5), byte(rest - orange * 0.5))
  }

  @inline(__always)
  private static func byte(_ channel: CosineRows.Row) -> SIMD32<UInt32> {
    let scaled = channel * 255 + 0.5
    return SIMD32<UInt32>(scaled.clamped(lowerBound: .zero, upperBound: CosineRows.Row(repeating: 255)))
  }
}
