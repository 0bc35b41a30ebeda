import CDBus
import Glibc
import Threads

/// A setting of the settings portal whose value is a number.
nonisolated struct PortalSetting: Hashable, Sendable {
  /// The namespace, such as `org.freedesktop.appearance`.
  let namespace: String
  /// The name of the setting.
  let key: String
  /// The value.
  let value: UInt32
}

/// A connection to the session's message bus, through which one thread reads settings of the desktop.
///
/// The C library is libdbus. It is loaded in any case, by SDL, so it costs the launch nothing.
nonisolated final class SettingsPortal {
  private static let name = "org.freedesktop.portal.Desktop"
  private static let path = "/org/freedesktop/portal/desktop"
  private static let interface = "org.freedesktop.portal.Settings"

  private let connection: OpaquePointer
  private let interrupter: PortalInterrupter
  /// The serial number of the request for all settings, or nil if it was not sent.
  private var request: UInt32?

  /// Connects to a bus, or returns nil if that fails or was interrupted.
  init?(address: String, interrupter: PortalInterrupter) {
    dbus_threads_init_default()
    guard let connection = dbus_connection_open_private(address, nil) else { return nil }
    self.connection = connection
    self.interrupter = interrupter
    var descriptor: Int32 = -1
    guard dbus_connection_get_unix_fd(connection, &descriptor) != 0, interrupter.begin(descriptor) else { return nil }
  }

  deinit {
    interrupter.end()
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }

  /// Waits for settings: first for all of a namespace, then for each that changes.
  ///
  /// - Returns: The settings, or nil if the bus has closed the connection or the wait was interrupted.
  func nextSettings(in namespace: String) -> [PortalSetting]? {
    if request == nil { request = sendRequests(for: namespace) }
    while true {
      while let message = dbus_connection_pop_message(connection) {
        defer { dbus_message_unref(message) }
        let settings = settings(in: message)
        if !settings.isEmpty { return settings }
      }
      guard dbus_connection_read_write(connection, -1) != 0, !interrupter.isInterrupted else { return nil }
    }
  }

  /// Registers with the bus, subscribes to changes and requests all settings of a namespace.
  ///
  /// No call waits for its reply.
  ///
  /// - Returns: The serial number of the last request, or 0 if there is not enough memory.
  private func sendRequests(for namespace: String) -> UInt32 {
    let bus = (name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus")
    _ = send(call("Hello", to: bus.name, bus.path, bus.name)) { _ in }
    let rule =
      "type='signal',sender='\(SettingsPortal.name)',path='\(SettingsPortal.path)',"
      + "interface='\(SettingsPortal.interface)',member='SettingChanged',arg0='\(namespace)'"
    _ = send(call("AddMatch", to: bus.name, bus.path, bus.name)) { $0.append(rule) }
    return send(call("ReadAll", to: SettingsPortal.name, SettingsPortal.path, SettingsPortal.interface)) {
      $0.append([namespace])
    }
  }

  private func call(_ member: String, to name: String, _ path: String, _ interface: String) -> OpaquePointer? {
    dbus_message_new_method_call(name, path, interface, member)
  }

  private func send(_ message: OpaquePointer?, _ writeArguments: (inout MessageWriter) -> Void) -> UInt32 {
    guard let message else { return 0 }
    defer { dbus_message_unref(message) }
    var writer = MessageWriter(message)
    writeArguments(&writer)
    var serial: UInt32 = 0
    return dbus_connection_send(connection, message, &serial) != 0 ? serial : 0
  }

  /// Returns the settings in a message: those of the reply, or the one that has changed.
  private func settings(in message: OpaquePointer) -> [PortalSetting] {
    if dbus_message_is_signal(message, SettingsPortal.interface, "SettingChanged") != 0 {
      var reader = MessageReader(message)
      guard let namespace = reader.nextString(), let key = reader.nextString(), let value = reader.nextNumber() else {
        return []
      }
      return [PortalSetting(namespace: namespace, key: key, value: value)]
    }
    guard dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_RETURN,
      dbus_message_get_reply_serial(message) == request, var namespaces = MessageReader(message).contents(.array)
    else { return [] }
    var settings: [PortalSetting] = []
    while var entry = namespaces.contents(.dictionaryEntry) {
      namespaces.advance()
      guard let namespace = entry.nextString(), var values = entry.contents(.array) else { continue }
      while var pair = values.contents(.dictionaryEntry) {
        values.advance()
        guard let key = pair.nextString(), let value = pair.nextNumber() else { continue }
        settings.append(PortalSetting(namespace: namespace, key: key, value: value))
      }
    }
    return settings
  }
}

/// An interrupter that ends the waits of a ``SettingsPortal`` from another thread.
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

  var code: Int32 { Int32(rawValue) }
}

/// A writer of a message's arguments.
private nonisolated struct MessageWriter {
  private var iterator = DBusMessageIter()

  init(_ message: OpaquePointer) { dbus_message_iter_init_append(message, &iterator) }

  mutating func append(_ text: String) { MessageWriter.append(text, to: &iterator) }

  mutating func append(_ texts: [String]) {
    var array = DBusMessageIter()
    dbus_message_iter_open_container(&iterator, MessageType.array.code, "s", &array)
    for text in texts { MessageWriter.append(text, to: &array) }
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
private nonisolated struct MessageReader {
  private var iterator = DBusMessageIter()

  init(_ message: OpaquePointer) { dbus_message_iter_init(message, &iterator) }

  private init(contentsOf outer: MessageReader) {
    var outer = outer.iterator
    dbus_message_iter_recurse(&outer, &iterator)
  }

  private var type: MessageType? {
    var copy = iterator
    return UInt8(exactly: dbus_message_iter_get_arg_type(&copy)).flatMap(MessageType.init)
  }

  /// Continues with the next argument or element.
  mutating func advance() { dbus_message_iter_next(&iterator) }

  /// Returns a reader of the elements of the current argument, or nil if it has another type.
  func contents(_ type: MessageType) -> MessageReader? { self.type == type ? MessageReader(contentsOf: self) : nil }

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
