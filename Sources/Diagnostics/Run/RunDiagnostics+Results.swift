import VitrineFramePacing
import VitrineGeometry
import VitrineHosting
import VitrineRendering
import VitrineSDLBackend
import VitrineViews

/// Writing the results of a run.
extension RunDiagnostics {
  /// Writes all requested files.
  ///
  /// An error does not prevent the remaining files from being written.
  ///
  /// - Throws: `HostError` for the first file that cannot be written.
  func writeResults(_ run: HostRun) throws(HostError) {
    let loop = run.loop
    var failure: HostError?
    do throws(HostError) {
      try tracer?.waitForWriters()
    } catch {
      failure = error
    }
    if let destination = options.record, let recorder {
      do {
        try RecordingWriter(destination: destination).write(makeRecording(of: run, recorder))
      } catch {
        failure = failure ?? HostError("--record \(destination): \(error)")
      }
    }
    if let destination = options.report {
      do {
        try ReportWriter(destination: destination)
          .write(makeReport(run), loop.history, interval: loop.interval)
      } catch {
        failure = failure ?? HostError("--report \(destination): \(error)")
      }
    }
    if let destination = options.trace, let tracer {
      do throws(OutputError) {
        try TraceWriter(destination: destination).write(tracer.makeFullSnapshot(of: loop))
      } catch {
        failure = failure ?? HostError("--trace \(destination): \(error)")
      }
    }
    if let destination = options.frameLog {
      do throws(OutputError) {
        try FrameLog(destination: destination).write(loop.history)
      } catch {
        failure = failure ?? HostError("--frame-log \(destination): \(error)")
      }
    }
    if let failure { throw failure }
  }

  private func makeReport(_ run: HostRun) -> RunReport {
    let (loop, display) = (run.loop, run.host.display)
    let info = display.info
    let process = ProcessFigures.current()
    let seen = loop.costVisibility
    let text = display.textStatistics
    // FreeType's unpacking of emoji is decoding as well.
    var images = figures.images()
    images?.decodedOnRenderThread += text?.imagesDecodedOnRenderThread ?? 0
    return RunReport(
      version: run.host.version,
      display: DisplayFigures(
        driver: info.driver, renderer: info.renderer, drawnBy: display.rendererName,
        rendererReason: display.rendererReason, device: info.device,
        clock: loop.clock.kind.rawValue, clockReason: loop.pacing.reason,
        refreshHz: loop.observedInterval.map { RunReport.rounded(1 / $0.seconds, 2) }, widthPoints: info.size.width,
        heightPoints: info.size.height, scale: info.scale.pixelsPerPoint),
      library: figures.library(), launch: launchTimer?.figures ?? LaunchFigures(),
      frames: RunReport.frames(of: loop.history, visibility: seen),
      hitches: RunReport.hitches(of: loop.history, visibility: seen), cells: figures.cells(),
      slack: figures.slack()?.mergingOverruns(loop.slackOverruns).masked(by: seen), prefetch: figures.prefetch(),
      operations: figures.operations(),
      images: images,
      text: text.map {
        TextFigures(
          emojiUnpacked: $0.decodedImages, emojiUnpackedOnRenderThread: $0.imagesDecodedOnRenderThread,
          emojiBytes: $0.cachedImageBytes)
      },
      memory: MemoryFigures(
        residentPeakBytes: process.residentPeakBytes, bitmapBytes: figures.bitmapBytes(),
        textureBytes: display.textureBytes, catalogueBytesPerItem: figures.catalogueBytesPerItem()),
      process: ProcessReport(
        cpuSeconds: RunReport.rounded(process.cpuSeconds, 3), voluntarySwitches: process.voluntarySwitches,
        frameThread: run.host.currentFrameThreadDescription),
      replay: options.loadedReplay.map {
        ReplayFigures(
          $0, files: figures.replayedFiles(), jobFramesMissing: jobReplay?.missedFrames ?? 0,
          digest: wasInterrupted ? nil : digest(of: loop))
      },
      frameDigest: digest(of: loop))
  }
}
