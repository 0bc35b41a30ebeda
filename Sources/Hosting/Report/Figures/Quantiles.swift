/// Percentiles in microseconds.
public struct Quantiles: Encodable {
  var p50: Double
  var p95: Double
  var p99: Double
  var max: Double
}
