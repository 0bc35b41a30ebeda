import Glibc

/// What becomes of errors that an X server reports.
///
/// Xlib ends the program on the first one. SDL sends itself wake-ups over a second connection, and a server that serves
/// the first one sooner finds the window gone: a user who closed the window would have an error, and the program would
/// end as if it had failed. No request of a gallery is worth its life, so such errors pass, as in other toolkits.
nonisolated enum XErrorHandler {
  private typealias Handler = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32
  private typealias SetHandler = @convention(c) (Handler?) -> Handler?

  /// Lets errors of single requests pass from now on; does nothing where SDL has not loaded Xlib.
  ///
  /// The C functions are `dlopen`, `dlsym` and `XSetErrorHandler`. SDL sets handlers of its own around requests that it
  /// expects to fail, and puts this one back. The loss of the connection still ends the program.
  static func ignoreErrors() {
    guard let library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD) else { return }
    defer { dlclose(library) }
    guard let symbol = dlsym(library, "XSetErrorHandler") else { return }
    _ = unsafeBitCast(symbol, to: SetHandler.self)({ _, _ in 0 })
  }
}
