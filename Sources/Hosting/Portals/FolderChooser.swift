import FoundationEssentials
import VitrineThreads

/// A dialog of the desktop in which the user chooses a folder, shown by the file chooser portal.
///
/// It uses a thread while it is open, which waits for the session's message bus.
public nonisolated final class FolderChooser: Sendable {
  /// How a dialog ended.
  public enum Outcome: Hashable, Sendable {
    /// A folder was chosen: the bytes of its path.
    case chosen([UInt8])
    /// The user closed the dialog.
    case cancelled
    /// The desktop has no dialog.
    case unavailable
  }

  /// The time for which ``stop()`` waits for the thread.
  private static let stopLimit = Duration.milliseconds(200)
  private static let interface = "org.freedesktop.portal.FileChooser"
  private static let requestInterface = "org.freedesktop.portal.Request"

  private struct Dialog: Sendable {
    let interrupter: PortalInterrupter
    let thread: WorkerThread
    var isOpen = true
  }

  private let address: String
  private let onFinish: @Sendable (Outcome) -> Void
  /// The last dialog, whose thread was not joined, or nil.
  private let dialog = Lock<Dialog?>(nil)

  /// Creates a chooser, or returns nil if there is no message bus.
  ///
  /// - Parameters:
  ///   - environment: The environment that contains the address of the session's message bus, or nil for the
  ///     process's. Default: nil.
  ///   - onFinish: A closure that is called on another thread when a dialog has ended.
  public init?(environment: [String: String]? = nil, onFinish: @escaping @Sendable (Outcome) -> Void) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    guard let address = DesktopAppearanceMonitor.busAddress(environment) else { return nil }
    self.address = address
    self.onFinish = onFinish
  }

  /// Opens a dialog.
  ///
  /// Has no effect while one is open.
  ///
  /// - Parameter title: The title of the dialog.
  public func open(title: String) {
    let isUnavailable = dialog.withLock { dialog in
      if let dialog {
        guard !dialog.isOpen else { return false }
        dialog.thread.join()
      }
      let interrupter = PortalInterrupter()
      // The thread waits for the lock, so that it finds its dialog.
      let thread = try? WorkerThread(name: "folder dialog") { [self] in run(title: title, interrupter) }
      dialog = thread.map { Dialog(interrupter: interrupter, thread: $0) }
      return thread == nil
    }
    if isUnavailable { onFinish(.unavailable) }
  }

  private func run(title: String, _ interrupter: PortalInterrupter) {
    let outcome = FolderChooser.outcome(title: title, address: address, interrupter: interrupter)
    dialog.withLock { $0?.isOpen = false }
    if !interrupter.isInterrupted { onFinish(outcome) }
  }

  /// Forgets the open dialog, whose outcome is then not reported.
  ///
  /// Waits for a call in progress.
  public func stop() {
    let last = dialog.withLock { dialog in
      defer { dialog = nil }
      return dialog
    }
    last?.interrupter.interrupt()
    last?.thread.join(within: FolderChooser.stopLimit)
  }

  /// Shows a dialog and waits for its end.
  private static func outcome(title: String, address: String, interrupter: PortalInterrupter) -> Outcome {
    guard let connection = PortalConnection(address: address, interrupter: interrupter) else { return .unavailable }
    // Before the call: the answer may come at once. Signals of other programs' dialogs are not sent to this one.
    connection.subscribe(
      "type='signal',sender='\(PortalConnection.portal.name)',interface='\(requestInterface)',member='Response'")
    let call = connection.call("OpenFile", of: interface) { arguments in
      // No parent window: SDL does not export its handle.
      arguments.append("")
      arguments.append(title)
      arguments.append([("directory", .flag(true)), ("modal", .flag(true)), ("handle_token", .text("vitrine"))])
    }
    return connection.wait { message in
      if message.isError(of: call) { return .unavailable }
      guard message.isSignal("Response", of: requestInterface) else { return nil }
      var arguments = message.arguments
      guard arguments.nextNumber() == 0 else { return .cancelled }
      return FolderChooser.path(in: arguments).map(Outcome.chosen) ?? .cancelled
    } ?? .unavailable
  }

  /// Returns the first path in the results of a dialog, or nil if there is none.
  private static func path(in results: PortalMessageReader) -> [UInt8]? {
    guard var pairs = results.contents(.array) else { return nil }
    while var pair = pairs.contents(.dictionaryEntry) {
      pairs.advance()
      guard pair.nextString() == "uris", var addresses = pair.contents(.variant)?.contents(.array),
        let address = addresses.nextString()
      else { continue }
      return FileAddress.path(of: address)
    }
    return nil
  }
}

/// Addresses of files, as desktops and file managers pass them: `file:///home/a%20b.jpg` (RFC 8089).
public nonisolated enum FileAddress {
  /// Returns the path that an address names, by its bytes.
  ///
  /// - Parameter address: The address, with percent-encoded bytes.
  /// - Returns: The path, or nil if it is another kind of address, that of another computer, or invalid.
  public static func path(of address: some StringProtocol) -> [UInt8]? {
    guard let prefix = ["file:///", "file://localhost/"].first(where: { address.hasPrefix($0) }) else { return nil }
    var bytes = Array(address.utf8.dropFirst(prefix.utf8.count - 1))[...]
    var path: [UInt8] = []
    while let byte = bytes.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        path.append(byte)
        continue
      }
      guard bytes.count >= 2, let value = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16), value != 0
      else { return nil }
      path.append(value)
      bytes.removeFirst(2)
    }
    return path
  }
}
