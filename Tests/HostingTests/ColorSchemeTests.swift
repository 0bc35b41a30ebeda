import Testing

@testable import Hosting

@Suite("What the desktop's settings say of dark and light")
struct ColorSchemeTests {
  private static let home = ["HOME": "/home/a"]
  private static let three = "/home/a/.config/gtk-3.0/settings.ini"
  private static let four = "/home/a/.config/gtk-4.0/settings.ini"

  private func scheme(_ environment: [String: String], _ files: [String: String] = [:]) -> ColorScheme? {
    ColorScheme(environment: environment) { files[$0] }
  }

  @Test("The environment comes first", arguments: ["Adwaita:dark", "Breeze-Dark", "Adwaita", ":"])
  func environment(theme: String) {
    let expected: ColorScheme = theme.lowercased().hasSuffix("dark") ? .dark : .light
    let files = [Self.four: "gtk-application-prefer-dark-theme=\(expected == .dark ? 0 : 1)"]
    #expect(scheme(Self.home.merging(["GTK_THEME": theme]) { $1 }, files) == expected)
  }

  nonisolated static let settings: [(String, ColorScheme?)] = [
    ("[Settings]\ngtk-application-prefer-dark-theme = true\ngtk-theme-name=Light\n", .dark),
    ("[Settings]\r\ngtk-application-prefer-dark-theme=1\r\n", .dark),
    ("[Settings]\ngtk-theme-name=Dark\ngtk-application-prefer-dark-theme=false", .light),
    ("gtk-theme-name=Yaru-dark", .dark), ("gtk-theme-name=Yaru", .light), ("gtk-font-name=Sans 10", nil),
    ("gtk-application-prefer-dark-theme", nil), ("=\n==\n", nil), ("", nil),
  ]

  @Test("A file says it by preference or by the theme's name", arguments: settings)
  func file(text: String, expected: ColorScheme?) {
    #expect(scheme(Self.home, [Self.three: text]) == expected)
    #expect(scheme(["XDG_CONFIG_HOME": "/etc/x"], ["/etc/x/gtk-4.0/settings.ini": text]) == expected)
  }

  @Test("The newer file goes before the older, which is read where the newer says nothing")
  func order() {
    let light = "gtk-theme-name=Light"
    let dark = "gtk-theme-name=Some-Dark"
    #expect(scheme(Self.home, [Self.four: light, Self.three: dark]) == .light)
    #expect(scheme(Self.home, [Self.four: "", Self.three: dark]) == .dark)
  }

  @Test("Where nothing is said there is nothing, nor where no folder is known")
  func nothing() {
    #expect(scheme(Self.home) == nil && scheme([:]) == nil && scheme(["XDG_CONFIG_HOME": "here"]) == nil)
    #expect(scheme(["GTK_THEME": ""]) == nil)
  }
}
