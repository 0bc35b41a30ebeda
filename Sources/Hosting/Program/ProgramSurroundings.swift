public import FramePacing
public import Rendering

/// What a program knows of its process before there is a window.
public struct ProgramContext {
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

  /// Opens the display that the options ask for.
  ///
  /// - Parameters:
  ///   - options: the settings of the run.
  ///   - title: the window's title.
  /// - Returns: what runs a root view; to be closed by who has opened it.
  /// - Throws: `DisplayError` where there is no display to be had.
  public func openHost(_ options: HostingOptions, title: String) throws(DisplayError) -> Host {
    try Host(options: options, title: title, launch: launch, interrupt: interrupt)
  }
}
