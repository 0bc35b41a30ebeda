extension StageSet {
  /// Single trees on land, the farthest first.
  mutating func scatterTrees<Form: Landform>(
    _ gardener: Gardener, near: ClosedRange<Float>, count: Int, form: Form, conifers: Float = 0.6, grouped: Float = 0.35
  ) -> [PlantedSprite] {
    let side: Float = scene.mood.showsSun ? 0 : 0.6
    let isWinter = scene.season == .winter
    var spruces = SpriteShelf(variants: 5, random: PaintRandom(seed: scene.identity, 31)) {
      Conifer(snow: isWinter ? 0.45 : 0).grow(height: $0, random: &$1)
    }
    var broadleaves = SpriteShelf(variants: 4, random: PaintRandom(seed: scene.identity, 32)) {
      Broadleaf(leafage: isWinter ? 0 : 1, lightSide: side, snow: isWinter ? 0.35 : 0).grow(height: $0, random: &$1)
    }
    let half = Float(width) / 2 / gardener.camera.focal * 1.05
    var places: [(x: Float, z: Float)] = []
    for _ in 0..<count {
      // As many for each doubling of the distance; some in groups.
      let z = near.lowerBound * power(near.upperBound / near.lowerBound, random.unit())
      let x = random.within(-half...half) * z
      places.append((x, z))
      if random.chance(grouped) {
        for _ in 0..<random.below(8) {
          places.append((x + random.bell() * 12, max(near.lowerBound, z + random.bell() * 10)))
        }
      }
    }
    var plants: [PlantedSprite] = []
    for place in places.sorted(by: { $0.z > $1.z }) {
      let ground = form.height(x: place.x, z: place.z, spacing: 1)
      let isConifer = random.chance(conifers)
      let height = random.within(isConifer ? 5...17 : 6...13)
      let cells = gardener.cells(height: height, distance: place.z)
      let variant = random.below(8)
      let sprite =
        isConifer ? spruces.sprite(cells: cells, variant: variant) : broadleaves.sprite(cells: cells, variant: variant)
      plants.append(
        gardener.plant(
          sprite, x: place.x, distance: place.z, ground: ground - 0.2, height: height,
          albedo: isConifer ? flora.conifer * 1.15 : flora.leaf(random.bell() * 1.4), accent: flora.snow,
          isMirrored: random.chance(0.5)))
    }
    return plants
  }
}
