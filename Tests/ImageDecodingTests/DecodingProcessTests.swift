import CVitrinePlatform
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata

@Suite("The decoding process")
struct DecodingProcessTests {
  private func color(_ process: DecodingProcess, slot: Int = 0, at pixel: Int) -> [UInt8] {
    Array(process.slot(slot)[pixel * 4..<pixel * 4 + 4])
  }

  @Test("A file is decoded to pixels")
  func decodes() throws {
    let process = try DecodingProcess()
    let file = JPEGFixture.oriented(try JPEGFixture.file(.corners(width: 64, height: 32)), .right)
    let reply = try #require(try process.decode(file, width: 10, height: 20, slot: 1))
    #expect(reply.status == .ok)
    #expect(reply.id == 7)
    #expect((reply.width, reply.height) == (10, 20))
    #expect((reply.sourceWidth, reply.sourceHeight, reply.orientation) == (32, 64, 6))
    #expect(reply.byteCount == 800)
    #expect(!reply.isDamaged)
    let topLeft = color(process, slot: 1, at: 0)
    #expect(topLeft[2] > 200 && topLeft[0] < 60 && topLeft[3] == 255)
    let expected = try Decoding.decode(file, width: 10, height: 20).picture
    #expect(Array(process.slot(1)[..<800]) == expected.bytes)
    #expect(process.slot(0).allSatisfy { $0 == 0 })
  }

