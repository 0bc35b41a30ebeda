import Foundation
import Testing
import VitrineTestSupport
import VitrineThreads

@testable import VitrineHosting

@Suite("The appearance that the settings portal requests")
struct DesktopAppearanceTests {
  nonisolated private static func setting(_ key: String, _ value: UInt32) -> PortalSetting {
    PortalSetting(namespace: DesktopAppearance.namespace, key: key, value: value)
  }

  @Test(
    "Each value of the color scheme",
    arguments: [(0, nil), (1, ColorScheme.dark), (2, .light), (3, nil)] as [(UInt32, ColorScheme?)])
  func colorScheme(value: UInt32, expected: ColorScheme?) {
    var appearance = DesktopAppearance(colorScheme: .light, prefersHighContrast: true)
    appearance.apply(Self.setting("color-scheme", value))
    #expect(appearance == DesktopAppearance(colorScheme: expected, prefersHighContrast: true))
  }

  @Test("Contrast, and settings that are not of the appearance")
  func contrast() {
    var appearance = DesktopAppearance(colorScheme: .dark)
    appearance.apply(Self.setting("contrast", 1))
    #expect(appearance == DesktopAppearance(colorScheme: .dark, prefersHighContrast: true))
    appearance.apply(Self.setting("accent-color", 2))
    appearance.apply(PortalSetting(namespace: "org.gnome.desktop.interface", key: "contrast", value: 0))
    #expect(appearance == DesktopAppearance(colorScheme: .dark, prefersHighContrast: true))
    appearance.apply(Self.setting("contrast", 7))
    #expect(appearance == DesktopAppearance(colorScheme: .dark))
  }

  @Test("A color scheme of settings files replaces only a missing one")
  func fallback() {
    let files = DesktopAppearance(colorScheme: .light, prefersHighContrast: true)
    #expect(DesktopAppearance().replacingMissingPreferences(by: files) == DesktopAppearance(colorScheme: .light))
    let dark = DesktopAppearance(colorScheme: .dark)
    #expect(dark.replacingMissingPreferences(by: files) == dark)
  }

  @Test("The bus is the one in the environment, or the one in the runtime folder")
  func busAddress() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(DesktopAppearanceMonitor.busAddress([:]) == nil)
    #expect(DesktopAppearanceMonitor.busAddress(["XDG_RUNTIME_DIR": folder.path]) == nil, "there is no socket")
    try Data().write(to: folder.appendingPathComponent("bus"))
    #expect(DesktopAppearanceMonitor.busAddress(["XDG_RUNTIME_DIR": folder.path]) == "unix:path=\(folder.path)/bus")
    #expect(
      DesktopAppearanceMonitor.busAddress(
        ["XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/a"]) == "unix:path=/a")
  }

  @Test("Without a bus, no monitor is started, and with an address at which nothing listens it ends")
  func noBus() {
    #expect(DesktopAppearanceMonitor(environment: [:]) { _ in } == nil)
    let monitor = DesktopAppearanceMonitor(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]) { _ in
      Issue.record("nothing answers")
    }
    monitor?.stop()
  }
}

@Suite(
  "The monitor of the settings portal, on a message bus of its own",
  .enabled(if: FakePortal.isInstalled, "dbus-daemon is not installed"))
struct DesktopAppearanceMonitorTests {
  /// The appearances that a monitor reported.
  private typealias Log = Lock<[DesktopAppearance]>

  private func monitor(of portal: FakePortal, _ log: Log) throws -> DesktopAppearanceMonitor {
    try #require(
      DesktopAppearanceMonitor(environment: ["DBUS_SESSION_BUS_ADDRESS": portal.address]) { next in
        log.withLock { $0.append(next) }
      })
  }

  private func waitFor(_ count: Int, _ log: Log) throws {
    try Deadline().wait(for: "\(count) appearances") { log.withLock { $0.count } >= count ? () : nil }
  }

  @Test("The settings at the start and each change are reported, and nothing else")
  func changes() throws {
    let portal = try FakePortal()
    defer { portal.stop() }
    let log = Log([])
    let monitor = try monitor(of: portal, log)
    try portal.receiveRequest(replyingWith: ["accent-color": 1, "color-scheme": 2, "contrast": 0])
    try waitFor(1, log)
    portal.change("color-scheme", to: 1)
    portal.change("contrast", to: 1)
    portal.change("contrast", to: 1)
    portal.change("accent-color", to: 4)
    portal.change("color-scheme", to: 0)
    try waitFor(4, log)
    monitor.stop()
    #expect(
      log.withLock { $0 } == [
        DesktopAppearance(colorScheme: .light), DesktopAppearance(colorScheme: .dark),
        DesktopAppearance(colorScheme: .dark, prefersHighContrast: true),
        DesktopAppearance(colorScheme: nil, prefersHighContrast: true),
      ])
  }

  @Test("A portal that never answers, and a bus without one, report nothing, and the monitor can be stopped")
  func silence() throws {
    for ownsName in [true, false] {
      let portal = try FakePortal(ownsName: ownsName)
      defer { portal.stop() }
      let log = Log([])
      let monitor = try monitor(of: portal, log)
      if ownsName { try portal.receiveRequest(replyingWith: nil) }
      monitor.stop()
      #expect(log.withLock { $0.isEmpty })
    }
  }

  @Test("After the end of the bus, the monitor can be stopped")
  func busEnd() throws {
    let portal = try FakePortal()
    let log = Log([])
    let monitor = try monitor(of: portal, log)
    try portal.receiveRequest(replyingWith: ["color-scheme": 2])
    try waitFor(1, log)
    portal.stop()
    monitor.stop()
    #expect(log.withLock { $0 } == [DesktopAppearance(colorScheme: .light)])
  }
}
