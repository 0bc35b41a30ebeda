import CPlatform

/// The word in shared memory by which the program says that nobody waits for a request any more.
///
/// `@unchecked Sendable`: the memory is mapped as long as the process lives, and is only read here, a whole word at a time.
struct InterruptionFlag: @unchecked Sendable {
  private let word: UnsafePointer<UInt32>

  /// Names the word.
  ///
  /// - Parameter word: in memory that stays mapped as long as the process lives.
  init(_ word: UnsafePointer<UInt32>) { self.word = word }

  /// Whether this request is the one that is to stop.
  func isInterrupted(_ id: UInt32) -> Bool { platform_read_shared_word(word) == id }
}
