extension StageSet {
  /// A stage of land under a sky, with water before it where a look is given.
  mutating func landStage<Form: Landform>(
    _ form: Form, camera: Camera, sun: Sun, mist: Float = 0, mistDepth: Float = 50, water: WaterLook? = nil,
    treeWidth: Float = 6, veils: [any SkyVeil] = [],
    plants: (inout StageSet, Gardener) -> [PlantedSprite] = { _, _ in [] }
  ) -> Stage {
    let light = light(sun, mist: mist, depth: mistDepth)
    let dome = sky(camera: camera, sun: sun, clouds: decks(), veils: veils)
    let grid = TerrainGrid(form, camera: camera, light: light, materials: materials)
    let land = TerrainView(grid, camera: camera, isWet: water != nil, treeWidth: treeWidth, materials: materials)
    var stage = Stage(camera: camera, sky: dome, development: development())
    stage.lights = lights(camera: camera, sun: sun)
    stage.land = land
    let gardener = Gardener(camera: camera, light: light, distances: grid.distances)
    stage.plants = plants(&self, gardener)
    if let water {
      // Where no land shows, the water goes to the horizon.
      let horizon = max(0, min(camera.height, Int(camera.horizon) + 1))
      let shore = land.shore.map { $0 == 0 ? horizon : $0 }
      stage.water = WaterSurface(
        look: water, glint: glint(camera: camera, sun: sun, land: land), camera: camera, shore: shore,
        materials: materials)
    }
    return stage
  }
}
