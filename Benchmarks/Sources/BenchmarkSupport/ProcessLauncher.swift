import CVitrinePlatform
import Glibc
import VitrineFramePacing

/// Runs programs to their end, without a shell, whose start would be measured too.
public enum ProcessLauncher {
  /// The time in nanoseconds on the monotonic clock, which all processes on the machine share.
  public static var now: Int64 { MonotonicClock.now().nanoseconds }

  /// Runs a program, given by its path or by a name in the search path, with this program's environment.
  ///
  /// Uses `posix_spawnp` and `waitpid`.
  ///
  /// - Parameters:
  ///   - words: The program's name and its arguments.
  ///   - output: The file for its standard output and standard error, which is overwritten.
  /// - Returns: The exit status, or nil if the program could not be started or was terminated by a signal.
  public static func run(_ words: [String], output: String) -> Int32? { run(words, output: output) {} }

  /// Runs a program as ``run(_:output:)``, and calls a closure while it runs.
  public static func run(_ words: [String], output: String, meanwhile body: () -> Void) -> Int32? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    guard let name = words.first, posix_spawnp(&child, name, &actions, nil, &arguments, platform_environment()) == 0
    else { return nil }
    body()
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return nil } }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
  }
}
