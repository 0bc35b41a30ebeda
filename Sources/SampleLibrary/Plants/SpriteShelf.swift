/// Sprites of one kind in several sizes and several individuals, drawn when first wanted.
struct SpriteShelf {
  private let variants: Int
  private let grow: (Int, inout PaintRandom) -> Sprite
  private var sprites: [[Sprite?]]
  private var random: PaintRandom

  /// A shelf of a number of individuals a size; the body draws one of a height in cells.
  init(variants: Int, random: PaintRandom, _ grow: @escaping (Int, inout PaintRandom) -> Sprite) {
    self.variants = variants
    self.grow = grow
    self.random = random
    sprites = [[Sprite?]](repeating: [Sprite?](repeating: nil, count: variants), count: 16)
  }

  /// One of the individuals, at a height in cells that is a power of two.
  mutating func sprite(cells: Int, variant: Int) -> Sprite {
    let size = min(15, max(0, cells.trailingZeroBitCount))
    // Large ones are slow to draw and are seen apart: fewer will do.
    let index = variant % (cells >= 512 ? max(1, variants / 2) : variants)
    if let sprite = sprites[size][index] { return sprite }
    let sprite = grow(cells, &random)
    sprites[size][index] = sprite
    return sprite
  }
}
