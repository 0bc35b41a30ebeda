import Glibc

/// The command line as bytes: a path need not be UTF-8, and `CommandLine.arguments` repairs what is none.
public enum CommandLineArguments {
  /// This process's arguments without the program's name.
  public static var current: [[UInt8]] {
    let pointers = CommandLine.unsafeArgv
    return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      pointers[index].map { pointer in
        Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
      }
    }
  }
}
