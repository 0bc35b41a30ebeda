import FoundationEssentials
import VitrineFramePacing
import VitrineGeometry
public import VitrineImagePipeline
import VitrineRendering
import VitrineSDLBackend
import VitrineViews

extension Host {
  /// Starts a pipeline whose images arrive in the frames of this host's run.
  ///
  ///     let pipeline = try host.makeImagePipeline()
  ///     image.prepareThumbnail(of: size, in: pipeline) { outcome in … }
  ///
  /// Call it before ``run(root:scrollView:configure:)``. The host sets the parts of the configuration that depend on the
  /// window: the channel order, and the timeline if the clock is simulated. It collects images in each frame, and limits
  /// the cache to a few windows of pixels. ``close()`` shuts the pipeline down.
  ///
  /// The pipeline decodes in other processes: the program needs the executable `vitrine-decode` next to its own, or its
  /// path in the configuration. Without it the host prints a warning, and images fail.
  ///
  /// - Parameter configuration: The configuration. Default: two decoding processes.
  /// - Returns: The pipeline.
  /// - Throws: `ThreadError` or `DecodingProcessError` if the system has no thread or no descriptor available.
  public func makeImagePipeline(
    _ configuration: ImagePipelineConfiguration = ImagePipelineConfiguration()
  ) throws -> ImagePipeline {
    var configuration = configuration
    configuration.pixels.order = preferredChannelOrder
    if clock.kind.isSimulated { configuration.mode = .modelled }
    if let notice = ResourceLimits.current().reduceToFit(&configuration) {
      Console(program: ProcessInfo.processInfo.processName).printError(notice)
    }
    if !configuration.isHelperAvailable {
      Console(program: ProcessInfo.processInfo.processName).printError(
        "warning: no picture can be decoded, because vitrine-decode is not next to the program; "
          + "build it: swift build --product vitrine-decode")
    }
    let pipeline = try ImagePipeline(configuration, waker: waker)
    addInterruptHandler { pipeline.stopWaiting() }
    imageDeliveries.append(ImageDelivery(pipeline) { [display] in display.info.pixelSize })
    return pipeline
  }

  /// Shuts down the pipelines that the host made.
  func shutDownImagePipelines() {
    for delivery in imageDeliveries { delivery.pipeline.shutdown() }
    imageDeliveries = []
  }
}

/// The participant that brings the images of a pipeline into the frames of a window.
final class ImageDelivery: FrameParticipant {
  /// The maximum number of bytes of pixels that one frame collects.
  private static let maximumBytes = 16 << 20
  let pipeline: ImagePipeline
  private let windowPixels: () -> PixelRect

  init(_ pipeline: ImagePipeline, windowPixels: @escaping () -> PixelRect) {
    self.pipeline = pipeline
    self.windowPixels = windowPixels
  }

  var needsFrames: Bool { pipeline.hasPendingArrivals }
  var nextArrival: FrameInstant? { pipeline.nextArrival }

  func collect(_ budget: FrameBudget) {
    let size = windowPixels()
    let screen = PixelSize(width: Int(size.width), height: Int(size.height))
    if pipeline.screen != screen { pipeline.screen = screen }
    // Waiting for decodes on a simulated clock is not a cost of the frame.
    budget.clock.performUncounted {
      _ = pipeline.collect(at: budget.clock.now(), atMost: ImageDelivery.maximumBytes)
    }
  }

  func handleMemoryPressure() { pipeline.handleMemoryPressure() }
  func releaseIdleResources() { pipeline.releaseIdleResources() }
}
