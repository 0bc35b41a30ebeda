import Geometry
import Rendering
import TestSupport
import Testing

@testable import ImageDecoding

@Suite("Colour profiles")
struct ColorProfileTests {
  private static let exchanged = ProfileWriter(primaries: ProfileWriter.exchanged).bytes
  private static let red = Color(hex: 0xFF0000)
  private static let green = Color(hex: 0x00FF00)
  private static let flat = TestPicture(width: 16, height: 16) { _, _ in ColorProfileTests.red }

  /// A JPEG with a profile in segments of so many bytes, each with a number and how many there are.
  private func jpeg(_ profile: [UInt8], bytesPerSegment: Int = 60_000, leavingOut missing: Int? = nil) throws -> [UInt8]
  {
    let file = try JPEGFixture.file(ColorProfileTests.flat)
    let parts = stride(from: 0, to: profile.count, by: bytesPerSegment).map {
      Array(profile[$0..<min(profile.count, $0 + bytesPerSegment)])
    }
    // The last first, as the order is that of the numbers.
    let segments = parts.indices.reversed().filter { $0 != missing }.flatMap { index -> [UInt8] in
      let content = Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(parts.count)] + parts[index]
      return [0xFF, 0xE2, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }
    return file.prefix(2) + segments + file.dropFirst(2)
  }

  private func png(_ profile: [UInt8]) -> [UInt8] {
    var writer = PNGWriter(width: 16, height: 16)
    writer.chunks = [PNGWriter.chunk("iCCP", Array("p\0\0".utf8) + PNGWriter.stored(profile))]
    return writer.file(ColorProfileTests.flat)
  }

  private func center(_ file: [UInt8]) throws -> Color { try Decoding.decode(file, width: 4, height: 4).picture[2, 2] }

  @Test("A profile in each format turns its colours into sRGB")
  func formats() throws {
    let profile = ColorProfileTests.exchanged
    #expect(Decoding.isNear(try center(jpeg(profile)), ColorProfileTests.green, within: 8))
    #expect(Decoding.isNear(try center(jpeg(profile, bytesPerSegment: 100)), ColorProfileTests.green, within: 8))
    #expect(Decoding.isNear(try center(png(profile)), ColorProfileTests.green, within: 2))
    var tiff = TIFFWriter(width: 2, height: 1)
    tiff.profile = profile
    #expect(Decoding.isNear(try center(tiff.file(rows: [[255, 0, 0, 255, 0, 0]])), ColorProfileTests.green, within: 2))
    let webP = WebPFixture.withProfile(profile, WebPFixture.losslessCorners, width: 24, height: 16)
    let picture = try Decoding.decode(webP).picture
    #expect(Decoding.isNear(picture[0, 0], ColorProfileTests.green, within: 2))
    #expect(Decoding.isNear(picture[23, 0], ColorProfileTests.red, within: 2))
  }

  @Test("sRGB is known by what it says, not by its name, and changes nothing")
  func standard() throws {
    for curve in [ProfileWriter.Curve.parametric, .table] {
      let profile = ProfileWriter(curve: curve).bytes
      #expect(ICCProfile(profile)?.isStandard == true)
      #expect(try center(png(profile)) == ColorProfileTests.red)
    }
    #expect(ICCProfile(ColorProfileTests.exchanged)?.isStandard == false)
    #expect(ICCProfile(ProfileWriter(curve: .gamma(1.8)).bytes)?.isStandard == false)
    #expect(ICCProfile(ProfileWriter(curve: .gamma(2.2)).bytes)?.isStandard == false)
    #expect(ICCProfile(ProfileWriter(isGrey: true).bytes)?.isStandard == false)
  }

