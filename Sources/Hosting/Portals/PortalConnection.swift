import CVitrineDBus
import Glibc
import VitrineThreads

/// A connection of one thread to the session's message bus, through which it talks to the desktop's portals.
///
/// The C library is libdbus. It is loaded in any case, by SDL, so it costs the launch nothing.
nonisolated final class PortalConnection {
  /// The name and the path of the portals on the bus.
  static let portal = (name: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop")

  private let connection: OpaquePointer
  private let interrupter: PortalInterrupter

  /// Connects to a bus and registers there, or returns nil if that fails or was interrupted.
  ///
  /// No call waits for its reply.
  init?(address: String, interrupter: PortalInterrupter) {
    dbus_threads_init_default()
    guard let connection = dbus_connection_open_private(address, nil) else { return nil }
    self.connection = connection
    self.interrupter = interrupter
    var descriptor: Int32 = -1
    guard dbus_connection_get_unix_fd(connection, &descriptor) != 0, interrupter.begin(descriptor) else { return nil }
    _ = callBus("Hello") { _ in }
  }

  deinit {
    interrupter.end()
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }

  /// Subscribes to the signals that a rule describes.
  func subscribe(_ rule: String) { _ = callBus("AddMatch") { $0.append(rule) } }

  /// Calls a method of a portal.
  ///
  /// - Returns: The serial number of the call, or 0 if there is not enough memory.
  func call(
    _ member: String, of interface: String, _ writeArguments: (inout PortalMessageWriter) -> Void
  ) -> UInt32 {
    let portal = PortalConnection.portal
    return send(dbus_message_new_method_call(portal.name, portal.path, interface, member), writeArguments)
  }

  /// Waits until a message has a meaning for the caller.
  ///
  /// - Parameter meaning: Returns the meaning of a message, or nil to wait for the next one.
  /// - Returns: The meaning, or nil if the bus has closed the connection or the wait was interrupted.
  func wait<Meaning>(for meaning: (PortalMessage) -> Meaning?) -> Meaning? {
    while true {
      while let message = dbus_connection_pop_message(connection) {
        defer { dbus_message_unref(message) }
        if let meaning = meaning(PortalMessage(message)) { return meaning }
      }
      guard dbus_connection_read_write(connection, -1) != 0, !interrupter.isInterrupted else { return nil }
    }
  }

  private func callBus(_ member: String, _ writeArguments: (inout PortalMessageWriter) -> Void) -> UInt32 {
    let name = "org.freedesktop.DBus"
    return send(dbus_message_new_method_call(name, "/org/freedesktop/DBus", name, member), writeArguments)
  }

  private func send(
    _ message: OpaquePointer?, _ writeArguments: (inout PortalMessageWriter) -> Void
  ) -> UInt32 {
    guard let message else { return 0 }
    defer { dbus_message_unref(message) }
    var writer = PortalMessageWriter(message)
    writeArguments(&writer)
    var serial: UInt32 = 0
    return dbus_connection_send(connection, message, &serial) != 0 ? serial : 0
  }
}

/// A message from the bus, valid during the call that receives it.
nonisolated struct PortalMessage {
  private let message: OpaquePointer

  fileprivate init(_ message: OpaquePointer) { self.message = message }

  /// A reader of the arguments.
  var arguments: PortalMessageReader { PortalMessageReader(message) }

  /// Returns whether this is a signal.
  func isSignal(_ member: String, of interface: String) -> Bool {
    dbus_message_is_signal(message, interface, member) != 0
  }

  /// Returns whether this is the reply to a call.
  func isReply(to serial: UInt32) -> Bool {
    dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_RETURN
      && dbus_message_get_reply_serial(message) == serial
  }

  /// Returns whether this says that a call failed.
  func isError(of serial: UInt32) -> Bool {
    dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR && dbus_message_get_reply_serial(message) == serial
  }
}

/// A value in a dictionary of options.
nonisolated enum PortalValue: Hashable, Sendable {
  case text(String)
  case flag(Bool)
}

/// An interrupter that ends the waits of a ``PortalConnection`` from another thread.
///
/// It shuts the connection's socket down, which ends the system call that waits for it.
nonisolated final class PortalInterrupter: Sendable {
  private struct State {
    /// The socket of the connection, or nil if there is none.
    var descriptor: Int32?
    var isInterrupted = false
  }

  private let state = Lock(State())

  /// Whether ``interrupt()`` was called.
  var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// Sets the socket of the connection.
  ///
  /// - Returns: Whether ``interrupt()`` was not called.
  func begin(_ descriptor: Int32) -> Bool {
    state.withLock { state in
      state.descriptor = descriptor
      return !state.isInterrupted
    }
  }

  /// Removes the socket, which will be closed.
  func end() { state.withLock { $0.descriptor = nil } }

  /// Ends all waits of the connection.
  ///
  /// The C function is `shutdown`.
  func interrupt() {
    state.withLock { state in
      state.isInterrupted = true
      if let descriptor = state.descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }
}

/// A type in a message, as the D-Bus specification names it.
private nonisolated enum MessageType: UInt8 {
  case string = 0x73
  case number = 0x75
  case array = 0x61
  case dictionaryEntry = 0x65
  case variant = 0x76
  case flag = 0x62

  var code: Int32 { Int32(rawValue) }
}

/// A writer of a message's arguments.
nonisolated struct PortalMessageWriter {
  private var iterator = DBusMessageIter()

  init(_ message: OpaquePointer) { dbus_message_iter_init_append(message, &iterator) }

  mutating func append(_ text: String) { PortalMessageWriter.append(text, to: &iterator) }

  mutating func append(_ texts: [String]) {
    var array = DBusMessageIter()
    dbus_message_iter_open_container(&iterator, MessageType.array.code, "s", &array)
    for text in texts { PortalMessageWriter.append(text, to: &array) }
    dbus_message_iter_close_container(&iterator, &array)
  }

  /// Appends a dictionary from names to values of several types.
  mutating func append(_ options: [(name: String, value: PortalValue)]) {
    var array = DBusMessageIter()
    dbus_message_iter_open_container(&iterator, MessageType.array.code, "{sv}", &array)
    for (name, value) in options {
      var entry = DBusMessageIter()
      dbus_message_iter_open_container(&array, MessageType.dictionaryEntry.code, nil, &entry)
      PortalMessageWriter.append(name, to: &entry)
      var variant = DBusMessageIter()
      switch value {
      case .text(let text):
        dbus_message_iter_open_container(&entry, MessageType.variant.code, "s", &variant)
        PortalMessageWriter.append(text, to: &variant)
      case .flag(let flag):
        dbus_message_iter_open_container(&entry, MessageType.variant.code, "b", &variant)
        var number: dbus_bool_t = flag ? 1 : 0
        _ = dbus_message_iter_append_basic(&variant, MessageType.flag.code, &number)
      }
      dbus_message_iter_close_container(&entry, &variant)
      dbus_message_iter_close_container(&array, &entry)
    }
    dbus_message_iter_close_container(&iterator, &array)
  }

  private static func append(_ text: String, to iterator: inout DBusMessageIter) {
    text.withCString { bytes in
      var bytes: UnsafePointer<CChar>? = bytes
      _ = dbus_message_iter_append_basic(&iterator, MessageType.string.code, &bytes)
    }
  }
}

/// A reader of a message's arguments, or of the elements of one of them.
nonisolated struct PortalMessageReader {
  private var iterator = DBusMessageIter()

  init(_ message: OpaquePointer) { dbus_message_iter_init(message, &iterator) }

  private init(contentsOf outer: PortalMessageReader) {
    var outer = outer.iterator
    dbus_message_iter_recurse(&outer, &iterator)
  }

  private var type: MessageType? {
    var copy = iterator
    return UInt8(exactly: dbus_message_iter_get_arg_type(&copy)).flatMap(MessageType.init)
  }

  /// The type of the elements of a container.
  enum Container { case array, dictionaryEntry, variant }

  /// Continues with the next argument or element.
  mutating func advance() { dbus_message_iter_next(&iterator) }

  /// Returns a reader of the elements of the current argument, or nil if it has another type.
  func contents(_ container: Container) -> PortalMessageReader? {
    let type: MessageType =
      switch container {
      case .array: .array
      case .dictionaryEntry: .dictionaryEntry
      case .variant: .variant
      }
    return self.type == type ? PortalMessageReader(contentsOf: self) : nil
  }

  /// Reads a string, or returns nil if the current argument has another type.
  mutating func nextString() -> String? {
    guard type == .string else { return nil }
    var bytes: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &bytes)
    advance()
    return bytes.map { String(cString: $0) }
  }

  /// Reads a number, also in a variant, or returns nil if the current argument has another type.
  mutating func nextNumber() -> UInt32? {
    defer { advance() }
    var reader = self
    while let inner = reader.contents(.variant) { reader = inner }
    guard reader.type == .number else { return nil }
    var value: UInt32 = 0
    dbus_message_iter_get_basic(&reader.iterator, &value)
    return value
  }
}
