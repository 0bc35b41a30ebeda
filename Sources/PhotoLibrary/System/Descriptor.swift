import Glibc

/// An open file or folder with one owner, closed with it.
///
/// The C function is `close`.
struct FileDescriptor: ~Copyable {
  /// The kernel's number.
  let number: Int32

  /// Takes over a descriptor.
  init(adopting number: Int32) { self.number = number }

  deinit {
    // AT_FDCWD, a negative number, stands for the working folder and is nobody's to close.
    if number >= 0 { close(number) }
  }
}