  @Test("Another curve makes middle levels brighter or darker")
  func curves() throws {
    let grey = TestPicture(width: 16, height: 16) { _, _ in Color(red: 128, green: 128, blue: 128) }
    for isGrey in [false, true] {
      var writer = PNGWriter(width: 16, height: 16)
      let profile = ProfileWriter(curve: .gamma(1), isGrey: isGrey).bytes
      writer.chunks = [PNGWriter.chunk("iCCP", Array("p\0\0".utf8) + PNGWriter.stored(profile))]
      // Half the light is level 188 of sRGB.
      let color = try center(writer.file(grey))
      #expect(Decoding.isNear(color, Color(red: 188, green: 188, blue: 188), within: 2))
    }
  }

  @Test("A profile for grey leaves colours alone")
  func greyOfColors() throws {
    #expect(try center(png(ProfileWriter(curve: .gamma(1), isGrey: true).bytes)) == ColorProfileTests.red)
  }

  @Test("A profile that makes no sense, lacks a part or is too long is left out")
  func refused() throws {
    var torn = ColorProfileTests.exchanged
    for index in 128..<torn.count { torn[index] = UInt8(truncatingIfNeeded: index &* 37) }
    #expect(try center(png(torn)) == ColorProfileTests.red)
    #expect(try center(png(Array(ColorProfileTests.exchanged.prefix(100)))) == ColorProfileTests.red)
    #expect(try center(png([])) == ColorProfileTests.red)
    let broken = try jpeg(ColorProfileTests.exchanged, bytesPerSegment: 100, leavingOut: 1)
    #expect(Decoding.isNear(try center(broken), ColorProfileTests.red, within: 8))
    var long = ColorProfileTests.exchanged
    long += [UInt8](repeating: 0, count: ICCProfile.mostBytes)
    #expect(ICCProfile(long) == nil)
    #expect(EmbeddedProfile.ofJPEG(UnsafeRawBufferPointer(start: nil, count: 0)) == .standard)
  }

  @Test("A PNG whose profile cannot be inflated is shown without it")
  func tornPNG() throws {
    var writer = PNGWriter(width: 16, height: 16)
    writer.chunks = [PNGWriter.chunk("iCCP", Array("p\0\0".utf8) + [0x78, 0x9C, 1, 2, 3, 4, 5, 6])]
    let (picture, _) = try Decoding.decode(writer.file(ColorProfileTests.flat))
    #expect(picture == ColorProfileTests.flat)
    // Longer than is inflated: twenty thousand repetitions of 258 noughts.
    writer.chunks = [PNGWriter.chunk("iCCP", Array("p\0\0".utf8) + PNGWriter.noughts(repeating: 20_000))]
    #expect(try Decoding.decode(writer.file(ColorProfileTests.flat)).picture == ColorProfileTests.flat)
    var file = png(ColorProfileTests.exchanged)
    // A wrong checksum.
    file[8 + 25 + 20] ^= 1
    let shown = try Decoding.decode(file)
    #expect(shown.picture == ColorProfileTests.flat && shown.image.isDamaged)
  }

  @Test("Spaces that are named by numbers: those of video are sRGB, wide ones are brought into it")
  func coded() throws {
    #expect(PictureColors(primaries: 1, transfer: 13) == .standard)
    #expect(PictureColors(primaries: 2, transfer: 2) == .standard)
    func convert(_ primaries: Int, _ transfer: Int, _ color: [UInt8]) -> [UInt8] {
      var pixel = color + [255]
      PictureColors(primaries: primaries, transfer: transfer).convert(&pixel, count: 1)
      #expect(pixel[3] == 255)
      return Array(pixel.prefix(3))
    }
    let known = zip(convert(12, 13, [200, 100, 50]), [215, 93, 31]).allSatisfy { abs(Int($0) - $1) <= 3 }
    #expect(known, "\(convert(12, 13, [200, 100, 50]))")
    #expect(convert(12, 13, [90, 90, 90]).allSatisfy { abs(Int($0) - 90) <= 1 })
    // Pictures for bright displays have been converted before they were rounded.
    #expect(convert(9, 16, [148, 148, 148]) == [148, 148, 148])
    #expect(convert(99, 13, [1, 2, 3]) == [1, 2, 3])
  }
}
