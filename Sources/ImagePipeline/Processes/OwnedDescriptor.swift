import Glibc

/// A file descriptor that has one owner and is closed with it.
///
/// The C function is `close`.
struct OwnedDescriptor: ~Copyable {
  /// The kernel's number.
  let number: Int32

  /// Takes a descriptor over.
  init(adopting number: Int32) { self.number = number }

  deinit { close(number) }
}
