public import VitrineFramePacing
public import VitrineRendering
public import VitrineViews

/// An object that measures or controls the run of a host, such as `RunDiagnostics` of the module Diagnostics.
///
/// The host calls the methods in the order in which they are declared here, and none of them during a frame. By default,
/// they change nothing.
@MainActor
public protocol RunObserver: AnyObject {
  /// Replaces the clock or the display of a host, or changes its pacing.
  ///
  /// Called once, before the host uses them.
  func prepareDevices(_ devices: inout RunDevices)

  /// Returns the root view of the window.
  ///
  /// - Parameter content: The view of the program.
  func makeRootView(for content: View) -> HostRootView

  /// Replaces the source of input or the queue of jobs, or changes the limits of a run.
  ///
  /// Called before the loop is created.
  func prepareRun(_ configuration: inout RunConfiguration, of host: Host)

  /// Configures a run before the program does.
  func runWillConfigure(_ run: HostRun)

  /// Configures a run after the program did.
  ///
  /// - Throws: ``HostError``, which ends the run before its first frame.
  func runWillStart(_ run: HostRun) throws(HostError)

  /// Writes the results of a run.
  ///
  /// - Throws: ``HostError`` for the first file that cannot be written.
  func runDidEnd(_ run: HostRun, _ reason: LoopExitReason) throws(HostError)
}

extension RunObserver {
  /// Changes nothing.
  public func prepareDevices(_ devices: inout RunDevices) {}
  /// Returns a view that contains only the content.
  public func makeRootView(for content: View) -> HostRootView { HostRootView(content) }
  /// Changes nothing.
  public func prepareRun(_ configuration: inout RunConfiguration, of host: Host) {}
  /// Does nothing.
  public func runWillConfigure(_ run: HostRun) {}
  /// Does nothing.
  public func runWillStart(_ run: HostRun) throws(HostError) {}
  /// Writes nothing.
  public func runDidEnd(_ run: HostRun, _ reason: LoopExitReason) throws(HostError) {}
}

/// What the frames of a host depend on.
public struct RunDevices {
  /// The only source of time.
  public var clock: any FrameClock
  /// The display that shows the frames.
  public var display: any Display
  /// The initial pacing.
  public var pacing: LoopPacing
}

/// The input, the jobs and the limits of a run.
public struct RunConfiguration {
  /// The source of input.
  public var events: any EventSource
  /// The queue whose jobs the loop runs: the main queue, or nil if another thread or no thread can run its jobs.
  public var jobs: (any JobQueue)?
  /// The limits after which the run ends.
  public var limits: LoopLimits
  /// The number of frames whose records are stored.
  public var historyCapacity = FrameHistory.shortCapacity
}

/// A run of a host.
public struct HostRun {
  /// The host.
  public let host: Host
  /// The window.
  public let window: Window
  /// The loop, which makes the frames.
  public let loop: CommitLoop
  /// The root view of the window.
  public let rootView: HostRootView
  /// The view that scripts scroll.
  public let scrollView: ScrollView?
}
