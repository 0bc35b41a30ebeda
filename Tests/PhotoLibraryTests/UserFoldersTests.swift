import PhotoLibrary
import TestSupport
import Testing

@Suite("A user's folders")
struct UserFoldersTests {
  private static let home = ["HOME": "/home/ann"]

  @Test("lie in the home folder unless the environment says otherwise")
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

  @Test("are where the XDG variables put them")
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

  @Test("are nothing without a home, and relative ones do not count")
  func homeless() {
    for environment in [[:], ["HOME": ""], ["HOME": "relative", "XDG_CACHE_HOME": "cache"]] {
      let folders = UserFolders(environment: environment) { _ in true }
      #expect(folders.pictures == nil)
      #expect(folders.cache == nil)
      #expect(folders.state == nil)
      #expect(folders.configuration == nil)
      #expect(UserFolders.userDirectoriesFile(environment: environment) == nil)
    }
    #expect(UserFolders(environment: ["XDG_CACHE_HOME": "/c"], stands: { _ in true }).cache == PhotoPath("/c/vitrine"))
  }

  @Test("are nothing in a home that does not stand, so that it is not made")
  func absentHome() {
    let folders = UserFolders(environment: Self.home) { $0 != PhotoPath("/home/ann") }
    #expect(folders.pictures == nil)
    #expect(folders.cache == nil && folders.thumbnails == nil)
    #expect(folders.state == nil && folders.configuration == nil)
  }

  @Test("are where the XDG variables put them if the folder around that stands, and then need no home")
  func absentBase() {
    let environment = Self.home.merging(["XDG_CACHE_HOME": "/there/c", "XDG_STATE_HOME": "/gone/s"]) { $1 }
    let folders = UserFolders(environment: environment) { $0 == PhotoPath("/there") }
    #expect(folders.cache == PhotoPath("/there/c/vitrine"))
    // Not in the home instead: the user said where.
    #expect(folders.state == nil)
    #expect(UserFolders(environment: environment) { $0 != PhotoPath("/gone") }.state == nil)
  }

  @Test(
    "are read from the desktop's list",
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

  @Test("hold no pictures where the list names the home folder itself")
  func switchedOff() {
    for file in ["XDG_PICTURES_DIR=\"$HOME\"", "XDG_PICTURES_DIR=\"$HOME/\""] {
      let folders = UserFolders(environment: Self.home, userDirectories: Array(file.utf8)) { _ in true }
      #expect(folders.pictures == nil)
    }
  }

  @Test("survive any list")
  func nonsense() {
    var random = SeededGenerator(seed: 21)
    let pieces =
      ["XDG_PICTURES_DIR", "=", "\"", "$HOME", "/", "\\", "\n", " ", "x", "#"].map { Array($0.utf8) } + [[0xFF]]
    for _ in 0..<3000 {
      let bytes = (0..<12).flatMap { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
      let pictures = UserFolders(environment: Self.home, userDirectories: bytes, stands: { _ in true }).pictures
      #expect(pictures?.isAbsolute != false)
    }
  }
}
