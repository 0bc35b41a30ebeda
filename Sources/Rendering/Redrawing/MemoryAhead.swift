import CPlatform

/// Memory that is asked for before it is needed.
///
/// After the pause between two frames a window's rows and the pictures are far from the processor, and each row lies on pages
/// of its own, which is where the processor's guessing ends. Rows that are asked for while others are copied take half the
/// time.
package enum MemoryPrefetch {
  /// Asks for bytes that will be read or written soon; the C function is `platform_expect_memory`.
  /// - Complexity: O(bytes / 64).
  @inline(__always)
  package static func prefetch(_ start: UnsafeRawPointer, byteCount: Int) { platform_expect_memory(start, byteCount) }
}
