/// Percentiles of one phase in microseconds.
public struct PhaseQuantiles: Encodable {
  var p50: Double
  var p99: Double
}
