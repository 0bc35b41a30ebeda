import DecodingProtocol
import Glibc

/// The memory in which pixels come and go, shared with the program that asks.
struct SharedSlots {
  private let memory: UnsafeMutableRawPointer
  private let launch: DecodingLaunch

  /// Maps the slots and closes their descriptor; nothing when they are not there or too small.
  ///
  /// The C functions are `fstat`, `mmap` and `close`.
  init?(_ launch: DecodingLaunch) {
    var status = stat()
    guard fstat(WireFormat.slotsDescriptor, &status) == 0, status.st_size >= launch.sharedBytes else { return nil }
    let mapped = mmap(nil, launch.sharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, WireFormat.slotsDescriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { return nil }
    close(WireFormat.slotsDescriptor)
    memory = mapped
    self.launch = launch
  }

  /// The word by which the program interrupts a request.
  var interruption: InterruptionFlag {
    InterruptionFlag((memory + launch.interruptionOffset).assumingMemoryBound(to: UInt32.self))
  }

  /// A slot's bytes; nothing when there is no such slot.
  subscript(_ index: UInt32) -> UnsafeMutableRawBufferPointer? {
    guard index < UInt32(launch.slotCount) else { return nil }
    return UnsafeMutableRawBufferPointer(start: memory + Int(index) * launch.slotBytes, count: launch.slotBytes)
  }
}
