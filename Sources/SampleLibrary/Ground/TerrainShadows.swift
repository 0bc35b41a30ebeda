/// The height up to which each piece of ground lies in the shadow of other ground.
struct TerrainShadows {
  private let ceilings: Sheet<Float>
  private let softness: [Float]

  /// Sweeps the land once, from the side that the sun stands on to the other.
  init(heights: Sheet<Float>, distances: [Float], columnStep: Float, camera: Camera, sun: SIMD3<Float>) {
    let (columns, rows) = (heights.width, heights.height)
    ceilings = Sheet(width: columns, height: rows, filledWith: -10_000)
    softness = distances.map { 1 + $0 * columnStep / camera.focal * 1.2 }
    let level = max((sun.x * sun.x + sun.z * sun.z).squareRoot(), 1e-4)
    let towards = SIMD2(sun.x, sun.z) / level
    let fall = sun.y / level
    if abs(towards.y) < 0.42 {
      let order = towards.x > 0 ? -1 : 1
      let first = towards.x > 0 ? columns - 2 : 1
      for row in 0..<rows {
        let drop = fall * distances[row] * columnStep / camera.focal / abs(towards.x)
        let (line, ground) = (ceilings.row(row), heights.row(row))
        var column = first
        while column >= 0, column < columns {
          line[column] = max(line[column - order], ground[column - order]) - drop
          column += order
        }
      }
    } else {
      let order = towards.y > 0 ? -1 : 1
      var row = towards.y > 0 ? rows - 2 : 1
      while row >= 0, row < rows {
        let source = row - order
        let depth = distances[source] - distances[row]
        let drop = fall * abs(depth / towards.y)
        let (line, above, ground) = (ceilings.row(row), ceilings.row(source), heights.row(source))
        for column in 0..<columns {
          let x = distances[row] * camera.slope(column: Float(column) * columnStep)
          let moved = (x + towards.x * depth / towards.y) / distances[source]
          let place = camera.column(slope: moved) / columnStep
          let held = max(0, min(Float(columns) - 1.001, place))
          let left = Int(held)
          let part = held - Float(left)
          let first = max(above[left], ground[left])
          let second = max(above[left + 1], ground[left + 1])
          line[column] = mix(first, second, part) - drop
        }
        row += order
      }
    }
  }

  /// How much of the sun reaches a height over a sample, 0 to 1.
  @inline(__always) func exposure(column: Int, row: Int, height: Float) -> Float {
    let soft = softness[row]
    return ramp(-soft, soft, height - ceilings[column, row])
  }
}
