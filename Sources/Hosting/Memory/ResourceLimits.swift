import Glibc
public import ImagePipeline

/// The limits that the system sets to this process (`ulimit`), and what of pictures fits into them.
///
/// An allocation that fails ends a Swift program, and a descriptor that is missing fails a picture: both are kept from
/// happening by asking for less.
public nonisolated struct ResourceLimits: Hashable, Sendable {
  /// The bytes of address space; nil where they are not limited.
  public var addressSpace: Int?
  /// The file descriptors; nil where they are not limited.
  public var descriptors: Int?

  /// The address space that the program itself takes with the least of pictures: measured at 540 MB in a window.
  static let minimumAddressSpace = 640 << 20
  /// The descriptors that it takes with a single worker of each priority: measured at 24, and some for what is read meanwhile.
  static let minimumDescriptors = 40
  /// The address space that code, stacks and heaps take, without slots and pictures.
  private static let baseAddressSpace = 512 << 20
  /// The descriptors of everything but the workers.
  private static let baseDescriptors = 28
  /// The descriptors of a worker for the screen and one for what comes ahead, each with a process, a socket, a slot and a
  /// picture's file.
  private static let descriptorsPerWorker = 12
  /// The bytes of a slot and of pictures in memory where address space is short.
  private static let (minimumSlotBytes, minimumCacheBytes) = (16 << 20, 16 << 20)

  /// Makes limits.
  public init(addressSpace: Int? = nil, descriptors: Int? = nil) {
    self.addressSpace = addressSpace
    self.descriptors = descriptors
  }

  /// The limits of this process.
  ///
  /// The C function is `getrlimit`, with `RLIMIT_AS` and `RLIMIT_NOFILE`.
  public static func current() -> ResourceLimits {
    ResourceLimits(addressSpace: limit(RLIMIT_AS), descriptors: limit(RLIMIT_NOFILE))
  }

  private static func limit(_ resource: __rlimit_resource) -> Int? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? Int(exactly: limit.rlim_cur) : nil
  }

  /// Refuses limits within which the program cannot run at all.
  ///
  /// - Throws: ``HostError`` naming the limit, what is needed, and the command that raises it.
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

  /// Brings a pipeline's configuration within the limits: fewer workers, smaller slots, less memory for pictures.
  ///
  /// - Parameter configuration: what is asked for; left as it is where it fits.
  /// - Returns: what was made smaller and why, in one line to print; nil when the configuration fits.
  public func reduceToFit(_ configuration: inout ImagePipelineConfiguration) -> String? {
    let wanted = configuration
    var reasons: [String] = []
    if let descriptors {
      let most = max(1, (descriptors - ResourceLimits.baseDescriptors) / ResourceLimits.descriptorsPerWorker)
      if configuration.workers > most {
        configuration.workers = most
        reasons.append("open files are limited to \(descriptors) (ulimit -n)")
      }
    }
    if let addressSpace {
      let spare = max(0, addressSpace - ResourceLimits.baseAddressSpace)
      // A third for slots, two of each worker; a third for pictures, whose textures take as much again.
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
    if configuration.cacheBytes != wanted.cacheBytes {
      parts.append("\(configuration.cacheBytes >> 20) MB for pictures in place of \(wanted.cacheBytes >> 20)")
    }
    if configuration.slotBytes != wanted.slotBytes {
      parts.append("pictures of at most \(configuration.slotBytes >> 22) megapixels")
    }
    return reasons.joined(separator: " and ") + ": " + parts.joined(separator: ", ")
  }
}
