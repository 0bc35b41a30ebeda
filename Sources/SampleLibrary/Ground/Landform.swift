/// A shape of land: a height and a cover for every place.
protocol Landform {
  /// Where to look closely.
  var depths: DepthPlan { get }

  /// The height of the ground in metres; below zero lies water, where there is any.
  ///
  /// - Parameter spacing: the metres between samples; what is finer may be left out.
  func height(x: Float, z: Float, spacing: Float) -> Float

  /// What covers a place.
  func cover(_ place: Place) -> Cover
}

/// At which distances the ground is sampled, in metres.
struct DepthPlan {
  /// The nearest sample.
  let near: Float
  /// The farthest sample.
  let far: Float
  /// The part of the distance from one sample to the next.
  let step: Float
  /// Distances that hold steep faces, which want finer steps, and the step there.
  let focus: ClosedRange<Float>
  let focusStep: Float

  /// The distances, ascending.
  ///
  /// - Parameter quality: 1 for a picture of full size; less takes fewer samples.
  func distances(quality: Float) -> [Float] {
    var all: [Float] = []
    var distance = near
    while distance < far, all.count < 1_600 {
      all.append(distance)
      distance *= 1 + (focus.contains(distance) ? focusStep : step) / quality
    }
    all.append(far)
    return all
  }
}
