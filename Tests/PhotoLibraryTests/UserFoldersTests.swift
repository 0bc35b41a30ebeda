import Testing
import VitrinePhotoLibrary
import VitrineTestSupport

@Suite("User folders")
struct UserFoldersTests {
  private static let home = ["HOME": "/home/ann"]

  @Test("The folders are in the home folder by default")
  func defaults() {
    let folders = UserFolders(environment: Self.home) { _ in true }
    #expect(folders.pictures == PhotoPath("/home/ann/Pictures"))
    #expect(folders.cache == PhotoPath("/home/ann/.cache/vitrine"))
    #expect(folders.thumbnails == PhotoPath("/home/ann/.cache/thumbnails"))
    #expect(folders.state == PhotoPath("/home/ann/.local/state/vitrine"))
    #expect(folders.configuration == PhotoPath("/home/ann/.config/vitrine"))
    #expect(
      UserFolders.userDirectoriesFile(environment: Self.home) == PhotoPath("/home/ann/.config/user-dirs.dirs"))
  }

  @Test("The XDG variables override the defaults")
  func variables() {
    let environment = Self.home.merging(
      ["XDG_CACHE_HOME": "/c", "XDG_STATE_HOME": "/s/", "XDG_CONFIG_HOME": "/f"]
    ) { $1 }
    let folders = UserFolders(environment: environment, name: "other") { _ in true }
    #expect(folders.cache == PhotoPath("/c/other"))
    #expect(folders.thumbnails == PhotoPath("/c/thumbnails"))
    #expect(folders.state == PhotoPath("/s/other"))
    #expect(folders.configuration == PhotoPath("/f/other"))
    #expect(UserFolders.userDirectoriesFile(environment: environment) == PhotoPath("/f/user-dirs.dirs"))
  }

  @Test("Without an absolute home folder, all folders are nil")
  func withoutHome() {
    for environment in [[:], ["HOME": ""], ["HOME": "relative", "XDG_CACHE_HOME": "cache"]] {
      let folders = UserFolders(environment: environment) { _ in true }
      #expect(folders.pictures == nil)
      #expect(folders.cache == nil)
      #expect(folders.state == nil)
      #expect(folders.configuration == nil)
      #expect(UserFolders.userDirectoriesFile(environment: environment) == nil)
    }
    #expect(
      UserFolders(environment: ["XDG_CACHE_HOME": "/c"], folderExists: { _ in true }).cache == PhotoPath("/c/vitrine"))
  }

  @Test("In a home folder that does not exist all folders are nil, so that it is not created")
  func absentHome() {
    let folders = UserFolders(environment: Self.home) { $0 != PhotoPath("/home/ann") }
    #expect(folders.pictures == nil)
    #expect(folders.cache == nil && folders.thumbnails == nil)
    #expect(folders.state == nil && folders.configuration == nil)
  }

  @Test("A folder of an XDG variable needs no home, but its parent must exist")
  func absentBase() {
    let environment = Self.home.merging(["XDG_CACHE_HOME": "/there/c", "XDG_STATE_HOME": "/gone/s"]) { $1 }
    let folders = UserFolders(environment: environment) { $0 == PhotoPath("/there") }
    #expect(folders.cache == PhotoPath("/there/c/vitrine"))
    // There is no fallback to the home folder, because the user has chosen another one.
    #expect(folders.state == nil)
    #expect(UserFolders(environment: environment) { $0 != PhotoPath("/gone") }.state == nil)
  }

  @Test(
    "The pictures folder is read from the user directories file",
    arguments: [
      ("XDG_PICTURES_DIR=\"$HOME/Bilder\"", "/home/ann/Bilder"),
      ("# a comment\nXDG_MUSIC_DIR=\"$HOME/M\"\n  XDG_PICTURES_DIR = \"/srv/photos\"\n", "/srv/photos"),
      ("XDG_PICTURES_DIR=\"$HOME/a \\\"b\\\" \\$c\\\\d\"", "/home/ann/a \"b\" $c\\d"),
      ("XDG_PICTURES_DIR=\"$HOME/one\"\nXDG_PICTURES_DIR=\"$HOME/two\"", "/home/ann/two"),
      ("XDG_PICTURES_DIR=\"/x\nXDG_PICTURES_DIR=relative\nXDG_PICTURES_DIR=\"$HOMER/x\"", "/home/ann/Pictures"),
      ("XDG_PICTURES_DIRX=\"/x\"", "/home/ann/Pictures"),
      ("", "/home/ann/Pictures"),
    ])
  func userDirectories(file: String, pictures: String) {
    let folders = UserFolders(environment: Self.home, userDirectories: Array(file.utf8)) { _ in true }
    #expect(folders.pictures == PhotoPath(pictures))
  }

  @Test("There is no pictures folder if the user directories file names the home folder itself")
  func homeAsPicturesFolder() {
    for file in ["XDG_PICTURES_DIR=\"$HOME\"", "XDG_PICTURES_DIR=\"$HOME/\""] {
      let folders = UserFolders(environment: Self.home, userDirectories: Array(file.utf8)) { _ in true }
      #expect(folders.pictures == nil)
    }
  }

  @Test("Any user directories file is parsed")
  func randomFiles() {
    var random = SeededGenerator(seed: 21)
    let pieces =
      ["XDG_PICTURES_DIR", "=", "\"", "$HOME", "/", "\\", "\n", " ", "x", "#"].map { Array($0.utf8) } + [[0xFF]]
    for _ in 0..<3000 {
      let bytes = (0..<12).flatMap { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
      let pictures = UserFolders(environment: Self.home, userDirectories: bytes, folderExists: { _ in true }).pictures
      #expect(pictures?.isAbsolute != false)
    }
  }
}
