extension TinyPreview {
  /// Where a number stands in the words; none reaches from one word into the next.
  struct Field {
    let word: Int
    let bit: UInt64
    let count: UInt64

    /// The picture's size, 0 where it is not known.
    static let width = Field(word: 0, bit: 0, count: 16)
    static let height = Field(word: 0, bit: 16, count: 16)
    /// The shape of what the preview was made of.
    static let shape = Field(word: 0, bit: 32, count: 8)
    /// The averages.
    static let luma = Field(word: 0, bit: 40, count: 8)
    static let orange = Field(word: 0, bit: 48, count: 7)
    static let green = Field(word: 0, bit: 55, count: 7)
    /// What the largest share of each counts.
    static let lumaScale = Field(word: 1, bit: 0, count: 6)
    static let orangeScale = Field(word: 1, bit: 6, count: 5)
    static let greenScale = Field(word: 1, bit: 11, count: 5)

    /// The share of a frequency of brightness, the lowest first.
    static func luma(_ place: Int) -> Field {
      // Behind the scales there is room for twelve.
      place < 12
        ? Field(word: 1, bit: UInt64(16 + place * 4), count: 4) : Field(word: 2, bit: UInt64(place - 12) * 4, count: 4)
    }

    /// The share of a frequency of the first difference of colour.
    static func orange(_ place: Int) -> Field { Field(word: 3, bit: UInt64(place) * 4, count: 4) }

    /// The share of a frequency of the second difference of colour.
    static func green(_ place: Int) -> Field {
      Field(word: 3, bit: UInt64(TinyPreview.chromaCount + place) * 4, count: 4)
    }

    /// The largest number that fits.
    var largest: Int { 1 << Int(count) - 1 }
  }

  /// A number of the preview.
  func field(_ field: Field) -> Int {
    Int(words[field.word] &>> field.bit & UInt64(field.largest))
  }

  /// Notes a number, the nearest that fits.
  mutating func set(_ field: Field, to number: Int) {
    let mask = UInt64(field.largest) &<< field.bit
    words[field.word] = words[field.word] & ~mask | UInt64(min(field.largest, max(0, number))) &<< field.bit
  }

  /// What the largest share of a channel counts: finer where it is small.
  func scale(_ field: Field) -> Float {
    let root = Float(self.field(field)) / Float(field.largest)
    return root * root
  }

  /// The share of a frequency, in parts of the channel's scale, -1...1.
  func coefficient(_ field: Field) -> Float { (Float(self.field(field)) - TinyPreview.steps) / TinyPreview.steps }
}
