import CPlatform
import Synchronization

/// Counts decodes that run on the thread that draws, of which there are to be none.
///
/// Made on that thread. Whatever calls a decoder, of pictures or of emoji in colour, notes it here at the call.
///
/// - Complexity: a system call for each question.
package final class RenderThreadDecodeCounter: Sendable {
  /// The thread that draws, by the kernel's number.
  package let renderThread: Int32
  private let count = Atomic(0)

  /// Remembers the calling thread as the one that draws.
  package init() { renderThread = platform_thread_id() }

  /// Whether the calling thread is the one that draws.
  package var isOnRenderThread: Bool { platform_thread_id() == renderThread }

  /// Counts a decode if the calling thread is the one that draws.
  package func recordDecode() {
    if isOnRenderThread { count.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Decodes seen on the thread that draws.
  package var decodeCount: Int { count.load(ordering: .relaxed) }
}
