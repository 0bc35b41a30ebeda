import CPlatform
import Synchronization

/// Counts decodes that run on the thread that draws; the pipeline is built so that there are none, and this looks.
final class RenderThreadWitness: Sendable {
  private let renderThread: Int32
  private let count = Atomic(0)

  /// Remembers the calling thread as the one that draws.
  init() { renderThread = platform_thread_id() }

  /// Whether the calling thread is the one that draws.
  var isHere: Bool { platform_thread_id() == renderThread }

  /// The calling thread as the place of a decode.
  func place(of worker: Int, process: Int32?) -> DecodeSpan.Place {
    let thread = platform_thread_id()
    return DecodeSpan.Place(
      worker: worker, thread: thread, process: process, isDrawingThread: thread == renderThread)
  }

  /// A decode begins on the calling thread.
  func noteDecode() {
    if isHere { count.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Decodes seen on the thread that draws.
  var decodesSeen: Int { count.load(ordering: .relaxed) }
}
