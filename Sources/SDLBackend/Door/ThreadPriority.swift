import CSDL2

/// A thread's share of a processor, as far as the system lets a program raise it.
public enum ThreadPriority {
  /// Asks for a higher priority for a thread of this process: from the kernel where the process may raise it itself, else
  /// from RealtimeKit over D-Bus, where the desktop has it.
  ///
  /// Waits for the answer of another process: not to be called on the thread that draws. The C function is
  /// `SDL_LinuxSetThreadPriority`.
  ///
  /// - Parameters:
  ///   - niceness: below 0 for more than other threads get; RealtimeKit grants -15 at most.
  ///   - thread: the kernel's number of the thread.
  /// - Returns: whether it was granted.
  public nonisolated static func raisePriority(to niceness: Int32, thread: Int32) -> Bool {
    SDL_LinuxSetThreadPriority(Int64(thread), niceness) == 0
  }
}
