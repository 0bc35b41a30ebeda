import Glibc
public import VitrineImagePipeline

/// The resource limits of this process (`ulimit`).
///
/// A failed allocation ends a Swift program, and a missing descriptor fails an image. The configuration of the image
/// pipeline is therefore reduced to fit the limits.
public nonisolated struct ResourceLimits: Hashable, Sendable {
  /// The maximum address space in bytes, or nil if it is not limited.
  public var addressSpace: Int?
  /// The maximum number of file descriptors, or nil if it is not limited.
  public var descriptors: Int?

  /// The address space that a program with a minimal image pipeline needs.
  ///
  /// Measured: 540 MB in a window.
  static let minimumAddressSpace = 640 << 20
  /// The descriptors that a program with one worker of each priority needs.
  ///
  /// Measured: 24, plus some for files being read.
  static let minimumDescriptors = 40
  /// The address space of code, stacks and heaps, without slots and images.
  private static let baseAddressSpace = 512 << 20
  /// The descriptors of everything except the workers.
  private static let baseDescriptors = 28
  /// The descriptors of one worker for visible images and one for prefetching, each with two decoding programs: a process,
  /// a socket and a slot, a process and a socket of a picture, and the socket of the next one; and an image file.
  private static let descriptorsPerWorker = 26
  /// The minimum sizes of a slot and of the image cache in bytes, for a limited address space.
  private static let (minimumSlotBytes, minimumCacheBytes) = (16 << 20, 16 << 20)

  /// Creates limits.
  public init(addressSpace: Int? = nil, descriptors: Int? = nil) {
    self.addressSpace = addressSpace
    self.descriptors = descriptors
  }

  /// Returns the limits of this process.
  ///
  /// The C function is `getrlimit`, with `RLIMIT_AS` and `RLIMIT_NOFILE`.
  public static func current() -> ResourceLimits {
    ResourceLimits(addressSpace: limit(RLIMIT_AS), descriptors: limit(RLIMIT_NOFILE))
  }

  private static func limit(_ resource: __rlimit_resource) -> Int? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? Int(exactly: limit.rlim_cur) : nil
  }

  /// Whether the limits leave room for what a run can do without, such as databases, watchers and their threads.
  public var allowOptionalServices: Bool { (descriptors ?? .max) >= 128 && (addressSpace ?? .max) >= 4 << 30 }

  /// Checks that the limits allow the program to run at all.
  ///
  /// - Throws: ``HostError`` that names the limit, the required value and the command that raises it.
  public func validate() throws(HostError) {
    if let addressSpace, addressSpace < ResourceLimits.minimumAddressSpace {
      throw HostError(
        "the address space is limited to \(addressSpace >> 20) MB, and at least \(ResourceLimits.minimumAddressSpace >> 20) "
          + "are needed; raise the limit (ulimit -v)")
    }
    if let descriptors, descriptors < ResourceLimits.minimumDescriptors {
      throw HostError(
        "open files are limited to \(descriptors), and at least \(ResourceLimits.minimumDescriptors) are needed; raise the "
          + "limit (ulimit -n)")
    }
  }

  /// Reduces an image pipeline's configuration to fit the limits: fewer workers, smaller slots, a smaller image cache, no
  /// stored thumbnails.
  ///
  /// - Parameter configuration: The requested configuration. It remains unchanged if it fits.
  /// - Returns: One line for the user that describes what was reduced and why, or nil if the configuration fits.
  public func reduceToFit(_ configuration: inout ImagePipelineConfiguration) -> String? {
    let wanted = configuration
    var reasons: [String] = []
    if let descriptors {
      let most = max(1, (descriptors - ResourceLimits.baseDescriptors) / ResourceLimits.descriptorsPerWorker)
      configuration.workers = min(configuration.workers, most)
      // Its databases need as many descriptors as the second worker.
      if most < 2 { configuration.storage = nil }
      if configuration.workers != wanted.workers || (configuration.storage == nil) != (wanted.storage == nil) {
        reasons.append("open files are limited to \(descriptors) (ulimit -n)")
      }
    }
    if let addressSpace {
      let spare = max(0, addressSpace - ResourceLimits.baseAddressSpace)
      // One third for slots, two per worker, and one third for images, whose textures need the same again.
      if 2 * configuration.workers * configuration.slotBytes > spare / 3 {
        configuration.slotBytes = max(
          ResourceLimits.minimumSlotBytes, min(configuration.slotBytes, spare / 3 / (2 * configuration.workers)))
        configuration.workers = max(1, min(configuration.workers, spare / 3 / (2 * configuration.slotBytes)))
      }
      configuration.cacheBytes = min(configuration.cacheBytes, max(ResourceLimits.minimumCacheBytes, spare / 6))
      if (configuration.slotBytes, configuration.workers, configuration.cacheBytes)
        != (wanted.slotBytes, reasons.isEmpty ? wanted.workers : configuration.workers, wanted.cacheBytes)
      {
        reasons.append("the address space is limited to \(addressSpace >> 20) MB (ulimit -v)")
      }
    }
    guard !reasons.isEmpty else { return nil }
    var parts: [String] = []
    if configuration.workers != wanted.workers {
      parts.append("\(configuration.workers) decoding at a time in place of \(wanted.workers)")
    }
    if configuration.storage == nil, wanted.storage != nil { parts.append("thumbnails are not stored") }
    if configuration.cacheBytes != wanted.cacheBytes {
      parts.append("\(configuration.cacheBytes >> 20) MB for pictures in place of \(wanted.cacheBytes >> 20)")
    }
    if configuration.slotBytes != wanted.slotBytes {
      parts.append("pictures of at most \(configuration.slotBytes >> 22) megapixels")
    }
    return reasons.joined(separator: " and ") + ": " + parts.joined(separator: ", ")
  }
}
