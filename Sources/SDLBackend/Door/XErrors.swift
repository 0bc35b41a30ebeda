import Glibc

/// What becomes of errors that an X server reports.
///
/// Xlib ends the program on the first one. SDL sends itself wake-ups over a second connection, and a server that serves
/// the first one sooner finds the window gone: on a busy machine a user who closed the window would have an error, and
/// the program would end as if it had failed.
nonisolated enum XErrors {
  private typealias Handler = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32
  private typealias SetHandler = @convention(c) (Handler?) -> Handler?

  /// Lets errors pass while a body ends windows and connections.
  ///
  /// The C functions are `dlopen`, `dlsym` and `XSetErrorHandler`; does nothing more than the body where SDL has not
  /// loaded Xlib. What ends a connection as a whole still ends the program.
  static func ignored(during body: () -> Void) {
    guard let library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD) else { return body() }
    defer { dlclose(library) }
    guard let symbol = dlsym(library, "XSetErrorHandler") else { return body() }
    let setHandler = unsafeBitCast(symbol, to: SetHandler.self)
    let previous = setHandler { _, _ in 0 }
    body()
    _ = setHandler(previous)
  }
}
