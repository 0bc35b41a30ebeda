import FoundationEssentials
import VitrineThreads

/// The appearance of applications that the desktop's settings request.
public nonisolated struct DesktopAppearance: Hashable, Sendable {
  /// The color scheme, or nil if the desktop has no preference.
  public var colorScheme: ColorScheme?
  /// Whether text and borders must have a higher contrast than usual.
  public var prefersHighContrast: Bool

  /// Creates an appearance; by default, the one without preferences.
  public init(colorScheme: ColorScheme? = nil, prefersHighContrast: Bool = false) {
    self.colorScheme = colorScheme
    self.prefersHighContrast = prefersHighContrast
  }

  /// The appearance according to settings files, which desktops without a settings portal write.
  public static var ofSettingsFiles: DesktopAppearance { DesktopAppearance(colorScheme: ColorScheme.ofDesktop) }

  /// Returns the appearance with the color scheme of another one, if it has none.
  public func replacingMissingPreferences(by other: DesktopAppearance) -> DesktopAppearance {
    DesktopAppearance(
      colorScheme: colorScheme ?? other.colorScheme, prefersHighContrast: prefersHighContrast)
  }

  /// The namespace of the appearance in the settings portal.
  static let namespace = "org.freedesktop.appearance"

  /// Applies a setting of the settings portal.
  ///
  /// Unknown settings have no effect. An unknown value is no preference, as the portal's specification requires.
  mutating func apply(_ setting: PortalSetting) {
    guard setting.namespace == DesktopAppearance.namespace else { return }
    switch setting.key {
    case "color-scheme": colorScheme = setting.value == 1 ? .dark : setting.value == 2 ? .light : nil
    case "contrast": prefersHighContrast = setting.value == 1
    default: break
    }
  }
}

/// A monitor of the appearance that the desktop's settings portal requests.
///
/// It uses a thread, which waits for the session's message bus. Neither a bus that does not answer nor the start of the
/// portal delays the caller.
public nonisolated final class DesktopAppearanceMonitor: Sendable {
  /// The time for which ``stop()`` waits for the thread.
  private static let stopLimit = Duration.milliseconds(200)

  private let interrupter = PortalInterrupter()
  private let thread: WorkerThread

  /// Starts a monitor, or returns nil if there is no message bus or no thread.
  ///
  /// - Parameters:
  ///   - environment: The environment that contains the address of the session's message bus, or nil for the
  ///     process's. Default: nil.
  ///   - onChange: A closure that is called on the monitor's thread, first with the current settings, and again after
  ///     each change. It is not called if no portal answers.
  public init?(
    environment: [String: String]? = nil,
    onChange: @escaping @Sendable (DesktopAppearance) -> Void
  ) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    guard let address = DesktopAppearanceMonitor.busAddress(environment) else { return nil }
    let interrupter = interrupter
    guard
      let thread = try? WorkerThread(
        name: "settings portal",
        {
          guard let portal = SettingsPortal(address: address, interrupter: interrupter) else { return }
          var last: DesktopAppearance?
          var appearance = DesktopAppearance()
          while let settings = portal.nextSettings(in: DesktopAppearance.namespace) {
            for setting in settings { appearance.apply(setting) }
            if appearance != last { onChange(appearance) }
            last = appearance
          }
        })
    else { return nil }
    self.thread = thread
  }

  /// Stops the monitor, which then makes no more calls.
  ///
  /// Waits for a call in progress. Call this method once.
  public func stop() {
    interrupter.interrupt()
    thread.join(within: DesktopAppearanceMonitor.stopLimit)
  }

  /// Returns the address of the session's message bus, or nil if there is none.
  ///
  /// Without an address in the environment, libdbus would start a bus.
  static func busAddress(_ environment: [String: String]) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"),
      FileManager.default.fileExists(atPath: folder + "/bus")
    else { return nil }
    return "unix:path=\(folder)/bus"
  }
}
