import Glibc

/// What the system says of the machine's memory.
enum PhysicalMemory {
  /// All of it, in bytes; nothing where the system does not say.
  ///
  /// The C function is `sysconf`.
  static var byteCount: Int? {
    let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
    guard pages > 0, size > 0 else { return nil }
    let (bytes, overflow) = pages.multipliedReportingOverflow(by: size)
    return overflow ? nil : bytes
  }
}
