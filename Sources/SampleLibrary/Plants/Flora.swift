/// The colours of what grows, by season.
struct Flora {
  let season: Season
  let conifer: Tint
  /// Leaves of several kinds of tree, of which each wood shows a mixture.
  let leaves: [Tint]
  let grass: Tint
  let dryGrass: Tint
  let rock: Tint
  let snow = Tint(0.84, 0.87, 0.92, 0)

  init(season: Season, random: inout PaintRandom) {
    self.season = season
    conifer = Tint(0.034, 0.052, 0.030, 0) * random.within(0.85...1.3)
    let warm = random.unit()
    rock = mix(Tint(0.20, 0.195, 0.195, 0), Tint(0.27, 0.225, 0.18, 0), warm)
    switch season {
    case .spring:
      leaves = [Tint(0.13, 0.19, 0.04, 0), Tint(0.09, 0.15, 0.035, 0), Tint(0.19, 0.22, 0.07, 0)]
      grass = Tint(0.115, 0.185, 0.04, 0)
      dryGrass = Tint(0.17, 0.19, 0.06, 0)
    case .summer:
      leaves = [Tint(0.062, 0.098, 0.028, 0), Tint(0.08, 0.115, 0.03, 0), Tint(0.05, 0.085, 0.03, 0)]
      grass = Tint(0.105, 0.145, 0.038, 0)
      dryGrass = Tint(0.21, 0.18, 0.075, 0)
    case .autumn:
      leaves = [
        Tint(0.36, 0.155, 0.022, 0), Tint(0.40, 0.25, 0.035, 0), Tint(0.21, 0.062, 0.02, 0), Tint(0.11, 0.115, 0.03, 0),
      ]
      grass = Tint(0.175, 0.145, 0.05, 0)
      dryGrass = Tint(0.25, 0.17, 0.07, 0)
    case .winter:
      leaves = [Tint(0.12, 0.095, 0.08, 0), Tint(0.10, 0.085, 0.08, 0)]
      grass = Tint(0.84, 0.87, 0.92, 0)
      dryGrass = Tint(0.62, 0.58, 0.5, 0)
    }
  }

  /// The mixture of leaves at a place between two kinds, by a number of mean 0 and deviation 1.
  @inline(__always) func leaf(_ kind: Float) -> Tint {
    let place = clamped(kind * 0.28 + 0.5) * Float(leaves.count - 1)
    let index = min(Int(place), leaves.count - 2)
    return mix(leaves[index], leaves[index + 1], place - Float(index))
  }
}
