/// Everything of a scene at one size, ready to be painted row by row from the top.
struct Stage {
  let camera: Camera
  let sky: SkyDome
  var lights: [any SkyLight] = []
  var land: TerrainView?
  /// Planted rows over the nearest land.
  var rows: RowField?
  /// Plants that stand behind the water's foot and are mirrored in it, the farthest first.
  var plants: [PlantedSprite] = []
  var water: WaterSurface?
  /// Plants before everything, the farthest first.
  var foreground: [PlantedSprite] = []
  let development: Development
}
