/// What the kernel counted for the drawing process.
public struct ProcessReport: Encodable {
  var cpuSeconds: Double
  var voluntarySwitches: Int
}
