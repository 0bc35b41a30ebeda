import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecoding
@testable import VitrineImageDecodingCore

@Suite("Color profiles")
struct ColorProfileTests {
  private static let exchanged = ICCProfileWriter(primaries: ICCProfileWriter.exchanged).bytes
  private static let red = Color(hex: 0xFF0000)
  private static let green = Color(hex: 0x00FF00)
  private static let flat = TestPicture(width: 16, height: 16) { _, _ in ColorProfileTests.red }

  /// Returns a JPEG file with a profile in numbered segments of a maximum length.
  private func jpeg(_ profile: [UInt8], bytesPerSegment: Int = 60_000, omitting missing: Int? = nil) throws -> [UInt8] {
    let file = try JPEGFixture.file(ColorProfileTests.flat)
    let parts = stride(from: 0, to: profile.count, by: bytesPerSegment).map {
      Array(profile[$0..<min(profile.count, $0 + bytesPerSegment)])
    }
    // The last one comes first, because the numbers determine the order.
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

  @Test("A profile in each format converts the colors to sRGB")
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

  @Test("sRGB is recognized by its values, not by its name, and its colors are unchanged")
  func standard() throws {
    for curve in [ICCProfileWriter.Curve.parametric, .table] {
      let profile = ICCProfileWriter(curve: curve).bytes
      #expect(ICCProfile(profile)?.isStandard == true)
      #expect(try center(png(profile)) == ColorProfileTests.red)
    }
    #expect(ICCProfile(ColorProfileTests.exchanged)?.isStandard == false)
    #expect(ICCProfile(ICCProfileWriter(curve: .gamma(1.8)).bytes)?.isStandard == false)
    #expect(ICCProfile(ICCProfileWriter(curve: .gamma(2.2)).bytes)?.isStandard == false)
    #expect(ICCProfile(ICCProfileWriter(isGrey: true).bytes)?.isStandard == false)
  }

  @Test("Another curve makes the middle levels brighter or darker")
  func curves() throws {
    let grey = TestPicture(width: 16, height: 16) { _, _ in Color(red: 128, green: 128, blue: 128) }
    for isGrey in [false, true] {
      var writer = PNGWriter(width: 16, height: 16)
      let profile = ICCProfileWriter(curve: .gamma(1), isGrey: isGrey).bytes
      writer.chunks = [PNGWriter.chunk("iCCP", Array("p\0\0".utf8) + PNGWriter.stored(profile))]
      // Half of the light is level 188 in sRGB.
      let color = try center(writer.file(grey))
      #expect(Decoding.isNear(color, Color(red: 188, green: 188, blue: 188), within: 2))
    }
  }

  @Test("A profile for grey does not change colors")
  func greyOfColors() throws {
    #expect(try center(png(ICCProfileWriter(curve: .gamma(1), isGrey: true).bytes)) == ColorProfileTests.red)
  }

  @Test("A profile that is invalid, incomplete or too long is ignored")
  func refused() throws {
    var corrupt = ColorProfileTests.exchanged
    for index in 128..<corrupt.count { corrupt[index] = UInt8(truncatingIfNeeded: index &* 37) }
    #expect(try center(png(corrupt)) == ColorProfileTests.red)
    #expect(try center(png(Array(ColorProfileTests.exchanged.prefix(100)))) == ColorProfileTests.red)
    #expect(try center(png([])) == ColorProfileTests.red)
    let broken = try jpeg(ColorProfileTests.exchanged, bytesPerSegment: 100, omitting: 1)
    #expect(Decoding.isNear(try center(broken), ColorProfileTests.red, within: 8))
    var long = ColorProfileTests.exchanged
    long += [UInt8](repeating: 0, count: ICCProfile.maximumBytes)
    #expect(ICCProfile(long) == nil)
    #expect(EmbeddedProfile.ofJPEG(UnsafeRawBufferPointer(start: nil, count: 0)) == .standard)
  }

  @Test("A PNG file whose profile cannot be inflated is decoded without it")
  func corruptPNGProfile() throws {
    var writer = PNGWriter(width: 16, height: 16)
    writer.chunks = [PNGWriter.chunk("iCCP", Array("p\0\0".utf8) + [0x78, 0x9C, 1, 2, 3, 4, 5, 6])]
    let (picture, _) = try Decoding.decode(writer.file(ColorProfileTests.flat))
    #expect(picture == ColorProfileTests.flat)
    // Longer than the limit: 20,000 repetitions of 258 zeros.
    writer.chunks = [PNGWriter.chunk("iCCP", Array("p\0\0".utf8) + PNGWriter.zeros(repeating: 20_000))]
    #expect(try Decoding.decode(writer.file(ColorProfileTests.flat)).picture == ColorProfileTests.flat)
    var file = png(ColorProfileTests.exchanged)
    // A wrong checksum.
    file[8 + 25 + 20] ^= 1
    let shown = try Decoding.decode(file)
    #expect(shown.picture == ColorProfileTests.flat && shown.image.isDamaged)
  }

  @Test("Video color spaces count as sRGB, and wide color spaces are converted to it")
  func codedColorSpaces() throws {
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
    // HDR colors were converted before they were rounded.
    #expect(convert(9, 16, [148, 148, 148]) == [148, 148, 148])
    #expect(convert(99, 13, [1, 2, 3]) == [1, 2, 3])
  }
}

// MARK: - HDR colors

@Suite("HDR colors are converted to sRGB")
struct HDRColorTests {
  private func grey(_ level: Float, transfer: Int, primaries: Int = 9) throws -> Int {
    let colors = try #require(HDRToneMapping(primaries: primaries, transfer: transfer))
    let shown = colors.convert(SIMD3(repeating: level * 255))
    // The white of all primaries is the white of sRGB.
    #expect(abs(Int(shown.0) - Int(shown.1)) <= 1 && abs(Int(shown.0) - Int(shown.2)) <= 1)
    return Int(shown.1)
  }