  @Test("Pixels are encoded to a file")
  func encodes() throws {
    let process = try DecodingProcess()
    let picture = TestPicture.landscape(width: 50, height: 40)
    process.slot(0).copyBytes(from: picture.bytes)
    let size = try #require(PixelSize(width: 50, height: 40))
    let reply = try #require(
      process.perform(DecodingRequest(id: 3, operation: .encode, slot: 0, size: size, quality: 90)))
    #expect(reply.status == .ok)
    #expect(Array(process.slot(0)[..<Int(reply.byteCount)]) == (try JPEGFixture.file(picture, quality: 90)))
  }

  @Test("The result may be smaller than requested, and is drawn over the requested background")
  func fits() throws {
    let process = try DecodingProcess()
    let file = WebPFixture.still(WebPFixture.alphaCorners)
    let reply = try #require(try process.decode(file, width: 100, height: 100, fit: .fit, background: 0x00C0_8040))
    #expect((reply.width, reply.height) == (24, 16))
    #expect(color(process, at: 24 * 16 - 1) == [0x40, 0x80, 0xC0, 255])
  }

  @Test("If only the preview is requested, only the preview of a large file is read")
  func preview() throws {
    let process = try DecodingProcess()
    let small = try JPEGFixture.file(.corners(width: 80, height: 60))
    let content = Array("Exif\0\0".utf8) + JPEGFixture.exif(.up, preview: small)
    let plain = try JPEGFixture.file(.landscape(width: 320, height: 240))
    let file =
      plain.prefix(2) + [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
      + plain.dropFirst(2)
    let bytes = ImageLimits.standardFileBytes
    let descriptor = platform_memfd("picture", bytes)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let written = Array(file).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    try #require(written == file.count)
    #expect(try process.decode(small, width: 40, height: 30)?.status == .ok)
    process.endPicture()
    let before = try #require(process.lastPicture).peakKilobytes
    let request = DecodingRequest(
      id: 7, operation: .decode, slot: 0, size: try #require(PixelSize(width: 40, height: 30)), fit: .fill,
      fileBytes: UInt64(bytes), representation: .embedded)
    let reply = try #require(process.perform(request, file: descriptor))
    #expect(reply.status == .ok)
    #expect((reply.sourceWidth, reply.sourceHeight) == (320, 240))
    #expect(Array(process.slot(0)[..<4])[0] > 200)
    process.endPicture()
    #expect(try #require(process.lastPicture).peakKilobytes - before < 16 << 10)
    let png = try DecodingProcess.file(PNGWriter.file(.corners(width: 64, height: 64)))
    defer { close(png) }
    #expect(process.perform(request, file: png)?.status == .noPreview)
  }

  @Test("Each failure has its status, and the next picture is decoded")
  func failures() throws {
    let process = try DecodingProcess(slotBytes: 4096)
    func status(_ file: [UInt8], width: Int = 16, height: Int = 16) throws -> DecodingStatus? {
      try process.decode(file, width: width, height: height)?.status
    }
    let good = PNGWriter.file(.corners(width: 64, height: 64))
    #expect(try status([]) == .emptyFile)
    #expect(try status(Array("<html>".utf8)) == .notAPicture)
    #expect(try status([0xFF, 0x0A, 0, 0]) == .unsupportedFormat)
    #expect(try status(Array(good.prefix(60))) == .damaged)
    #expect(try status(good, width: 33, height: 32) == .slotTooSmall)
    #expect(try status(good, width: 32, height: 32) == .ok)
    let giant =
      PNGWriter.signature + PNGWriter.chunk("IHDR", PNGWriter.big(30_000) + PNGWriter.big(30_000) + [8, 6, 0, 0, 0])
    let reply = try process.decode(giant, width: 16, height: 16)
    #expect(reply?.status == .tooLarge)
    #expect(reply?.sourceWidth == 30_000)
    let partial = try process.decode(Array(good.prefix(good.count / 2)), width: 16, height: 16)
    #expect(partial?.status == .ok)
    #expect(partial?.isDamaged == true)
  }

  /// Returns the descriptor of an animation of a red and a green frame, which the caller closes, and the request for its
  /// first frame.
  private func animationRequest() throws -> (file: Int32, request: DecodingRequest) {
    let writer = GIFWriter(canvas: (3, 2), palette: [[255, 0, 0], [0, 255, 0]])
    let rows: [[[UInt8]]] = [[[0, 0, 0], [0, 0, 0]], [[1, 1, 1], [1, 1, 1]]]
    let bytes = writer.file(rows.map { .init(rows: $0, delay: 12) })
    let request = DecodingRequest(
      id: 1, operation: .animate, slot: 0, size: try #require(PixelSize(width: 8, height: 8)), fit: .fit,
      fileBytes: UInt64(bytes.count))
    return (try DecodingProcess.file(bytes), request)
  }

  @Test("The frames of an animation are decoded one by one, and from the first one again")
  func animation() throws {
    let process = try DecodingProcess()
    let animation = try animationRequest()
    let file = animation.file
    var request = animation.request
    defer { close(file) }
    // Without a file there is nothing to decode.
    #expect(process.perform(request)?.status == .badRequest)
    for _ in 0..<2 {
      let first = try #require(process.perform(request, file: request.startsAnimation ? -1 : file))
      #expect((first.status, first.width, first.height, first.frameMilliseconds) == (.ok, 3, 2, 120))
      #expect(color(process, at: 5) == [255, 0, 0, 255])
      request.startsAnimation = false
      #expect(process.perform(request)?.status == .ok)
      #expect(color(process, at: 5) == [0, 255, 0, 255])
      #expect(process.perform(request)?.status == .noFrame)
      #expect(process.perform(request)?.status == .noFrame)
      request.startsAnimation = true
    }
    let still = try DecodingProcess.file(PNGWriter.file(.corners(width: 8, height: 8)))
    defer { close(still) }
    request.fileBytes = 1000
    #expect(process.perform(request, file: still)?.status == .noFrame)
    let photograph = try DecodingProcess.file(try JPEGFixture.file(.corners(width: 8, height: 8)))
    defer { close(photograph) }
    #expect(process.perform(request, file: photograph)?.status == .noFrame)
    // A process whose file is no animation has ended.
    #expect(process.endPicture() == .status(0))
    #expect(process.perform(request)?.status == .badRequest)
  }

  @Test("The program of the common formats neither decodes the others nor loads their libraries")
  func commonFormats() throws {
    let process = try DecodingProcess(executable: DecodingLaunch.executableName)
    guard process.layers.isSandbox else { return }
    #expect(Set(process.formats) == [.jpeg, .png, .webp, .gif, .bmp, .qoi])
    for file in [ISOMediaFixture.corners, ISOMediaFixture.heic] {
      #expect(try process.decode(file, width: 8, height: 8)?.status == .otherProgram)
    }
    let file = try DecodingProcess.file(ISOMediaFixture.corners)
    defer { close(file) }
    let request = DecodingRequest(
      id: 1, operation: .animate, slot: 0, size: try #require(PixelSize(width: 8, height: 8)),
      fileBytes: UInt64(ISOMediaFixture.corners.count))
    #expect(process.perform(request, file: file)?.status == .otherProgram)
    #expect(try process.decode(PNGWriter.file(.corners(width: 8, height: 8)), width: 8, height: 8)?.status == .ok)
    // Only the superuser may read the list of a process that is not dumpable.
    guard getuid() == 0 else { return }
    let libraries = ["libheif", "libavif", "libtiff", "libde265", "libdav1d"]
    let other = try DecodingProcess()
    #expect(libraries.allSatisfy { !process.maps.contains($0) && other.maps.contains($0) })
  }

  @Test("The process of an animation decodes no other picture")
  func oneAnimation() throws {
    let process = try DecodingProcess()
    let animation = try animationRequest()
    let file = animation.file
    var request = animation.request
    defer { close(file) }
    #expect(process.perform(request, file: file)?.status == .ok)
    for operation in [DecodingRequest.Operation.animate, .decode, .encode, .makeColorTable] {
      request.operation = operation
      let attachment = operation == .animate || operation == .decode ? file : -1
      #expect(withUnsafeBytes(of: request.words) { process.send($0, file: attachment, toNewPicture: false) })
      #expect(process.receive()?.status == .badRequest)
    }
    request.operation = .animate
    #expect(process.perform(request)?.status == .ok)
    #expect(process.endPicture() == .status(0))
  }

  @Test("An interrupted request is abandoned, and the next one is not")
  func interrupted() throws {
    let process = try DecodingProcess()
    let file = PNGWriter.file(.corners(width: 8, height: 8))
    process.interrupt(7)
    #expect(try process.decode(file, width: 8, height: 8)?.status == .interrupted)
    process.interrupt(6)
    #expect(try process.decode(file, width: 8, height: 8)?.status == .ok)
  }

  @Test("The limits of the request apply")
  func requestedLimits() throws {
    let process = try DecodingProcess()
    // A format that is decoded in one piece.
    let bytes = WebPFixture.still(WebPFixture.losslessCorners)
    let file = try DecodingProcess.file(bytes)
    defer { close(file) }
    let size = try #require(PixelSize(width: 8, height: 8))
    var request = DecodingRequest(id: 9, operation: .decode, slot: 0, size: size, fileBytes: UInt64(bytes.count))
    #expect(process.perform(request, file: file)?.status == .ok)
    request.limits.maximumPixels = 24 * 16 - 1
    #expect(process.perform(request, file: file)?.status == .tooLarge)
    request.limits.maximumPixels = 24 * 16
    #expect(process.perform(request, file: file)?.status == .ok)
  }

  @Test("Only regular files are read")
  func irregularFiles() throws {
    let process = try DecodingProcess()
    for path in ["/dev/zero", "/dev/null", "/tmp"] {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      #expect(try process.decode(descriptor, fileBytes: 100, width: 8, height: 8)?.status == .unreadable)
      close(descriptor)
    }
    var pipes: [Int32] = [-1, -1]
    try #require(pipe(&pipes) == 0)
    #expect(try process.decode(pipes[0], fileBytes: 100, width: 8, height: 8)?.status == .unreadable)
    for descriptor in pipes { close(descriptor) }
    let file = try DecodingProcess.file([1, 2, 3, 4])
    let writeOnly = open("/proc/self/fd/\(file)", O_WRONLY | O_CLOEXEC)
    #expect(try process.decode(writeOnly, fileBytes: 4, width: 8, height: 8)?.status == .unreadable)
    for descriptor in [file, writeOnly] { close(descriptor) }
  }

  @Test("Only the header of a large file is read, and no more bytes than the request states")
  func largeFiles() throws {
    let process = try DecodingProcess()
    // A sparse file, except for the start of an image.
    let sparse = platform_memfd("sparse", ImageLimits.standardFileBytes + 1)
    try #require(sparse >= 0)
    defer { close(sparse) }
    #expect(
      try process.decode(sparse, fileBytes: ImageLimits.standardFileBytes + 1, width: 8, height: 8)?.status
        == .notAPicture)
    let good = PNGWriter.file(.corners(width: 64, height: 64))
    _ = good.withUnsafeBytes { pwrite(sparse, $0.baseAddress, $0.count, 0) }
    #expect(
      try process.decode(sparse, fileBytes: ImageLimits.standardFileBytes + 1, width: 8, height: 8)?.status
        == .fileTooLarge)
    #expect(try process.decode(sparse, fileBytes: good.count, width: 8, height: 8)?.status == .ok)
    #expect(try process.decode(sparse, fileBytes: good.count / 2, width: 8, height: 8)?.isDamaged == true)
    #expect(try process.decode(sparse, fileBytes: 0, width: 8, height: 8)?.status == .emptyFile)
  }

  @Test("Invalid requests get an error reply")
  func invalidRequests() throws {
    let process = try DecodingProcess()
    let size = try #require(PixelSize(width: 8, height: 8))
    let good = DecodingRequest(id: 9, operation: .decode, slot: 0, size: size, fileBytes: 10)
    // No file is attached, the slot does not exist, or a word is invalid.
    expectBadRequest(process.perform(good))
    var request = good
    request.slot = 2
    let file = try DecodingProcess.file(PNGWriter.file(.corners(width: 8, height: 8)))
    defer { close(file) }
    #expect(process.perform(request, file: file)?.status == .badRequest)
    for word in [1, 4, 6, 10, 12] {
      var words = good.words
      words[word] = 0xFFFF_FFFF
      #expect(withUnsafeBytes(of: words) { process.send($0, file: file) })
      expectBadRequest(process.receive())
    }
    // Records that are too short, and ones that are too long.
    for count in [1, 64, 127, 129, 4000] {
      #expect([UInt8](repeating: 1, count: count).withUnsafeBytes { process.send($0, file: file) })
      #expect(process.receive()?.status == .badRequest)
    }
    request.slot = 1
    request.fileBytes = 10_000
    #expect(process.perform(request, file: file)?.status == .ok)
  }

  private func expectBadRequest(_ reply: DecodingReply?) {
    #expect(reply?.id == 9)
    #expect(reply?.status == .badRequest)
  }

  @Test("A record of another protocol ends the process")
  func otherProtocol() throws {
    let process = try DecodingProcess()
    #expect([UInt8](repeating: 1, count: WireFormat.byteCount).withUnsafeBytes { process.send($0) })
    #expect(process.receive()?.status == .badRequest)
    #expect(process.endPicture() == .status(65))
  }

  @Test("Descriptors are closed: the process decodes more files than it may have open")
  func descriptors() throws {
    let process = try DecodingProcess()
    let file = PNGWriter.file(.corners(width: 8, height: 8))
    for round in 0..<40 {
      #expect(try process.decode(round % 2 == 0 ? file : [1, 2, 3], width: 8, height: 8) != nil)
    }
    #expect(try process.decode(file, width: 8, height: 8)?.status == .ok)
  }

  @Test("Surplus descriptors are closed, whether few or many")
  func surplusDescriptors() throws {
    let process = try DecodingProcess()
    let before = process.openDescriptors()
    let bytes = PNGWriter.file(.corners(width: 8, height: 8))
    let file = try DecodingProcess.file(bytes)
    defer { close(file) }
    let size = try #require(PixelSize(width: 8, height: 8))
    var request = DecodingRequest(id: 9, operation: .decode, slot: 0, size: size, fileBytes: UInt64(bytes.count))
    #expect(process.send(request, files: [file, file, file]))
    #expect(process.receive()?.status == .ok)
    // More than the process has a buffer for, and more than it may have open.
    #expect(process.send(request, files: Array(repeating: file, count: 40)))
    expectBadRequest(process.receive())
    request.operation = .encode
    #expect(process.send(request, files: [file]))
    #expect(process.receive()?.status == .ok)
    #expect(process.openDescriptors() == before)
  }

  @Test("A delay counts as work")
  func delay() throws {
    let process = try DecodingProcess()
    let size = try #require(PixelSize(width: 8, height: 8))
    let reply = process.perform(
      DecodingRequest(id: 1, operation: .encode, slot: 0, size: size, delayMicroseconds: 2000))
    #expect(reply?.status == .ok)
    #expect((reply?.workMicroseconds ?? 0) >= 2000)
  }

  @Test("The process exits without an error when the socket is closed")
  func end() throws {
    let process = try DecodingProcess()
    process.closeSocket()
    #expect(process.wait() == .status(0))
  }

  @Test("The process refuses to start with invalid arguments")
  func invalidArguments() throws {
    let launch = try #require(DecodingLaunch(slotCount: 1, slotBytes: 4096))
    for arguments in [
      ["vitrine-decode"], ["vitrine-decode", "0", "4096", "fail"], ["vitrine-decode", "1", "4096"],
      ["vitrine-decode", "1", "many", "fail"], ["vitrine-decode", "1", "4096", "later"],
    ] {
      #expect(try DecodingProcess(launch, arguments: arguments).wait() == .status(64))
    }
    // More memory than the descriptor has.
    #expect(try DecodingProcess(launch, arguments: ["vitrine-decode", "2", "4096", "fail"]).wait() == .status(71))
  }

  @Test("The process has no privileges and limited resources")
  func limits() throws {
    let process = try DecodingProcess(slotCount: 4, slotBytes: 1 << 20)
    #expect(process.procField("status", "NoNewPrivs:") == "1")
    #expect(process.procField("status", "CapEff:") == "0000000000000000")
    #expect(process.procField("status", "CapPrm:") == "0000000000000000")
    #expect(process.procField("limits", "Max open files") == "16 16 files")
    #expect(process.procField("limits", "Max file size") == "0 0 bytes")
    #expect(process.procField("limits", "Max core file size") == "0 0 bytes")
    let memory = 768 << 20 + process.launch.sharedBytes
    let limit = process.procField("limits", "Max address space")
    // The shadow memory of a sanitizer takes terabytes. There is no limit then.
    #expect(limit == "\(memory) \(memory) bytes" || limit == "unlimited unlimited bytes")
  }

  @Test("The pixels of an image are never all in memory at the same time")
  func memory() throws {
    func peak(_ process: DecodingProcess) throws -> Int {
      process.endPicture()
      return try #require(process.lastPicture).peakKilobytes
    }
    let process = try DecodingProcess()
    #expect(try process.decode(PNGWriter.file(.corners(width: 64, height: 64)), width: 8, height: 8)?.status == .ok)
    let before = try peak(process)
    var writer = PNGWriter(width: 2400, height: 2400)
    writer.kind = .grey
    writer.bitDepth = 1
    let file = writer.file(rows: [UInt8](repeating: 0, count: 301 * 2400))
    #expect(try process.decode(file, width: 64, height: 64)?.status == .ok)
    // 23 MB of pixels, from a file of 0.7 MB.
    #expect(try peak(process) - before < 6 << 10)
  }
}
