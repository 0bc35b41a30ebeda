/// What grows or lies on a piece of ground.
struct Cover {
  /// The part of the light that it returns.
  var albedo: Tint
  /// How strongly it is textured, 0 to 1.
  var texture: Float
  /// The height of the trees on it, in metres.
  var canopy: Float = 0
  /// Whether those trees have round crowns, and not spires.
  var isRound = false
}

/// A piece of ground, as a landform sees it when it says what covers it.
struct Place {
  let x: Float
  let z: Float
  let height: Float
  /// The upward part of the surface's normal: 1 is level, 0 is a wall.
  let upright: Float
  /// The metres between one sample of the ground and the next.
  let spacing: Float
}
