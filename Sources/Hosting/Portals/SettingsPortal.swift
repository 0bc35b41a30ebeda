/// A setting of the settings portal whose value is a number.
nonisolated struct PortalSetting: Hashable, Sendable {
  /// The namespace, such as `org.freedesktop.appearance`.
  let namespace: String
  /// The name of the setting.
  let key: String
  /// The value.
  let value: UInt32
}

/// The settings portal, from which one thread reads settings of the desktop.
nonisolated final class SettingsPortal {
  private static let interface = "org.freedesktop.portal.Settings"

  private let connection: PortalConnection
  /// The serial number of the request for all settings, or nil if it was not sent.
  private var request: UInt32?

  /// Connects to a bus, or returns nil if that fails or was interrupted.
  init?(address: String, interrupter: PortalInterrupter) {
    guard let connection = PortalConnection(address: address, interrupter: interrupter) else { return nil }
    self.connection = connection
  }

  /// Waits for settings: first for all of a namespace, then for each that changes.
  ///
  /// - Returns: The settings, or nil if the bus has closed the connection or the wait was interrupted.
  func nextSettings(in namespace: String) -> [PortalSetting]? {
    if request == nil { request = sendRequests(for: namespace) }
    return connection.wait { message in
      let settings = settings(in: message)
      return settings.isEmpty ? nil : settings
    }
  }

  /// Subscribes to changes and requests all settings of a namespace.
  private func sendRequests(for namespace: String) -> UInt32 {
    let portal = PortalConnection.portal
    connection.subscribe(
      "type='signal',sender='\(portal.name)',path='\(portal.path)',"
        + "interface='\(SettingsPortal.interface)',member='SettingChanged',arg0='\(namespace)'")
    return connection.call("ReadAll", of: SettingsPortal.interface) { $0.append([namespace]) }
  }

  /// Returns the settings in a message: those of the reply, or the one that has changed.
  private func settings(in message: PortalMessage) -> [PortalSetting] {
    if message.isSignal("SettingChanged", of: SettingsPortal.interface) {
      var reader = message.arguments
      guard let namespace = reader.nextString(), let key = reader.nextString(), let value = reader.nextNumber() else {
        return []
      }
      return [PortalSetting(namespace: namespace, key: key, value: value)]
    }
    guard let request, message.isReply(to: request), var namespaces = message.arguments.contents(.array) else {
      return []
    }
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
