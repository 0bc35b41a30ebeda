/// Land sampled along the camera's rays: colours and heights by distance and direction, lit, shaded and veiled.
///
/// Rows are distances, columns are directions, so that a sample is everywhere about as large in the picture as a few
/// pixels, and neighbours are neighbours in the picture.
struct TerrainGrid {
  let distances: [Float]
  /// Pixels from one column to the next.
  let columnStep: Float
  let heights: Sheet<Float>
  /// The colour as it arrives; the fourth lane is the strength of texture.
  let colors: Sheet<Tint>
  /// The height of the trees in metres; below zero for round crowns.
  let canopies: Sheet<Float>

  /// Samples a landform.
  init<Form: Landform>(
    _ form: Form, camera: Camera, light: Illumination, materials: Materials
  ) {
    let width = camera.width
    let quality = min(0.86, max(0.06, Float(width) / 3_000))
    distances = form.depths.distances(quality: quality)
    columnStep = max(1, Float(width) / 960)
    let columns = Int(Float(width) / columnStep) + 3
    heights = Sheet(width: columns, height: distances.count, filledWith: 0)
    colors = Sheet(width: columns, height: distances.count, filledWith: .zero)
    canopies = Sheet(width: columns, height: distances.count, filledWith: 0)
    for (row, distance) in distances.enumerated() {
      let spacing = distance * columnStep / camera.focal
      let line = heights.row(row)
      for column in 0..<columns {
        let x = distance * camera.slope(column: Float(column) * columnStep)
        line[column] = form.height(x: x, z: distance, spacing: spacing)
      }
    }
    let shadows = TerrainShadows(
      heights: heights, distances: distances, columnStep: columnStep, camera: camera, sun: light.sun)
    shade(form, camera: camera, light: light, shadows: shadows, materials: materials)
  }

  private func shade<Form: Landform>(
    _ form: Form, camera: Camera, light: Illumination, shadows: TerrainShadows, materials: Materials
  ) {
    let columns = heights.width
    let slopes = (0..<columns).map { camera.slope(column: Float($0) * columnStep) }
    var horizon = TerrainHorizon(columns: columns)
    for row in distances.indices {
      horizon.advance(to: row, heights: heights, distances: distances, eye: camera.eye)
      let distance = distances[row]
      let spacing = distance * columnStep / camera.focal
      let (before, after) = (max(row - 1, 0), min(row + 1, distances.count - 1))
      let depth = max(distances[after] - distances[before], 1e-3)
      let (nearer, here, farther) = (heights.row(before), heights.row(row), heights.row(after))
      for column in 0..<columns {
        let height = here[column]
        let rise = (height - camera.eye) / distance
        guard horizon.mayShow(column) else { continue }
        let (left, right) = (max(column - 1, 0), min(column + 1, columns - 1))
        let slope = slopes[column]
        let across = (here[right] - here[left]) / (Float(right - left) * spacing)
        let along = (farther[column] - nearer[column]) / depth - across * slope
        let scale = 1 / (1 + across * across + along * along).squareRoot()
        let normal = SIMD3(-across * scale, scale, -along * scale)
        let x = distance * slope
        let cover = form.cover(Place(x: x, z: distance, height: height, upright: scale, spacing: spacing))
        let exposure =
          shadows.exposure(column: column, row: row, height: height + cover.canopy * 0.5)
          * light.sunThroughClouds(x: x, z: distance, materials)
        // Hollows see less of the sky.
        let level = (here[left] + here[right] + nearer[column] + farther[column]) * 0.25
        let openness = clamped(1 + (height - level) / (spacing * 3))
        let softness = cover.canopy > 0 ? 1 : 0.25
        var color = light.shade(
          cover.albedo, normal: normal, exposure: exposure, openness: 0.45 + 0.55 * openness, softness: Float(softness))
        let patches = 1 + 0.55 * materials.mist.sample(x * 0.05 / 4, distance * 0.02 / 4)
        color = light.veil(
          color, distance: distance, height: height, forward: light.forwardGlow(slope: slope, rise: rise),
          patches: max(0.15, patches))
        // Air hides texture as it hides colour.
        color.w = cover.texture * exponential(-distance / light.atmosphere.hazeLength)
        colors[column, row] = color
        canopies[column, row] = cover.isRound ? -cover.canopy : cover.canopy
      }
    }
  }
}
