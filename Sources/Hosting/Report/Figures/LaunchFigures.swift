/// How long a program took to be there, in milliseconds of wall time.
public struct LaunchFigures: Encodable {
  var firstFrameMs: Double?
  var firstFullScreenMs: Double?
}
