import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("TextureCache and UploadQueue")
struct TextureCacheTests {
  static func images(_ count: Int, side: Int) throws -> (View, [ImageView]) {
    let root = View()
    let views = try (0..<count).map { index in
      let view = ImageView(
        frame: Rect(x: 0, y: Double(index * side), width: Double(side), height: Double(side)))
      view.image = try Bitmap.square(side, Color(hex: UInt32(index + 1) * 977))
      root.addSubview(view)
      return view
    }
    return (root, views)
  }

  @Test("Images nearest to the center are uploaded first, within the byte limit of a frame")
  func nearestFirst() throws {
    let (root, views) = try Self.images(9, side: 20)
    let harness = WindowHarness(root: root, size: Size(width: 100, height: 180))
    harness.resources.uploads.bytesPerFrameAtRest = 3 * 20 * 20 * 4
    harness.run(frames: 1)
    #expect(views.map(\.showsImage) == [false, false, false, true, true, true, false, false, false])
    harness.run(frames: 6)
    #expect(views.filter(\.showsImage).count == views.count)
  }

  @Test("The upload log records each upload in a frame or ahead until it is removed")
  func uploadLog() throws {
    let (root, views) = try Self.images(3, side: 10)
    let harness = WindowHarness(root: root)
    let uploads = harness.resources.uploads
    uploads.modelledCost = .milliseconds(2)
    let log = UploadLog(capacity: 2)
    uploads.uploadLog = log
    views[0].image?.setTraceNumber(7)
    views[1].image?.setTraceNumber(8)
    harness.run(frames: 5)
    #expect(log.count == 3)
    let later = try Bitmap.square(10, .white)
    later.setTraceNumber(9)
    views[2].image = later
    views[2].setNeedsDisplay()
    uploads.enqueuePrefetch(later)
    harness.run(frames: 3)
    #expect(log.count == 4)
    let last = try #require(log.spans().last)
    #expect(last.bitmapNumber == 9 && last.bytes == 400 && last.end - last.start == .milliseconds(2))
    #expect(log.spans().count == 2 && log.spans(since: last.end).count == 1)
    // The upload is within the upload phase of a frame.
    let frame = try #require(
      harness.loop.history.records().first { $0.start <= last.start && last.end <= $0.shown && $0.uploads > 0 })
    #expect(frame.start(of: .upload) <= last.start && last.end <= frame.phaseEnds[FramePhase.upload.rawValue])
    uploads.uploadLog = nil
    views[0].image = try Bitmap.square(10, .black)
    harness.run(frames: 2)
    #expect(log.count == 4 && uploads.isEmpty)
  }

  @Test("Every frame uploads at least one image of any size")
  func oversizedImage() throws {
    let (root, views) = try Self.images(3, side: 50)
    let harness = WindowHarness(root: root)
    harness.resources.uploads.bytesPerFrameAtRest = 1
    harness.run(frames: 1)
    #expect(views.filter(\.showsImage).count == 1)
    harness.run(frames: 5)
    #expect(views.filter(\.showsImage).count == views.count)
  }

  @Test("During motion only visible images are uploaded in frames, others one by one in slack")
  func offscreenUploads() throws {
    final class Mover: FrameParticipant {
      var isTracked = true
      var needsFrames: Bool { true }
    }
    let (root, views) = try Self.images(4, side: 20)
    let holder = View(frame: Rect(x: 0, y: 500, width: 20, height: 20))
    let hidden = ImageView(frame: Rect(x: 0, y: 0, width: 20, height: 20))
    hidden.image = try Bitmap.square(20, .white)
    holder.addSubview(hidden)
    root.addSubview(holder)
    let harness = WindowHarness(root: root)
    let mover = Mover()
    harness.window.addParticipant(mover)
    let uploads = harness.resources.uploads
    harness.run(frames: 4)
    #expect(views.allSatisfy(\.showsImage) && !hidden.showsImage)
    #expect(uploads.count == 1 && uploads.isAwaited(within: holder) && !uploads.isAwaited(within: views[0]))
    uploads.modelledCost = .milliseconds(3)
    let start = harness.clock.now()
    #expect(uploads.uploadNext(within: holder, harness.clock) && !uploads.uploadNext(within: holder, harness.clock))
    #expect(uploads.isEmpty && harness.clock.now() - start == .milliseconds(3))
    harness.run(frames: 1)
    #expect(hidden.showsImage)
    // At rest there is time for all uploads.
    mover.isTracked = false
    hidden.image = try Bitmap.square(20, .black)
    harness.run(frames: 2)
    #expect(uploads.isEmpty)
  }

  @Test(
    "At rest uploads use half of the remaining frame time, during motion 0.5 ms", arguments: [false, true])
  func atRest(isMoving: Bool) throws {
    final class Mover: FrameParticipant {
      let isTracked: Bool
      var needsFrames: Bool { true }
      init(isTracked: Bool) { self.isTracked = isTracked }
    }
    let (root, views) = try Self.images(60, side: 5)
    let harness = WindowHarness(root: root)
    harness.resources.uploads.modelledCost = .milliseconds(0.25)
    harness.window.addParticipant(Mover(isTracked: isMoving))
    harness.run(frames: 1)
    let record = harness.loop.history.record(atAge: 0)
    let remaining = record.deadline - record.start(of: .upload)
    let limit = isMoving ? FrameDuration.milliseconds(0.5) : remaining * 0.5
    #expect(record.duration(of: .upload) <= limit && record.duration(of: .upload) >= limit - .milliseconds(0.5))
    harness.run(frames: 60)
    #expect(views.allSatisfy { $0.showsImage })
    #expect(harness.loop.history.hitchCount == 0)
  }

  @Test("The modelled cost of an upload is spent on the clock")
  func modelledCost() throws {
    let (root, _) = try Self.images(1, side: 10)
    let harness = WindowHarness(root: root)
    harness.resources.uploads.modelledCost = .milliseconds(3)
    harness.run(frames: 1)
    #expect(harness.loop.history.record(atAge: 0).duration(of: .upload) == .milliseconds(3))
    #expect(harness.loop.history.record(atAge: 0).uploads == 1)
  }

  @Test("Displayed textures are never evicted, others are evicted least recently used first")
  func eviction() throws {
    let (root, views) = try Self.images(2, side: 10)
    let harness = WindowHarness(root: root)
    harness.resources.textures.idleByteLimit = 500
    harness.run(frames: 3)
    let old = try Bitmap.square(10, .white)
    let new = try Bitmap.square(11, .black)
    harness.resources.textures.upload(old)
    harness.resources.textures.upload(new)
    #expect(harness.resources.textures.texture(for: old) == nil)
    for view in views {
      let image = try #require(view.image)
      #expect(harness.resources.textures.texture(for: image) != nil)
    }
  }

  @Test("Lost textures are uploaded again within two frames")
  func lostTextures() throws {
    let (root, views) = try Self.images(4, side: 10)
    let harness = WindowHarness(root: root)
    harness.run(frames: 3)
    let expected = harness.display.frames.last?.commands.count
    harness.display.loseTextures()
    harness.events.append(.texturesLost, at: harness.clock.now())
    harness.run(frames: 2)
    #expect(views.filter(\.showsImage).count == views.count)
    harness.run(frames: 1)
    #expect(harness.display.frames.last?.commands.count == expected)
    #expect(harness.display.textureCounts.staleCommands == 0)
  }

  @Test("An image whose texture cannot be created displays its placeholder color")
  func textureError() throws {
    let (root, views) = try Self.images(2, side: 10)
    let harness = WindowHarness(root: root)
    harness.display.simulatedTextureError = { _ in DisplayError(action: "create a texture", reason: "no memory") }
    harness.run(frames: 4)
    #expect(!views.contains { $0.showsImage })
    #expect(harness.resources.textures.lastError?.reason == "no memory")
  }

  @Test("Another scale renders text and shapes again and releases the previous textures")
  func otherScale() {
    let root = View()
    let label = Label(style: TextStyle(size: 12), color: .white)
    label.text = "type"
    label.frame = Rect(x: 0, y: 0, width: 100, height: 20)
    let image = ImageView(frame: Rect(x: 0, y: 30, width: 40, height: 40))
    image.placeholderColor = .white
    image.cornerRadius = 6
    root.addSubview(label)
    root.addSubview(image)
    let harness = WindowHarness(root: root)
    harness.resources.textures.idleByteLimit = 0
    let glyphs = GlyphTable(style: TextStyle(size: 10))
    harness.run(frames: 2)
    for round in 1...6 {
      let scale = DisplayScale(pixelsPerPoint: 1 + Double(round) / 2)
      harness.resize(to: Size(width: 400, height: 300), scale: scale)
      harness.run(frames: 1)
      #expect(harness.display.frames.last?.commands.last?.source.width == scale.pixel(6))
      _ = glyphs.width(of: GlyphLine().write("A"), in: harness.resources)
      image.image = try? Bitmap.square(30 + round, .white)
      harness.run(frames: 3)
    }
    #expect(image.showsImage)
    #expect(harness.display.textureCounts.live == 94 + 3, "94 glyphs, a line, a disc and an image")
    #expect(harness.display.textureCounts.staleCommands == 0)
    #expect(harness.display.textureCounts.invalidReleases == 0)
  }

  @Test("Lines that were not used recently are evicted, recently used lines are not rendered again")
  func lineCache() {
    let harness = WindowHarness(root: View())
    let style = TextStyle(size: 20)
    func prepare(_ number: Int) {
      let line = "line \(number) of many"
      harness.resources.prepareLine(line, style: style, width: 400, truncation: .byTruncatingTail)
    }
    for number in 0..<2_000 { prepare(number) }
    let bytes = harness.resources.textures.uploadedBytes
    #expect(bytes > 8 << 20)
    #expect(harness.display.textureBytes <= 5 << 20)
    for number in 1_950..<2_000 { prepare(number) }
    #expect(harness.resources.textures.uploadedBytes == bytes)
    prepare(0)
    #expect(harness.resources.textures.uploadedBytes > bytes)
  }
}
