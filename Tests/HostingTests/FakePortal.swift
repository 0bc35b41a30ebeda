import CVitrineDBus
import Foundation
import Testing
import VitrineTestSupport

/// A message bus of its own with a settings portal that a test controls.
final class FakePortal {
  /// Whether the bus can be started.
  nonisolated static let isInstalled = FileManager.default.isExecutableFile(atPath: daemon)
  private nonisolated static let daemon = "/usr/bin/dbus-daemon"
  private static let name = "org.freedesktop.portal.Desktop"
  private static let path = "/org/freedesktop/portal/desktop"
  private static let interface = "org.freedesktop.portal.Settings"

  /// The address of the bus.
  let address: String
  private let folder: URL
  private let bus = Process()
  private let connection: OpaquePointer

  /// Starts a bus.
  ///
  /// - Parameter ownsName: Whether there is a portal on the bus. Default: true.
  init(ownsName: Bool = true) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("portal-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let configuration = folder.appendingPathComponent("bus.conf")
    // Without folders of services, so that no real portal is started.
    try Data(
      """
      <busconfig><type>session</type><listen>unix:path=\(folder.path)/socket</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
      </policy></busconfig>
      """.utf8
    ).write(to: configuration)
    bus.executableURL = URL(fileURLWithPath: FakePortal.daemon)
    bus.arguments = ["--config-file=\(configuration.path)", "--nofork", "--print-address"]
    let output = Pipe()
    bus.standardOutput = output
    bus.standardError = FileHandle.nullDevice
    bus.standardInput = FileHandle.nullDevice
    try bus.run()
    // The address is printed once the bus listens.
    _ = try output.fileHandleForReading.read(upToCount: 1)
    address = "unix:path=\(folder.path)/socket"
    connection = try #require(dbus_connection_open_private(address, nil))
    try #require(dbus_bus_register(connection, nil) != 0)
    if ownsName { try #require(dbus_bus_request_name(connection, FakePortal.name, 0, nil) == 1) }
  }

  /// Ends the bus.
  func stop() {
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
    // The bus inherits the signals that the test's thread blocks.
    kill(bus.processIdentifier, SIGKILL)
    bus.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Waits for the request for all settings.
  ///
  /// - Parameter settings: The settings of the appearance in the reply, or nil for no reply.
  func receiveRequest(replyingWith settings: KeyValuePairs<String, UInt32>?) throws {
    let deadline = Deadline()
    try deadline.wait(for: "a request for settings") {
      dbus_connection_read_write(connection, 20)
      while let message = dbus_connection_pop_message(connection) {
        defer { dbus_message_unref(message) }
        guard dbus_message_is_method_call(message, FakePortal.interface, "ReadAll") != 0 else { continue }
        if let settings { send(dbus_message_new_method_return(message)) { self.append(settings, to: &$0) } }
        return ()
      }
      return nil
    }
  }

  /// Waits for the request for a dialog, and answers it.
  ///
  /// - Parameters:
  ///   - response: 0 if the user chose something, 1 if the dialog was closed, or nil to refuse the request.
  ///   - address: The address that was chosen.
  func receiveDialog(answeringWith response: UInt32?, _ address: String = "") throws {
    let (chooser, request) = ("org.freedesktop.portal.FileChooser", "org.freedesktop.portal.Request")
    try Deadline().wait(for: "a request for a dialog") {
      dbus_connection_read_write(connection, 20)
      while let message = dbus_connection_pop_message(connection) {
        defer { dbus_message_unref(message) }
        guard dbus_message_is_method_call(message, chooser, "OpenFile") != 0 else { continue }
        guard let response else {
          send(dbus_message_new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "none")) { _ in }
          return ()
        }
        send(dbus_message_new_method_return(message)) { _ in }
        send(dbus_message_new_signal(FakePortal.path + "/request/1", request, "Response")) { iterator in
          var number = response
          _ = dbus_message_iter_append_basic(&iterator, FakePortal.code("u"), &number)
          self.nest("a", "{sv}", in: &iterator) { results in
            self.nest("e", nil, in: &results) { entry in
              self.append("uris", to: &entry)
              self.nest("v", "as", in: &entry) { value in
                self.nest("a", "s", in: &value) { self.append(address, to: &$0) }
              }
            }
          }
        }
        return ()
      }
      return nil
    }
  }

  /// Waits for the request to open an address, and accepts or refuses it.
  ///
  /// - Returns: The address.
  func receiveAddress(isAccepted: Bool) throws -> String {
    try Deadline().wait(for: "a request to open an address") {
      dbus_connection_read_write(connection, 20)
      while let message = dbus_connection_pop_message(connection) {
        defer { dbus_message_unref(message) }
        guard dbus_message_is_method_call(message, "org.freedesktop.portal.OpenURI", "OpenURI") != 0 else { continue }
        var iterator = DBusMessageIter()
        dbus_message_iter_init(message, &iterator)
        dbus_message_iter_next(&iterator)
        var bytes: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &bytes)
        let address = bytes.map { String(cString: $0) } ?? ""
        if isAccepted {
          send(dbus_message_new_method_return(message)) { _ in }
        } else {
          send(dbus_message_new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "none")) { _ in }
        }
        return address
      }
      return nil
    }
  }

  /// Reports that a setting has changed.
  func change(_ key: String, to value: UInt32) {
    send(dbus_message_new_signal(FakePortal.path, FakePortal.interface, "SettingChanged")) { iterator in
      self.append("org.freedesktop.appearance", to: &iterator)
      self.append(key, to: &iterator)
      self.append(value, to: &iterator)
    }
  }

  private func send(_ message: OpaquePointer?, _ write: (inout DBusMessageIter) -> Void) {
    guard let message else { return }
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    write(&iterator)
    dbus_connection_send(connection, message, nil)
    dbus_connection_flush(connection)
    dbus_message_unref(message)
  }

  private static func code(_ letter: Character) -> Int32 { Int32(letter.asciiValue ?? 0) }

  private func append(_ text: String, to iterator: inout DBusMessageIter) {
    text.withCString { bytes in
      var bytes: UnsafePointer<CChar>? = bytes
      _ = dbus_message_iter_append_basic(&iterator, FakePortal.code("s"), &bytes)
    }
  }

  private func append(_ number: UInt32, to iterator: inout DBusMessageIter) {
    var number = number
    nest("v", "u", in: &iterator) { _ = dbus_message_iter_append_basic(&$0, FakePortal.code("u"), &number) }
  }

  private func append(_ settings: KeyValuePairs<String, UInt32>, to iterator: inout DBusMessageIter) {
    nest("a", "{sa{sv}}", in: &iterator) { namespaces in
      nest("e", nil, in: &namespaces) { entry in
        append("org.freedesktop.appearance", to: &entry)
        nest("a", "{sv}", in: &entry) { pairs in
          for (key, value) in settings {
            nest("e", nil, in: &pairs) { pair in
              append(key, to: &pair)
              append(value, to: &pair)
            }
          }
        }
      }
    }
  }

  private func nest(
    _ type: Character, _ signature: String?, in outer: inout DBusMessageIter, _ write: (inout DBusMessageIter) -> Void
  ) {
    var inner = DBusMessageIter()
    dbus_message_iter_open_container(&outer, FakePortal.code(type), signature, &inner)
    write(&inner)
    dbus_message_iter_close_container(&outer, &inner)
  }
}
