/// A plant at its place in the picture, with the colours that light and air give it there.
struct PlantedSprite {
  let sprite: Sprite
  /// The picture's column of the sprite's middle.
  let middle: Float
  /// The picture's row of the sprite's foot.
  let foot: Float
  /// The sprite's height in pixels.
  let height: Float
  let isMirrored: Bool
  let dark: Tint
  let lit: Tint
  let accentDark: Tint
  let accentLit: Tint
  /// The row of the land's grid at its distance: what the land shows nearer than that hides it.
  let depth: Float
  /// The part of its colour that mist takes at the foot, in that colour.
  var footMist: Float = 0
  var mist: Tint = .zero

  /// The rows that it may touch.
  var rows: Range<Int> {
    let top = max(0, Int(max(0, foot - height)))
    return top..<max(top, Int(max(0, foot)) + 1)
  }

  /// Paints the plant's part of a row.
  func paint(row: Int, into pixels: UnsafeMutablePointer<Tint>, width: Int, land: TerrainView?) {
    let scale = Float(sprite.sheet.height) / height
    let down = (Float(row) + 0.5 - (foot - height)) * scale
    guard down > 0, down < Float(sprite.sheet.height) else { return }
    let half = height * sprite.proportion / 2
    let first = max(0, Int(max(0, middle - half)))
    let last = min(width, Int(max(0, middle + half)) + 1)
    guard first < last else { return }
    let cells = Float(sprite.sheet.width)
    let low = footMist * ramp(0.1, 1, down / Float(sprite.sheet.height))
    for column in first..<last {
      var across = (Float(column) + 0.5 - (middle - half)) * scale
      if isMirrored { across = cells - across }
      let cell = sprite.sample(across, down)
      guard cell.w > 0.004 else { continue }
      if let land, land.isNearer(than: depth, column: column, row: row) { continue }
      let inverse = 1 / cell.w
      let shade = cell.x * inverse
      let accent = cell.y * inverse
      var color = mix(dark, lit, shade)
      if accent > 0.003 { color = mix(color, mix(accentDark, accentLit, shade), accent) }
      color = mix(color, mist, low)
      var pixel = pixels[column]
      pixel = mix(pixel, color, cell.w)
      pixels[column] = pixel
    }
  }
}