  @Test("PQ: dark levels are preserved, 1,000 candela are white, and the curve is monotonic")
  func perceptualQuantizer() throws {
    #expect(try grey(0, transfer: 16) == 0)
    // 1 and 20 of 203 candela: 0.0049 and 0.0985 of white, 0.0600 and 0.3487 in sRGB.
    #expect(abs(try grey(0.1499, transfer: 16) - 15) <= 1)
    #expect(abs(try grey(0.3608, transfer: 16) - 89) <= 1)
    // Diffuse white at 203 candela leaves headroom: the spline of BT.2390 maps it to 159 candela, 0.78 of white.
    #expect(abs(try grey(0.5807, transfer: 16) - 228) <= 2)
    #expect(try grey(0.7518, transfer: 16) == 255 && grey(1, transfer: 16) == 255)
    let levels = try stride(from: Float(0), through: 1, by: 0.01).map { try grey($0, transfer: 16) }
    #expect(levels == levels.sorted())
  }

  @Test("HLG: half of the signal is dark grey on a display of 1,000 candela, and its maximum is white")
  func hybridLogGamma() throws {
    // 1/12 of the light of the scene, to the power of 1.2: 50.7 candela, 0.25 of white.
    #expect(abs(try grey(0.5, transfer: 18) - 137) <= 2)
    #expect(try grey(0, transfer: 18) == 0 && grey(1, transfer: 18) == 255)
  }

  @Test("A bright color keeps its hue, and other transfer functions are not converted")
  func colors() throws {
    let colors = try #require(HDRToneMapping(primaries: 1, transfer: 16))
    let (red, green, blue) = colors.convert(SIMD3(0.75, 0.5, 0.25) * 255)
    #expect(red == 255 && green > blue && green < 200)
    #expect(HDRToneMapping(primaries: 1, transfer: 13) == nil)
    #expect(
      PictureColors(primaries: 9, transfer: 16).hdrToneMapping != nil
        && PictureColors(primaries: 12, transfer: 13).hdrToneMapping == nil)
  }
}
