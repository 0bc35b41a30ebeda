/// Northern lights: folded curtains with rays, green below and violet above.
struct Aurora: SkyVeil {
  /// One curtain.
  struct Curtain {
    /// The foot above the horizon, in spans.
    let foot: Float
    let height: Float
    let strength: Float
    let origin: Float
    let fold: Float
  }

  let camera: Camera
  let lattice: GradientLattice
  let curtains: [Curtain]

  func light(column: Float, row: Float) -> Tint {
    let across = (column - camera.middle) / camera.span
    let up = (camera.horizon - row) / camera.span
    var sum = Tint.zero
    for curtain in curtains {
      let wave = lattice.fractal(across * 1.4 + curtain.origin, curtain.origin * 1.7, octaves: 3, gain: 0.5)
      let foot = curtain.foot + wave * curtain.fold
      let above = up - foot
      guard above > -0.05 else { continue }
      // Rays stand along the lines of the field, a little fanned.
      let ray = across * (1 - above * 0.35)
      let rays =
        0.62 + 0.9 * lattice.noise(ray * 17 + curtain.origin, curtain.origin)
        + 0.5 * lattice.noise(ray * 46 + curtain.origin * 3, above * 1.2)
      let patches = clamped(0.62 + 1.25 * lattice.noise(across * 1.7 + curtain.origin * 5, 7.7))
      let rise = ramp(-0.045, 0.02, above)
      let fall = exponential(-max(0, above) / curtain.height)
      let bright = max(0, rays) * patches * rise * fall * curtain.strength
      let high = ramp(0.03, 0.34, above)
      sum += mix(Tint(0.10, 0.78, 0.34, 0), Tint(0.42, 0.16, 0.62, 0), high) * bright
    }
    return sum * ramp(-0.01, 0.1, up)
  }
}
