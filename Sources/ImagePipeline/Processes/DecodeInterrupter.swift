import CPlatform
import Threads

/// Stops what a worker's decoding process works on, from any thread.
final class DecodeInterrupter: Sendable {
  /// A request under way, and the word that its process looks at; the memory is there until ``end()``.
  private struct Running {
    let key: ImageKey
    let id: UInt32
    let word: UnsafeMutablePointer<UInt32>
  }

  private let running = Lock<Running?>(nil)

  /// A request is about to be sent.
  ///
  /// - Parameter word: in memory that stays mapped until ``end()`` has returned.
  func begin(_ key: ImageKey, id: UInt32, word: UnsafeMutablePointer<UInt32>) {
    running.withLock { $0 = Running(key: key, id: id, word: word) }
  }

  /// The request is over.
  func end() { running.withLock { $0 = nil } }

  /// Has the process stop at its next row, where it works on this key.
  func interrupt(_ key: ImageKey) {
    running.withLock { running in
      guard let running, running.key == key else { return }
      platform_write_shared_word(running.word, running.id)
    }
  }
}
