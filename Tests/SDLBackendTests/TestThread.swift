import Glibc

/// A thread of the operating system, for tests of what threads do to each other.
nonisolated final class TestThread {
  struct Refused: Error {}

  private let handle: pthread_t

  /// Starts a thread.
  init(_ body: @escaping @Sendable () -> Void) throws {
    let box = Unmanaged.passRetained(Body(run: body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      box.release()
      throw Refused()
    }
    handle = thread
  }

  /// Waits for its end; once.
  func join() { pthread_join(handle, nil) }

  /// Whether the kernel says of a thread that it sleeps, by its file `/proc/self/task/N/stat`.
  static func isSleeping(_ statusPath: String) -> Bool {
    guard let file = fopen(statusPath, "r") else { return false }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 512)
    let count = fread(&line, 1, line.count, file)
    // The state is the letter after the name in parentheses.
    guard let end = line.prefix(count).lastIndex(of: UInt8(ascii: ")")), end + 2 < count else { return false }
    return line[end + 2] == UInt8(ascii: "S")
  }

  private final class Body {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
