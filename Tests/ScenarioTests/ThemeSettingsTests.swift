import Testing
import VitrineDiagnostics
import VitrineGalleryUI
import VitrineHosting

@testable import vitrine

@Suite("The theme that the options and the desktop select")
@MainActor struct ThemeSettingsTests {
  @Test("The options have precedence over the desktop's color scheme, and contrast can be requested by both")
  func themes() {
    let (light, dark) = (DesktopAppearance(colorScheme: .light), DesktopAppearance(colorScheme: .dark))
    let highContrast = DesktopAppearance(colorScheme: .light, prefersHighContrast: true)
    let auto = ThemeSettings()
    #expect(auto.theme(for: DesktopAppearance()) == .dark)
    #expect(auto.theme(for: light) == .light)
    #expect(auto.theme(for: dark) == .dark)
    #expect(auto.theme(for: highContrast) == .highContrastLight)
    #expect(ThemeSettings(choice: .dark).theme(for: light) == .dark)
    #expect(ThemeSettings(choice: .dark).theme(for: highContrast) == .highContrastDark)
    #expect(ThemeSettings(choice: .light).theme(for: dark) == .light)
    #expect(ThemeSettings(hasHighContrast: true).theme(for: light) == .highContrastLight)
  }

  @Test(
    "The desktop's settings are followed in a window in real time, and not while a run is recorded",
    arguments: [
      ([], true), (["--theme", "dark"], true), (["--headless"], false), (["--clock", "virtual"], false),
      (["--clock", "cpu"], false), (["--record", "recording"], false),
    ] as [([String], Bool)])
  func following(arguments: [String], expected: Bool) throws {
    let line = try GalleryOptions.table.parse(
      arguments.map { Array($0.utf8) }, into: GalleryOptions(), common: \.common, of: "vitrine",
      modes: GalleryOptions.modes, replacedNames: GalleryOptions.replacedOptionNames)
    #expect(line.settings.followsDesktopAppearance == expected)
  }
}
