import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("Bitmaps become textures within a budget, and stay while they are shown")
struct TextureResidencyTests {
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

  @Test("Pictures nearest to the middle come first, within the bytes of a frame")
  func nearestFirst() throws {
    let (root, views) = try Self.images(9, side: 20)
    let stage = WindowHarness(root: root, size: Size(width: 100, height: 180))
    stage.resources.uploads.bytesPerFrameAtRest = 3 * 20 * 20 * 4
    stage.run(frames: 2)
    #expect(views.map(\.showsImage) == [false, false, false, true, true, true, false, false, false])
    stage.run(frames: 6)
    #expect(views.filter(\.showsImage).count == views.count)
  }

  @Test("Each upload is noted where somebody wants to know, in a frame or ahead of it, and nothing else is")
  func journal() throws {
    let (root, views) = try Self.images(3, side: 10)
    let stage = WindowHarness(root: root)
    let uploads = stage.resources.uploads
    uploads.modelledCost = .milliseconds(2)
    let journal = UploadLog(capacity: 2)
    uploads.uploadLog = journal
    views[0].image?.setTraceNumber(7)
    views[1].image?.setTraceNumber(8)
    stage.run(frames: 5)
    #expect(journal.count == 3)
    let later = try Bitmap.square(10, .white)
    later.setTraceNumber(9)
    views[2].image = later
    views[2].setNeedsDisplay()
    uploads.enqueuePrefetch(later)
    stage.run(frames: 3)
    #expect(journal.count == 4)
    let last = try #require(journal.spans().last)
    #expect(last.bitmapNumber == 9 && last.bytes == 400 && last.ended - last.began == .milliseconds(2))
    #expect(journal.spans().count == 2 && journal.spans(since: last.ended).count == 1)
    // Lies in a frame's upload phase.
    let frame = try #require(
      stage.loop.history.records().first { $0.start <= last.began && last.ended <= $0.shown && $0.uploads > 0 })
    #expect(frame.start(of: .upload) <= last.began && last.ended <= frame.phaseEnds[FramePhase.upload.rawValue])
    uploads.uploadLog = nil
    views[0].image = try Bitmap.square(10, .black)
    stage.run(frames: 2)
    #expect(journal.count == 4 && uploads.isEmpty)
  }

  @Test("At least one picture goes in every frame, however large")
  func progress() throws {
    let (root, views) = try Self.images(3, side: 50)
    let stage = WindowHarness(root: root)
    stage.resources.uploads.bytesPerFrameAtRest = 1
    stage.run(frames: 2)
    #expect(views.filter(\.showsImage).count == 1)
    stage.run(frames: 5)
    #expect(views.filter(\.showsImage).count == views.count)
  }

  @Test("While something moves only what is seen is uploaded; the rest is work ahead, taken one by one")
  func ahead() throws {
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
    let stage = WindowHarness(root: root)
    let mover = Mover()
    stage.window.addParticipant(mover)
    let uploads = stage.resources.uploads
    stage.run(frames: 4)
    #expect(views.allSatisfy(\.showsImage) && !hidden.showsImage)
    #expect(uploads.count == 1 && uploads.isAwaited(within: holder) && !uploads.isAwaited(within: views[0]))
    uploads.modelledCost = .milliseconds(3)
    let start = stage.clock.now()
    #expect(uploads.uploadNext(within: holder, stage.clock) && !uploads.uploadNext(within: holder, stage.clock))
    #expect(uploads.isEmpty && stage.clock.now() - start == .milliseconds(3))
    stage.run(frames: 1)
    #expect(hidden.showsImage)
    // At rest there is time for all.
    mover.isTracked = false
    hidden.image = try Bitmap.square(20, .black)
    stage.run(frames: 2)
    #expect(uploads.isEmpty)
  }

  @Test(
    "At rest half of what is left of a frame goes to uploads, while something moves little", arguments: [false, true])
  func atRest(isMoving: Bool) throws {
    final class Mover: FrameParticipant {
      let isTracked: Bool
      var needsFrames: Bool { true }
      init(isTracked: Bool) { self.isTracked = isTracked }
    }
    let (root, views) = try Self.images(60, side: 5)
    let stage = WindowHarness(root: root)
    stage.resources.uploads.modelledCost = .milliseconds(0.25)
    stage.window.addParticipant(Mover(isTracked: isMoving))
    stage.run(frames: 1)
    let record = stage.loop.history.record(atAge: 0)
    let left = record.deadline - record.start(of: .upload)
    let limit = isMoving ? FrameDuration.milliseconds(0.5) : left * 0.5
    #expect(record.duration(of: .upload) <= limit && record.duration(of: .upload) >= limit - .milliseconds(0.5))
    stage.run(frames: 60)
    #expect(views.allSatisfy { $0.showsImage })
    #expect(stage.loop.history.hitchCount == 0)
  }

  @Test("A modelled cost of uploading passes on the clock")
  func modelledCost() throws {
    let (root, _) = try Self.images(1, side: 10)
    let stage = WindowHarness(root: root)
    stage.resources.uploads.modelledCost = .milliseconds(3)
    stage.run(frames: 1)
    #expect(stage.loop.history.record(atAge: 0).duration(of: .upload) == .milliseconds(3))
    #expect(stage.loop.history.record(atAge: 0).uploads == 1)
  }

  @Test("What is shown is never given up; what is not goes, the longest unused first")
  func eviction() throws {
    let (root, views) = try Self.images(2, side: 10)
    let stage = WindowHarness(root: root)
    stage.resources.textures.idleByteLimit = 500
    stage.run(frames: 3)
    let old = try Bitmap.square(10, .white)
    let new = try Bitmap.square(11, .black)
    stage.resources.textures.upload(old)
    stage.resources.textures.upload(new)
    #expect(stage.resources.textures.texture(for: old) == nil)
    for view in views {
      let image = try #require(view.image)
      #expect(stage.resources.textures.texture(for: image) != nil)
    }
  }

  @Test("Lost textures are made again from memory within two frames")
  func lostTextures() throws {
    let (root, views) = try Self.images(4, side: 10)
    let stage = WindowHarness(root: root)
    stage.run(frames: 3)
    let golden = stage.display.frames.last?.commands.count
    stage.display.loseTextures()
    stage.events.append(.texturesLost, at: stage.clock.now())
    stage.run(frames: 2)
    #expect(views.filter(\.showsImage).count == views.count)
    stage.run(frames: 1)
    #expect(stage.display.frames.last?.commands.count == golden)
    #expect(stage.display.textureCounts.staleCommands == 0)
  }

  @Test("A renderer that refuses a texture leaves the surface in its place, and the program running")
  func refusal() throws {
    let (root, views) = try Self.images(2, side: 10)
    let stage = WindowHarness(root: root)
    stage.display.simulatedTextureError = { _ in DisplayError(action: "create a texture", reason: "no memory") }
    stage.run(frames: 4)
    #expect(!views.contains { $0.showsImage })
    #expect(stage.resources.textures.lastError?.reason == "no memory")
  }

  @Test("Another scale paints type and shapes anew, and gives back the textures of before")
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
    let stage = WindowHarness(root: root)
    stage.resources.textures.idleByteLimit = 0
    let glyphs = GlyphTable(style: TextStyle(size: 10))
    stage.run(frames: 2)
    for round in 1...6 {
      let scale = DisplayScale(pixelsPerPoint: 1 + Double(round) / 2)
      stage.resize(to: Size(width: 400, height: 300), scale: scale)
      stage.run(frames: 1)
      #expect(stage.display.frames.last?.commands.last?.source.width == scale.pixel(6))
      _ = glyphs.width(of: GlyphLine().write("A"), in: stage.resources)
      image.image = try? Bitmap.square(30 + round, .white)
      stage.run(frames: 3)
    }
    #expect(image.showsImage)
    #expect(stage.display.textureCounts.live == 94 + 3, "94 letters, a line, a disc and a picture")
    #expect(stage.display.textureCounts.staleCommands == 0)
    #expect(stage.display.textureCounts.invalidReleases == 0)
  }

  @Test("Lines of type that were not asked for lately give their textures up; those that were cost nothing")
  func lines() {
    let stage = WindowHarness(root: View())
    let style = TextStyle(size: 20)
    func prepare(_ number: Int) {
      let line = "line \(number) of many"
      stage.resources.prepareLine(line, style: style, width: 400, truncation: .tail)
    }
    for number in 0..<2_000 { prepare(number) }
    let bytes = stage.resources.textures.uploadedBytes
    #expect(bytes > 8 << 20)
    #expect(stage.display.textureBytes <= 5 << 20)
    for number in 1_950..<2_000 { prepare(number) }
    #expect(stage.resources.textures.uploadedBytes == bytes)
    prepare(0)
    #expect(stage.resources.textures.uploadedBytes > bytes)
  }
}
