import Foundation
import Testing
import VitrineGalleryUI
import VitrinePhotoLibrary

@testable import vitrine

@Suite("The file of settings")
@MainActor struct SettingsFileTests {
  private let folder: TemporaryFolder
  private let path: PhotoPath

  init() throws {
    folder = try TemporaryFolder()
    path = PhotoPath(folder.path).appending("state")
  }

  /// Stores a text as the file, and returns it after changes of a run were added.
  private func save(_ json: String?, sideBar: Bool? = true) throws -> String? {
    let file = "\(folder.path)/state/settings.json"
    if let json {
      try FileManager.default.createDirectory(atPath: "\(folder.path)/state", withIntermediateDirectories: true)
      try json.write(toFile: file, atomically: true, encoding: .utf8)
    }
    let settings = SettingsFile { [path] in path }
    var changes = GallerySettings()
    changes.sideBar = sideBar
    settings.save(changes)
    settings.finish()
    return try? String(contentsOfFile: file, encoding: .utf8)
  }

  private func load() -> GallerySettings { SettingsFile { [path] in path }.load() }

  @Test("What was stored is read, with the folders that are whole")
  func partlyDamaged() throws {
    let json = """
      {"version": 1, "sideBar": 3, "folders": [
        {"path": "/a", "layout": "list", "size": 2}, {"path": "/b", "size": 1e40}, 7, {"path": "/c", "group": "month"}
      ]}
      """
    _ = try save(json)
    let settings = load()
    #expect(settings.sideBar == true && settings.folders.count == 2)
    #expect(settings.folder(at: PhotoPath("/a"))?.layoutKind == .list)
    #expect(settings.folder(at: PhotoPath("/c"))?.grouping == .month)
  }

  @Test("A file is created with its folder, and a damaged one is replaced", arguments: [nil, "", "{", "[]", "{}"])
  func damaged(json: String?) throws {
    _ = try save(json)
    #expect(load().sideBar == true)
  }

  @Test("A file of a later version and one that is too long are neither read nor replaced")
  func foreign() throws {
    for json in [#"{"version": 2, "sideBar": false}"#, String(repeating: " ", count: 2 << 20)] {
      #expect(try save(json) == json)
      #expect(load() == GallerySettings())
    }
  }

  @Test("Without a state folder nothing is stored")
  func noFolder() {
    let settings = SettingsFile { nil }
    settings.save(GallerySettings())
    settings.finish()
    #expect(settings.load() == GallerySettings())
  }
}
