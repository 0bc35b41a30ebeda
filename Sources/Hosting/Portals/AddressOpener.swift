import FoundationEssentials
import VitrineThreads

/// An opener of addresses such as those of maps, in the program that the desktop's settings choose for them, by the portal
/// for addresses.
///
/// Each address uses a thread, which waits for the session's message bus.
public nonisolated final class AddressOpener: Sendable {
  /// The time for which ``stop()`` waits for the thread.
  private static let stopLimit = Duration.milliseconds(200)
  private static let interface = "org.freedesktop.portal.OpenURI"

  private struct Call: Sendable {
    let interrupter: PortalInterrupter
    let thread: WorkerThread
    var isRunning = true
  }

  private let busAddress: String
  private let onFailure: @Sendable (_ address: String) -> Void
  /// The last call, whose thread was not joined, or nil.
  private let call = Lock<Call?>(nil)

  /// Creates an opener, or returns nil if there is no message bus.
  ///
  /// - Parameters:
  ///   - environment: The environment that contains the address of the session's message bus, or nil for the
  ///     process's. Default: nil.
  ///   - onFailure: A closure that is called on another thread with an address that the desktop cannot open.
  public init?(environment: [String: String]? = nil, onFailure: @escaping @Sendable (_ address: String) -> Void) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    guard let busAddress = DesktopAppearanceMonitor.busAddress(environment) else { return nil }
    self.busAddress = busAddress
    self.onFailure = onFailure
  }

  /// Opens an address.
  ///
  /// Has no effect while the desktop has not answered for the last one.
  ///
  /// - Parameter address: The address, such as `https://www.openstreetmap.org`.
  public func open(_ address: String) {
    let isUnavailable = call.withLock { call in
      if let call {
        guard !call.isRunning else { return false }
        call.thread.join()
      }
      let interrupter = PortalInterrupter()
      // The thread waits for the lock, so that it finds its call.
      let thread = try? WorkerThread(name: "open address") { [self] in run(address, interrupter) }
      call = thread.map { Call(interrupter: interrupter, thread: $0) }
      return thread == nil
    }
    if isUnavailable { onFailure(address) }
  }

  private func run(_ address: String, _ interrupter: PortalInterrupter) {
    let isOpened = AddressOpener.open(address, busAddress, interrupter)
    call.withLock { $0?.isRunning = false }
    if !isOpened, !interrupter.isInterrupted { onFailure(address) }
  }

  /// Ends the call in progress.
  public func stop() {
    let last = call.withLock { call in
      defer { call = nil }
      return call
    }
    last?.interrupter.interrupt()
    last?.thread.join(within: AddressOpener.stopLimit)
  }

  /// Calls the portal and waits for its reply.
  private static func open(_ address: String, _ busAddress: String, _ interrupter: PortalInterrupter) -> Bool {
    guard let connection = PortalConnection(address: busAddress, interrupter: interrupter) else { return false }
    let serial = connection.call("OpenURI", of: interface) { arguments in
      // No parent window: SDL does not export its handle.
      arguments.append("")
      arguments.append(address)
      arguments.append([("handle_token", .text("vitrine"))])
    }
    return connection.wait { message -> Bool? in
      if message.isError(of: serial) { return false }
      return message.isReply(to: serial) ? true : nil
    } ?? false
  }
}
