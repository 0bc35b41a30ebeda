import Geometry

/// What a motif is built from: a scene at a size, and the parts that all motifs share.
struct StageSet {
  let scene: LandscapeScene
  let size: PixelSize
  let materials: Materials
  var atmosphere: Atmosphere
  let flora: Flora
  var random: PaintRandom

  init(scene: LandscapeScene, size: PixelSize, materials: Materials) {
    self.scene = scene
    self.size = size
    self.materials = materials
    random = PaintRandom(seed: scene.identity, 2)
    var colors = scene.mood.atmosphere
    colors.vary(random: &random)
    atmosphere = colors
    flora = Flora(season: scene.season, random: &random)
  }

  /// Pixels across.
  var width: Int { size.width }

  /// The width over the height.
  var proportion: Float { Float(size.width) / Float(size.height) }

  /// A level camera.
  ///
  /// - Parameters:
  ///   - horizon: how far down the horizon lies, as a part of the height.
  ///   - lens: the focal length as a part of the picture's span: 0.8 is wide, 3 is long.
  ///   - eye: the eye's height in metres.
  func camera(horizon: Float, lens: Float, eye: Float) -> Camera {
    let span = Float(size.area).squareRoot()
    return Camera(size: size, horizon: Float(size.height) * horizon, focal: lens * span, eye: eye)
  }

  /// The sun: in the picture, or off to a side so that it models the land.
  ///
  /// - Parameter aside: how likely it stands off to a side even where the mood would show it.
  mutating func sun(camera: Camera, across: ClosedRange<Float> = 0.18...0.82, aside: Float = 0) -> Sun {
    let degree: Float = 0.017_453_3
    let elevation = random.within(scene.mood.sunElevation) * degree
    if scene.mood.showsSun, !random.chance(aside) {
      let column = random.within(across) * Float(size.width)
      let azimuth = (column - camera.middle) / camera.focal
      // No higher than the picture reaches.
      let highest = camera.horizon / camera.focal * 0.72
      return Sun(azimuth: azimuth * (1 - azimuth * azimuth / 3), elevation: min(elevation, highest))
    }
    // A sun aside stands high enough to light level ground.
    let least: Float = scene.mood.showsSun ? 11 : 0
    return Sun(azimuth: random.side() * random.within(58...112) * degree, elevation: max(elevation, least * degree))
  }

  /// The scene's clouds.
  mutating func decks() -> [CloudDeck] { scene.weather.decks(random: &random) }

  /// The sky, with its clouds.
  func sky(camera: Camera, sun: Sun, clouds: [CloudDeck], veils: [any SkyVeil] = []) -> SkyDome {
    SkyDome(
      camera: camera, atmosphere: atmosphere, sun: sun, clouds: clouds, veils: veils, materials: materials)
  }

  /// The sun's or moon's disc and the stars, where the mood has them.
  mutating func lights(camera: Camera, sun: Sun) -> [any SkyLight] {
    var lights: [any SkyLight] = []
    if atmosphere.darkness > 0.25 {
      lights.append(StarField(camera: camera, darkness: atmosphere.darkness, random: &random))
    }
    if scene.mood.showsSun, let place = sun.place(in: camera) {
      if scene.mood.isNight {
        lights.append(
          MoonDisc(
            center: place, radius: camera.span * 0.021, color: atmosphere.disc, materials: materials,
            origin: SIMD2(random.unit(), random.unit()) * 512))
      } else {
        lights.append(SunDisc(center: place, radius: camera.span * 0.011, color: atmosphere.disc))
      }
    }
    return lights
  }

  /// The light's path on water, where the light stands before the camera and no land hides it.
  func glint(camera: Camera, sun: Sun, land: TerrainView? = nil) -> Glint? {
    guard scene.mood.showsSun, let place = sun.place(in: camera) else { return nil }
    if let land {
      let column = max(0, min(camera.width - 1, Int(max(0, place.x))))
      // Behind a mountain it lights no water.
      guard Float(land.skyline[column]) > place.y else { return nil }
    }
    let strength: Float = scene.mood.isNight ? 0.32 : 0.16
    return Glint(
      column: place.x, rise: camera.rise(row: place.y), color: atmosphere.disc * strength, focal: camera.focal)
  }

  /// The light on the land.
  func light(_ sun: Sun, mist: Float = 0, depth: Float = 50) -> Illumination {
    var light = Illumination(atmosphere: atmosphere, sun: sun, mistDensity: mist, mistDepth: depth)
    light.cloudShadow =
      switch scene.weather {
      case .fair: 0.34
      case .heaped: 0.46
      case .clear, .wisps, .flakes, .ceiling: 0
      }
    return light
  }

  /// How the picture is developed.
  mutating func development() -> Development {
    Development(
      curve: ToneCurve(
        exposure: random.within(0.97...1.10) * (scene.mood == .starlit ? 1.45 : 1), contrast: random.within(0.6...0.95),
        grain: random.within(5.0...6.3)),
      vignette: random.within(0.12...0.34),
      origin: (random.below(512), random.below(512)))
  }

  /// A place in the noises.
  mutating func origin() -> SIMD2<Float> { SIMD2(random.unit(), random.unit()) * 60_000 }

  /// The colour within a water: green or blue, as bright as the sky makes it.
  mutating func waterBody(_ tint: Tint) -> Tint {
    tint * (atmosphere.skylight.luminance * 2.2 + atmosphere.sunlight.luminance * 0.35) * random.within(0.8...1.2)
  }
}
