import CPlatform
import FramePacing
import Glibc

/// Programs that are run to their end, without a shell between, whose start would count.
enum LaunchedProgram {
  /// Nanoseconds on the monotonic clock, which every process on the machine shares.
  static var now: Int64 { MonotonicClock.now().nanoseconds }

  /// Runs a program, by its path or a name on the path, with this one's environment.
  ///
  /// The C functions are `posix_spawnp` and `waitpid`.
  ///
  /// - Parameters:
  ///   - words: its name and its arguments.
  ///   - output: the file that its standard output and error go to, anew.
  /// - Returns: the exit status; nothing where it could not be started or ended by a signal.
  static func run(_ words: [String], output: String) -> Int32? {
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
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return nil } }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
  }
}
