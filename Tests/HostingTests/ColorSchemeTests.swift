import Foundation
import Testing

@testable import Hosting

@Suite("What the desktop says of dark and light is read from its environment and files")
struct ColorSchemeTests {
  /// What is read where these files lie in the folder of settings.
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
    "The environment's theme comes first",
    arguments: [("Adwaita:dark", ColorScheme.dark), ("Breeze-Dark", .dark), ("Adwaita", .light), (":", .light)])
  func environment(theme: String, expected: ColorScheme) throws {
    let other = "[Settings]\ngtk-application-prefer-dark-theme=\(expected == .dark ? 0 : 1)"
    #expect(try scheme(["gtk-4.0/settings.ini": other], theme: theme) == expected)
    #expect(try scheme(["gtk-4.0/settings.ini": other], theme: "") != expected, "none is none")
  }

  nonisolated static let settings: [(String, ColorScheme?)] = [
    ("[Settings]\ngtk-application-prefer-dark-theme = true\ngtk-theme-name=Light\n", .dark),
    ("[Settings]\r\ngtk-application-prefer-dark-theme=1\r\n", .dark),
    ("[Settings]\ngtk-theme-name=Some-Dark\ngtk-application-prefer-dark-theme=false", .light),
    ("[Settings]\ngtk-theme-name=Yaru-dark", .dark), ("[Settings]\ngtk-theme-name=Yaru", .light),
    ("[Settings]\ngtk-font-name=Sans 10", nil), ("gtk-theme-name=Yaru", nil), ("", nil),
  ]

  @Test("GTK's files say it by preference or by the theme's name", arguments: settings)
  func gtk(text: String, expected: ColorScheme?) throws {
    #expect(try scheme(["gtk-3.0/settings.ini": text]) == expected)
    #expect(try scheme(["gtk-4.0/settings.ini": text, "gtk-3.0/settings.ini": ""]) == expected)
  }

  @Test("The newer file goes before the older, and both before Plasma's")
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
