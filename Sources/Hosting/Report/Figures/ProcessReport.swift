/// What the kernel counted for the drawing process.
public struct ProcessReport: Encodable {
  var cpuSeconds: Double
  var voluntarySwitches: Int
  /// What the kernel grants the thread that draws, in words; nil on simulated clocks, which ask for nothing.
  var frameThread: String?
}
