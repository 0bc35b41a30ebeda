/// How long a program took to be there, in milliseconds of wall time.
public struct LaunchFigures: Encodable {
  @Measured var firstFrameMs: Double? = nil
  /// Nil where the screen was never full.
  @Measured var firstFullScreenMs: Double? = nil
  /// When that was, in nanoseconds on the monotonic clock: for who started the program and noted the time, as the kernel
  /// tells the start in steps of 10 ms.
  var firstFrameInstantNs: Int64?
  var firstFullScreenInstantNs: Int64?
}
