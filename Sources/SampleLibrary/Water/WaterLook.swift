/// How a water looks.
struct WaterLook {
  /// The colour that comes up from within.
  let body: Tint
  /// How far waves tilt the surface, in radians: a still lake 0.003, a sea 0.1.
  let tilt: Float
  /// The length of the longest waves, in metres.
  let waveLength: Float
  /// How much longer the waves are across the view than along it.
  let stretch: Float
  /// How much still and ruffled patches differ, 0 to 1.
  let patches: Float
  /// Where in the noise this water lies, in cells.
  let origin: SIMD2<Float>
}
