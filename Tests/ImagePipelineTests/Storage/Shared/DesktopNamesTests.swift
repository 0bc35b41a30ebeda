import Testing

@testable import ImagePipeline

@Suite("The names by which desktops share thumbnails")
struct DesktopNamesTests {
  @Test("The example of the specification")
  func specification() {
    #expect(DesktopNames.uri(ofPath: Array("/home/jens/photos/me.png".utf8)) == "file:///home/jens/photos/me.png")
    #expect(DesktopNames.digest("file:///home/jens/photos/me.png") == "c6ee772d9e49320e97ec29a7eb5b1697")
    #expect(DesktopNames.digest("") == "d41d8cd98f00b204e9800998ecf8427e")
  }

  @Test("Every byte but zero, as GLib and so GNOME writes it")
  func everyByte() {
    let plain = Set("!$&'()*+,-./0123456789:=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~".utf8)
    for byte in UInt8(1)...255 {
      let digits = String(byte, radix: 16, uppercase: true)
      let expected = plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
      #expect(DesktopNames.uri(ofPath: [47, 97, byte, 98]) == "file:///a" + expected + "b", "byte \(byte)")
    }
  }

  @Test("What is no absolute path has no such name")
  func noName() {
    #expect(DesktopNames.uri(ofPath: Array("a/b".utf8)) == nil)
    #expect(DesktopNames.uri(ofPath: []) == nil)
    #expect(DesktopNames.uri(ofPath: [47, 0, 47]) == nil)
  }
}
