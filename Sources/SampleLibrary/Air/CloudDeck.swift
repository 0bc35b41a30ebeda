/// A slab of clouds overhead: how high, how thick, how much of the sky.
struct CloudDeck {
  /// The shape that the clouds have.
  enum Kind: Hashable, Sendable {
    /// Heaped clouds with flat feet.
    case heaped
    /// A sheet of small flakes.
    case flaked
    /// High streaks of ice.
    case streaked
    /// A grey ceiling of folds.
    case folded
  }

  let kind: Kind
  /// The part of the sky under cloud, 0 to 1.
  let coverage: Float
  /// The metres from one cloud to the next.
  let scale: Float
  /// The metres from the eye to the clouds' feet.
  let altitude: Float
  /// The metres from feet to tops.
  let thickness: Float
  /// The most that the clouds hide of the sky, 0 to 1.
  let opacity: Float
  /// Where in the noise this deck lies, in cells.
  let origin: SIMD2<Float>
  /// The wind's direction, along which streaks run: its cosine and sine.
  let wind: SIMD2<Float>
}

/// What one look at a deck gave.
struct CloudSample {
  /// How much of the sky behind is hidden, 0 to 1.
  var opacity: Float
  /// How much of the sun's light arrives, 0 to 1.
  var light: Float
}

extension CloudDeck {
  /// Looks at the deck in a direction given by its x and y at a distance of one.
  ///
  /// The slab is read in slices from the feet up, each with its own perspective, so that heaped clouds show their
  /// sides. `towardsSun` is the horizontal way to the sun.
  func look(slope: Float, rise: Float, start: Float, towardsSun: SIMD2<Float>, _ materials: Materials) -> CloudSample {
    // Below about a degree the slab is so far that it is one with the haze.
    let far = ramp(0.012, 0.075, rise)
    guard far > 0 else { return CloudSample(opacity: 0, light: 0) }
    let slices = kind == .heaped ? 14 : 3
    var through: Float = 1
    var light: Float = 0
    let threshold = 1.25 - coverage * 2.5
    for slice in 0..<slices {
      // Each look begins a little elsewhere within a slice, so that slices do not show as lines.
      let up = clamped((Float(slice) + start) / Float(slices))
      let distance = (altitude + thickness * up) / rise
      let place = SIMD2(slope * distance, distance)
      let edge = kind == .heaped ? 0.28 + 0.3 * up : 0.95
      let rising = kind == .heaped ? up * up * 1.5 : up * 0.3
      let body = density(place, above: threshold + rising, materials)
      let amount = ramp(0, edge * 2, body - threshold - rising)
      guard amount > 0.004 else { continue }
      let ahead = density(place + towardsSun * (scale * 0.16), above: threshold, materials)
      let shadow = clamped(0.5 - (ahead - body) * 0.42)
      let lit = kind == .heaped ? shadow * 0.55 + up * 0.62 : shadow
      let thin = 1 - amount * 0.55
      let hidden = amount * (kind == .heaped ? 0.5 : 0.75)
      light += through * hidden * clamped(lit * 0.75 + thin * 0.4)
      through *= 1 - hidden
      if through < 0.02 { break }
    }
    let hidden = 1 - through
    return CloudSample(opacity: hidden * far * opacity, light: hidden > 0.001 ? light / hidden : 0)
  }

  /// How dense the deck is over a place, mean 0, deviation about 1.
  private func density(_ place: SIMD2<Float>, above threshold: Float, _ materials: Materials) -> Float {
    let turned = SIMD2(place.x * wind.x - place.y * wind.y, place.x * wind.y + place.y * wind.x)
    // 64 cells of the tile hold one coarse feature.
    let cells = turned * (64 / scale) + origin
    switch kind {
    case .heaped:
      let mass = materials.mist.sample(cells.x * 0.7, cells.y * 0.7)
      // The finer parts add no more than this: where even that is too little, there is no cloud.
      if mass * 0.78 + 1.7 < threshold { return mass * 0.78 }
      let heap = materials.heaps.sample(cells.x * 1.1 + 91, cells.y * 1.1)
      let fray = materials.mist.sample(cells.x * 4.7 + 7, cells.y * 4.7 + 31)
      return mass * 0.78 + heap * 0.42 + fray * 0.16
    case .flaked:
      let mass = materials.mist.sample(cells.x * 0.22, cells.y * 0.22)
      let flakes = materials.heaps.sample(cells.x * 1.3 + 13, cells.y * 0.8 + 57)
      let fray = materials.mist.sample(cells.x * 3.1, cells.y * 2.3)
      return mass * 0.85 + flakes * 0.42 + fray * 0.25
    case .streaked:
      let bend = materials.mist.sample(cells.x * 0.12 + 3, cells.y * 0.12) * 26
      let mass = materials.mist.sample(cells.x * 0.16, cells.y * 0.16 + 77)
      let streak = materials.mist.sample(cells.x * 0.16 + bend * 0.3, cells.y * 1.35 + bend)
      let fray = materials.mist.sample(cells.x * 0.7, cells.y * 4.9 + bend * 2)
      return mass * 0.7 + streak * 0.6 + fray * 0.2
    case .folded:
      let bend = materials.mist.sample(cells.x * 0.25 + 19, cells.y * 0.25) * 20
      let mass = materials.mist.sample(cells.x * 0.35 + bend * 0.4, cells.y * 0.6 + bend)
      let fold = materials.heaps.sample(cells.x * 0.5 + bend, cells.y * 0.9)
      let fray = materials.mist.sample(cells.x * 2.1, cells.y * 3.1)
      return mass * 0.8 + fold * 0.3 + fray * 0.2
    }
  }
}
