import CVitrineSDL2
import Glibc
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

extension SDLTests {
  @Suite("Screenshots are written as complete PNG files or not at all")
  struct PNGFileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
      var template = Array("/tmp/vitrine-png-XXXXXX".utf8CString)
      let made = mkdtemp(&template)
      #expect(made != nil)
      let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      defer {
        for name in names(in: folder) { unlink("\(folder)/\(name)") }
        rmdir(folder)
      }
      try body(folder)
    }

    private func names(in folder: String) -> [String] {
      guard let stream = opendir(folder) else { return [] }
      defer { closedir(stream) }
      var names: [String] = []
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name != ".", name != ".." { names.append(name) }
      }
      return names
    }

    @Test("A file has the pixels that were written, one by one", arguments: [true, false])
    func roundTrip(isOpaque: Bool) throws {
      try withDisplay { display in
        try withFolder { folder in
          let picture = try bitmap(37, 11, isOpaque: isOpaque) { x, y in
            Color(red: UInt8(x * 6), green: UInt8(y * 20), blue: 77, alpha: isOpaque ? 255 : UInt8(x * 5 + 1))
          }
          let path = "\(folder)/Bild ä.png"
          try display.savePNG(picture, to: path)
          try display.savePNG(picture, to: path)
          #expect(names(in: folder) == ["Bild ä.png"])
          // The library is loaded by now.
          let load = try #require(
            dlsym(nil, "IMG_Load").map {
              unsafeBitCast(
                $0, to: (@convention(c) (UnsafePointer<CChar>?) -> UnsafeMutablePointer<SDL_Surface>?).self)
            })
          let loaded = try #require(load(path))
          defer { SDL_FreeSurface(loaded) }
          let converted = try #require(SDL_ConvertSurfaceFormat(loaded, SDL_PIXELFORMAT_RGBA32.rawValue, 0))
          defer { SDL_FreeSurface(converted) }
          #expect(converted.pointee.w == 37 && converted.pointee.h == 11)
          for y in 0..<11 {
            for x in 0..<37 {
              let word = converted.pointee.pixels.load(
                fromByteOffset: y * Int(converted.pointee.pitch) + x * 4, as: UInt32.self)
              #expect(Color(packed: word) == picture.color(x, y))
            }
          }
        }
      }
    }

    @Test("A missing folder is an error that contains the path")
    func missingFolder() throws {
      try withDisplay { display in
        let picture = try plain(2, 2, .white)
        let error = #expect(throws: DisplayError.self) { try display.savePNG(picture, to: "/nowhere/at/all.png") }
        #expect(error?.action == "write /nowhere/at/all.png" && error?.reason == "No such file or directory")
      }
    }

    @Test("A symbolic link remains, and its target is written")
    func link() throws {
      try withDisplay { display in
        try withFolder { folder in
          let picture = try plain(2, 2, .white)
          #expect(symlink("target.png", "\(folder)/link.png") == 0)
          try display.savePNG(picture, to: "\(folder)/link.png")
          #expect(names(in: folder).sorted() == ["link.png", "target.png"])
          var status = stat()
          #expect(lstat("\(folder)/link.png", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
          #expect(symlink("/dev/full", "\(folder)/full.png") == 0)
          #expect(throws: DisplayError.self) { try display.savePNG(picture, to: "\(folder)/full.png") }
        }
      }
    }

    @Test("A name that cannot be used is an error and leaves no file behind")
    func unusableName() throws {
      try withDisplay { display in
        try withFolder { folder in
          // A folder at the path of the file: writing succeeds, and renaming fails.
          mkdir("\(folder)/taken.png", 0o700)
          defer { rmdir("\(folder)/taken.png") }
          let picture = try plain(2, 2, .white)
          #expect(throws: DisplayError.self) { try display.savePNG(picture, to: "\(folder)/taken.png") }
          #expect(names(in: folder) == ["taken.png"])
        }
      }
    }
  }
}
