/// A channel of a preview that is being painted: for each frequency downwards the sum of those across.
struct PreviewPlane {
  /// The sums, one row behind the other.
  private let parts: [PreviewRow.Part]
  /// The highest frequency downwards.
  private let highest: Int

  /// Adds the frequencies across up.
  init(
    _ preview: TinyPreview, _ scale: TinyPreview.Field, _ field: (Int) -> TinyPreview.Field,
    _ frequencies: ArraySlice<PreviewFrequencies.Frequency>, average: Float, across: CosineBasis
  ) {
    let unit = preview.scale(scale)
    let highest = frequencies.reduce(0) { max($0, $1.vertical) }
    let row = PreviewRow.parts
    var parts = [PreviewRow.Part](repeating: .zero, count: (highest + 1) * row)
    for part in 0..<row { parts[part] = PreviewRow.Part(repeating: average) }
    for (place, frequency) in frequencies.enumerated() {
      let share = preview.coefficient(field(place)) * unit
      guard share != 0 else { continue }
      for part in 0..<row {
        parts[frequency.vertical * row + part] += across.part(part, of: frequency.horizontal) * share
      }
    }
    self.parts = parts
    self.highest = highest
  }

  /// A part of a row of the channel.
  @inline(__always)
  func part(_ part: Int, ofRow y: Int, _ down: CosineBasis) -> PreviewRow.Part {
    var sum = parts[part]
    var frequency = 1
    while frequency <= highest {
      sum += parts[frequency &* PreviewRow.parts &+ part] * down.cosine(frequency, at: y)
      frequency &+= 1
    }
    return sum
  }
}
