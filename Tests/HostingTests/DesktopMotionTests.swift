import Foundation
import TestSupport
import Testing

@testable import Hosting

@Suite("What the desktop says of motion is read from its files")
struct DesktopMotionTests {
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
    "GTK's settings, the newer program's before the older's",
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
    "KDE's: a factor of nothing",
    arguments: [
      ("[KDE]\nAnimationDurationFactor=0\n", true), ("[KDE]\nAnimationDurationFactor=0.0", true),
      ("[KDE]\nAnimationDurationFactor=0.5", false), ("[General]\nAnimationDurationFactor=0", false),
      ("[KDE]\nAnimationDurationFactor=zero", false),
      ("[KDE]\nAnimationDurationFactor=1\n[KDE]\nAnimationDurationFactor=0", true),
    ])
  func kde(text: String, expected: Bool) throws { #expect(try isReduced(["kdeglobals": text]) == expected) }

  @Test("Settings are looked for where the environment says, and nothing is said where there are none")
  func folders() throws {
    let files = [".config/gtk-4.0/settings.ini": "[Settings]\ngtk-enable-animations=false"]
    #expect(try isReduced(files) { ["HOME": $0] })
    #expect(try isReduced(files) { ["HOME": $0, "XDG_CONFIG_HOME": "relative"] })
    #expect(try !isReduced(files) { ["HOME": $0, "XDG_CONFIG_HOME": $0 + "/elsewhere"] })
    #expect(try !isReduced(files) { _ in [:] })
    #expect(try !isReduced([".config/gtk-4.0/settings.ini/x": ""]) { ["HOME": $0] }, "a folder of that name")
    #expect(try !isReduced([:]))
  }

  @Test("Without a window the desktop is not asked")
  func headless() {
    var options = HostingOptions()
    options.isHeadless = true
    options.applyDesktopSettings()
    #expect(!options.reducesMotion)
  }
}
