import CPlatform
public import FramePacing
public import Rendering
import Threads

extension ImagePipeline {
  /// Whether the caller is on the thread that made the pipeline, which is the one that draws.
  nonisolated var isOnDrawingThread: Bool { renderThreadCheck.isOnRenderThread }

  /// Counts a decode that the calling thread makes by itself, past the pipeline.
  ///
  /// Where that thread is the one that draws it counts in ``ImageStatistics/decodedOnRenderThread``, which stays 0 in a
  /// program that leaves decoding to its pipeline; elsewhere it changes nothing. Callable from any thread.
  public nonisolated func recordDecode() { renderThreadCheck.recordDecode() }

  /// Counts a decode that the calling thread has made by itself, past the pipeline, as ``noteDecode()`` does, and notes it
  /// for a trace where one is wanted.
  ///
  /// Callable from any thread.
  ///
  /// - Parameters:
  ///   - key: what was made.
  ///   - began: when the thread began, on the run's clock.
  ///   - ended: when it had done.
  ///   - result: the pixels, or why there are none.
  public nonisolated func recordDecode(
    of key: ImageKey, from began: FrameInstant, to ended: FrameInstant, _ result: Result<Bitmap, ImageFailure>
  ) {
    renderThreadCheck.recordDecode()
    guard let journal else { return }
    var span = DecodeSpan(
      place: renderThreadCheck.executionContext(of: 0, process: nil), key: key, source: nil, rung: .full, began: began,
      ended: ended)
    switch result {
    case .success(let bitmap): journal.record(span, of: bitmap)
    case .failure(let failure):
      span.failure = failure
      journal.record(span)
    }
  }
}

extension RenderThreadDecodeCounter {
  /// The calling thread as the place of a decode.
  func executionContext(of worker: Int, process: Int32?) -> DecodeSpan.ExecutionContext {
    let thread = platform_thread_id()
    return DecodeSpan.ExecutionContext(
      worker: worker, thread: thread, process: process, isDrawingThread: thread == renderThread)
  }
}
