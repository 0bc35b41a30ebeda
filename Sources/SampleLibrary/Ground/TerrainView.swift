/// The land as the camera sees it: for every pixel, which sample of the grid shows there.
struct TerrainView {
  private let grid: TerrainGrid
  private let materials: Materials
  private let treeWidth: Float
  private let slopes: [Float]
  /// By pixel: the grid's row in 1/4096, then 8 bits of how much of the pixel it covers; 0 is sky.
  private let codes: Sheet<UInt32>
  /// By column: the first row below the land, where water begins.
  let shore: [Int]
  /// By column: the first row of land.
  let skyline: [Int]

  /// Projects a grid.
  ///
  /// - Parameter isWet: whether ground below zero is under water, and not seen.
  init(_ grid: TerrainGrid, camera: Camera, isWet: Bool, treeWidth: Float, materials: Materials) {
    self.grid = grid
    self.materials = materials
    self.treeWidth = treeWidth
    slopes = (0..<camera.width).map { camera.slope(column: Float($0)) }
    let (width, height) = (camera.width, camera.height)
    let codes = Sheet<UInt32>(width: width, height: height, filledWith: 0)
    var shore = [Int](repeating: 0, count: width)
    var skyline = [Int](repeating: height, count: width)
    var random = PaintRandom(seed: 23)
    let shifts = grid.distances.map { _ in Float(random.below(4_096)) }
    let (spires, crowns) = (materials.spires, materials.crowns)
    for column in 0..<width {
      let place = Float(column) / grid.columnStep
      let left = min(Int(place), grid.heights.width - 2)
      let part = place - Float(left)
      let slope = camera.slope(column: Float(column))
      // Rows from `top` down are taken.
      var top = height
      var last: Float = Float(height)
      var lowest = 0
      var nextTrees: Float = 0
      for row in grid.distances.indices {
        let distance = grid.distances[row]
        var ground = mix(grid.heights[left, row], grid.heights[left + 1, row], part)
        if isWet, ground < 0 {
          last = camera.row(height: 0, distance: distance)
          continue
        }
        // Trees stand in rows no closer than they are wide, however finely the ground is sampled.
        var canopy: Float = 0
        if distance >= nextTrees {
          canopy = mix(grid.canopies[left, row], grid.canopies[left + 1, row], part)
          nextTrees = distance + treeWidth * 0.7
        }
        if abs(canopy) > 0.5 {
          let tip = (slope * distance / treeWidth + 1_000) * 32 + shifts[row]
          let cell = Int(tip)
          let tips = canopy > 0 ? spires : crowns
          ground += abs(canopy) * mix(tips[cell & 4_095], tips[(cell + 1) & 4_095], tip - Float(cell))
        }
        let line = max(0, camera.row(height: ground, distance: distance))
        defer { last = line }
        guard line < Float(top) else { continue }
        if lowest == 0 { lowest = isWet ? min(height, Int(max(last, line) + 0.5)) : height }
        top = min(top, lowest)
        let first = Int(line)
        guard first < top else { continue }
        let length = max(last - line, 0.01)
        for pixel in first..<top {
          var along = clamped((last - Float(pixel)) / length)
          // A tree has one colour from foot to tip, not that of the ground before it.
          if abs(canopy) > 0.5 { along = 0.75 + 0.25 * along }
          let depth = UInt32(max(0, Float(row) - 1 + along) * 4_096)
          let covered: UInt32 = pixel == first ? UInt32((Float(first) + 1 - line) * 254) + 1 : 255
          codes[column, pixel] = depth << 8 | covered
        }
        top = first
      }
      shore[column] = lowest
      skyline[column] = top
    }
    self.codes = codes
    self.shore = shore
    self.skyline = skyline
  }

  /// Whether the land that shows at a pixel is nearer than a row of the grid.
  @inline(__always) func isNearer(than depth: Float, column: Int, row: Int) -> Bool {
    let code = codes[column, row]
    return code != 0 && Float(code >> 8) * (1 / 4_096) < depth - 1
  }

  /// Paints the land over a row that holds the sky.
  func paint(row: Int, into pixels: UnsafeMutablePointer<Tint>) {
    let line = codes.row(row)
    let above = codes.row(max(row - 1, 0))
    let perColumn = 1 / grid.columnStep
    for column in 0..<codes.width {
      let code = line[column]
      guard code != 0 else { continue }
      let place = Float(column) * perColumn
      let left = Int(place)
      let part = place - Float(left)
      var color = shade(code, left: left, part: part, column: column, row: row)
      let covered = code & 0xFF
      if covered < 255 {
        let behind = above[column]
        let back =
          behind == 0 ? pixels[column] : shade(behind, left: left, part: part, column: column, row: row)
        color = mix(back, color, Float(covered) * (1 / 255))
      }
      pixels[column] = color
    }
  }

  @inline(__always)
  private func shade(_ code: UInt32, left: Int, part: Float, column: Int, row: Int) -> Tint {
    let depth = Float(code >> 8) * (1 / 4_096)
    let first = min(Int(depth), grid.distances.count - 2)
    let along = depth - Float(first)
    let (near, far) = (grid.colors.row(first), grid.colors.row(first + 1))
    let nearer = mix(near[left], near[left + 1], part)
    let farther = mix(far[left], far[left + 1], part)
    let color = mix(nearer, farther, along)
    let leaf = materials.foliage.cell(column &+ first &* 37, row)
    let rising = color.w > 0.3 ? max(0, along * 4 - 3) : along
    var strength = color.w * (leaf * 0.5 + (rising - 0.55) * 1.1)
    if color.w > 0.1 {
      // Every tree is a little lighter or darker than the next.
      let tree = floored(slopes[column] * grid.distances[first + 1] / treeWidth)
      let own =
        (UInt32(truncatingIfNeeded: tree) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: first) &* 0x85EB_CA6B)
        &* 0xC2B2_AE3D
      strength += color.w * (Float(own >> 16) * 0x1p-16 - 0.5) * 0.55
    }
    return color * max(0.25, 1 + strength)
  }
}
