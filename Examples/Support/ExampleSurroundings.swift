public import FramePacing
public import Hosting

/// What a program knows of its process before there is a window.
public struct ExampleSurroundings {
  /// When the process was started, on the monotonic clock.
  public let launch: FrameInstant
  /// Tells when it is asked from outside to end.
  public let interrupt: Interrupt
  /// Its standard output and error.
  public let console: Console

  /// Takes what is known.
  public init(launch: FrameInstant, interrupt: Interrupt, console: Console) {
    self.launch = launch
    self.interrupt = interrupt
    self.console = console
  }
}
