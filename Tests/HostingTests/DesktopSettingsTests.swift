import Foundation
import Testing
import VitrineTestSupport

@testable import VitrineHosting

@Suite("The color scheme is read from the environment and the desktop's settings files")
struct ColorSchemeTests {
  /// Returns the color scheme that is read from the given settings files.
  private func scheme(_ files: [String: String], theme: String? = nil) throws -> ColorScheme? {
    let folder = FileManager.default.temporaryDirectory.path + "/scheme-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in files {
      let path = URL(fileURLWithPath: folder + "/" + name)
      try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: path)
    }
    var environment = ["XDG_CONFIG_HOME": folder]
    environment["GTK_THEME"] = theme
    return ColorScheme(environment: environment)
  }

  @Test(
    "The GTK_THEME environment variable takes precedence over settings files",
    arguments: [("Adwaita:dark", ColorScheme.dark), ("Breeze-Dark", .dark), ("Adwaita", .light), (":", .light)])
  func environment(theme: String, expected: ColorScheme) throws {
    let other = "[Settings]\ngtk-application-prefer-dark-theme=\(expected == .dark ? 0 : 1)"
    #expect(try scheme(["gtk-4.0/settings.ini": other], theme: theme) == expected)
    #expect(try scheme(["gtk-4.0/settings.ini": other], theme: "") != expected, "an empty value is ignored")
  }

  nonisolated static let settings: [(String, ColorScheme?)] = [
    ("[Settings]\ngtk-application-prefer-dark-theme = true\ngtk-theme-name=Light\n", .dark),
    ("[Settings]\r\ngtk-application-prefer-dark-theme=1\r\n", .dark),
    ("[Settings]\ngtk-theme-name=Some-Dark\ngtk-application-prefer-dark-theme=false", .light),
    ("[Settings]\ngtk-theme-name=Yaru-dark", .dark), ("[Settings]\ngtk-theme-name=Yaru", .light),
    ("[Settings]\ngtk-font-name=Sans 10", nil), ("gtk-theme-name=Yaru", nil), ("", nil),
  ]

  @Test("GTK settings specify the scheme by the dark preference or by the theme name", arguments: settings)
  func gtk(text: String, expected: ColorScheme?) throws {
    #expect(try scheme(["gtk-3.0/settings.ini": text]) == expected)
    #expect(try scheme(["gtk-4.0/settings.ini": text, "gtk-3.0/settings.ini": ""]) == expected)
  }

  @Test("GTK 4 settings take precedence over GTK 3 settings, and both over Plasma's")
  func order() throws {
    let light = "[Settings]\ngtk-theme-name=Light"
    let dark = "[Settings]\ngtk-theme-name=Some-Dark"
    #expect(try scheme(["gtk-4.0/settings.ini": light, "gtk-3.0/settings.ini": dark]) == .light)
    #expect(try scheme(["gtk-3.0/settings.ini": light, "kdeglobals": "[General]\nColorScheme=BreezeDark"]) == .light)
    #expect(try scheme(["kdeglobals": "[General]\nColorScheme=BreezeDark"]) == .dark)
    #expect(try scheme(["kdeglobals": "[General]\nColorScheme=BreezeLight"]) == .light)
    #expect(try scheme([:]) == nil && ColorScheme(environment: [:]) == nil)
  }
}

@Suite("The reduced motion setting is read from the desktop's settings files")
struct ReducedMotionSettingTests {
  private func isReduced(_ files: [String: String], _ environment: (String) -> [String: String]) throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.path + "/desktop-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in files {
      let path = folder + "/" + name
      let parent = path[..<(path.lastIndex(of: "/") ?? path.endIndex)]
      try FileManager.default.createDirectory(atPath: String(parent), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
    return ReducedMotionSetting.isEnabled(environment(folder))
  }

  private func isReduced(_ files: [String: String]) throws -> Bool {
    try isReduced(files) { ["XDG_CONFIG_HOME": $0, "HOME": "/nowhere"] }
  }

  @Test(
    "GTK 4 animation settings take precedence over GTK 3 settings",
    arguments: [
      ("[Settings]\ngtk-enable-animations=false\n", nil, true),
      ("[Settings]\r\n gtk-enable-animations = 0\r\n", nil, true),
      ("[Settings]\ngtk-enable-animations=true\n", "[Settings]\ngtk-enable-animations=false", false),
      ("[Settings]\ngtk-theme-name=x", "[Settings]\ngtk-enable-animations=False", true),
      ("[Other]\ngtk-enable-animations=false", nil, false), ("gtk-enable-animations=false", nil, false),
      ("[Settings]\n#gtk-enable-animations=false", nil, false), ("", nil, false), ("\u{0}\u{1}", nil, false),
    ] as [(String, String?, Bool)])
  func gtk(new: String, old: String?, expected: Bool) throws {
    var files = ["gtk-4.0/settings.ini": new]
    if let old { files["gtk-3.0/settings.ini"] = old }
    #expect(try isReduced(files) == expected)
  }

  @Test(
    "A KDE animation duration factor of zero reduces motion",
    arguments: [
      ("[KDE]\nAnimationDurationFactor=0\n", true), ("[KDE]\nAnimationDurationFactor=0.0", true),
      ("[KDE]\nAnimationDurationFactor=0.5", false), ("[General]\nAnimationDurationFactor=0", false),
      ("[KDE]\nAnimationDurationFactor=zero", false),
      ("[KDE]\nAnimationDurationFactor=1\n[KDE]\nAnimationDurationFactor=0", true),
    ])
  func kde(text: String, expected: Bool) throws { #expect(try isReduced(["kdeglobals": text]) == expected) }

  @Test("Settings are read from the folder that the environment specifies, and missing settings do not reduce motion")
  func folders() throws {
    let files = [".config/gtk-4.0/settings.ini": "[Settings]\ngtk-enable-animations=false"]
    #expect(try isReduced(files) { ["HOME": $0] })
    #expect(try isReduced(files) { ["HOME": $0, "XDG_CONFIG_HOME": "relative"] })
    #expect(try !isReduced(files) { ["HOME": $0, "XDG_CONFIG_HOME": $0 + "/elsewhere"] })
    #expect(try !isReduced(files) { _ in [:] })
    #expect(
      try !isReduced([".config/gtk-4.0/settings.ini/x": ""]) { ["HOME": $0] }, "a folder with the name of the file")
    #expect(try !isReduced([:]))
  }

  @Test("Headless runs ignore desktop settings")
  func headless() {
    var options = HostingOptions()
    options.isHeadless = true
    options.applyDesktopSettings()
    #expect(!options.reducesMotion)
  }
}
