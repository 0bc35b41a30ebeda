/// Frames that were shown late.
public struct HitchFigures: Encodable {
  var count: Int
  var totalMs: Double
  var ratioMsPerS: Double
  var longestMs: Double
  var byClass: [String: Int]
  var worst: [WorstHitch]
}
