extension StageSet {
  /// Rows of flowers or vines running to the horizon.
  mutating func rows() -> Stage {
    let camera = camera(
      horizon: random.within(0.38...0.50), lens: random.within(0.95...1.35), eye: random.within(1.9...2.8))
    let sun = sun(camera: camera, across: 0.35...0.65)
    let form = HillLand(
      crest: 420, rise: 0, lean: 0, beyond: random.within(420...1_100), ground: .grass,
      woods: random.within(0.5...0.85),
      flora: flora, origin: origin(), lattice: materials.lattice)
    var stage = landStage(form, camera: camera, sun: sun, treeWidth: 6) { set, gardener in
      set.scatterTrees(gardener, near: 300...430, count: 14, form: form, conifers: 0.15)
    }
    let kinds: [RowField.Crop] =
      switch scene.season {
      case .spring: [.tulips, .tulips, .tulips, .leaves]
      case .summer: [.lavender, .lavender, .lavender, .leaves]
      case .autumn, .winter: [.leaves]
      }
    stage.rows = RowField(
      camera: camera, light: light(sun), materials: materials, crop: random.pick(kinds),
      leaf: scene.season == .autumn ? Tint(0.32, 0.17, 0.03, 0) : flora.leaf(0), blossom: .zero,
      spacing: random.within(1.5...2.1),
      direction: random.within(-0.30...0.30), reach: 300, seed: UInt32(random.below(1 << 30)))
    return stage
  }
}
