/// One of the latest frames.
public struct WorstHitch: Encodable {
  var frame: Int
  var ms: Double
  var `class`: String
  var phase: String
  var registration: String?
  var cause: String?
}
