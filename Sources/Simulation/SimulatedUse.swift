import CollectionUI
import VitrineThreads
import VitrineScrollPhysics
import VitrineCollectionLayout
import VitrineCollectionEngine
import VitrineDataStructures
import VitrineFramePacing
import VitrineGalleryUI
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

/// A gallery in a window on a virtual clock, with a user, files, decoders and a display that a script describes.
///
/// Equal scripts produce equal frames. The checks of ``SimulationChecker`` run after each frame.
package final class SimulatedUse {
  /// What a session did.
  package struct Tally: Hashable, Sendable {
    package var events = 0
    package var frames = 0
    package var milliseconds = 0
    package var checks = 0

    /// Creates the tally of no session.
    package init() {}

    /// Adds the tally of another session.
    package static func += (left: inout Tally, right: Tally) {
      left.events += right.events
      left.frames += right.frames
      left.milliseconds += right.milliseconds
      left.checks += right.checks
    }
  }

  /// The result of a session.
  package struct Result {
    /// The first violation, or nil if there was none.
    package var violation: SimulationViolation?
    /// What the session did.
    package var tally = Tally()
    /// A digest of all frames and of what was displayed in them.
    package var digest: UInt64 = 0
  }

  let display: RecordingDisplay
  let clock = SimulatedClock(kind: .virtual)
  let screen: GalleryScreen
  let library: LibraryModel
  let pipeline: ImagePipeline
  let loop: CommitLoop
  /// The feed of the library of files that is open, or was last.
  private(set) var feed: SimulatedFeed
  /// The feed of the list of pictures on the web, or nil if it is not open.
  private(set) var list: SimulatedListFeed?
  /// What decoders do now.
  private(set) var decoderMode = SimulatedDecoder.Mode.working
  /// Whether valid files crashed or hung decoders, which then do not try them again.
  private(set) var hasBlamedFiles = false
  /// Whether the window is hidden.
  private(set) var isHidden = false
  /// Whether the content of textures was lost, which releases them all.
  private(set) var hasLostTextures = false
  /// The time of the last input, and of the last change of the window or the decoders.
  private(set) var (lastInput, lastDisturbance) = (FrameInstant.zero, FrameInstant.zero)

  private let script: SimulationScript
  private let events: ScriptedEventSource
  private let window: Window
  private let decoder = SimulatedDecoder()
  private let downloader = SimulatedDownloader()
  private let opener = SimulatedOpener()
  private let observer = FrameObserver()
  private var checker: SimulationChecker!
  private var pendingMode: SimulatedDecoder.Mode?
  private var pointer = Point(x: 100, y: 100)
  private var refusedTextures = 0
  private var presentDelays: (count: Int, duration: FrameDuration) = (0, .zero)
  /// Whether nothing is to happen any more, and how many of the frames meanwhile each reason needed.
  private var isResting = false
  private var restReasons: [String: Int] = [:]
  private var lacksMemory = false
  private var disks: [PhotoPath: SimulatedDisk] = [:]
  /// The server of the list, while that is not open.
  private var server: SimulatedServer
  private var tally = Tally()

  private init(_ script: SimulationScript, fault: SimulationChecker.PlantedFault?) throws {
    self.script = script
    let settings = script.settings
    let clock = clock
    let size = Size(width: Double(max(60, settings.width)), height: Double(max(60, settings.height)))
    display = RecordingDisplay(size: size, frameLimit: 0)
    events = ScriptedEventSource(now: { clock.now() })
    feed = SimulatedFeed(
      SimulatedDisk(root: SimulatedUse.root(0), files: settings.files, folders: settings.folders, seed: settings.seed),
      gap: .milliseconds(Double(settings.gap)), clock: clock)
    server = SimulatedServer(pictures: settings.files / 2)
    let groupings = GalleryGrouping.allCases
    let sortings = GallerySorting.allCases
    library = LibraryModel(
      feed: feed, grouping: groupings[settings.grouping.magnitudeIndex(in: groupings.count)],
      sorting: sortings[settings.sorting.magnitudeIndex(in: sortings.count)])
    pipeline = try ImagePipeline(
      ImagePipelineConfiguration(
        workers: max(1, settings.workers), mode: .modelled, cacheBytes: max(1, settings.cache) << 20,
        decodeDelay: .milliseconds(4), downloader: downloader),
      decoders: decoder, waker: events.waker)
    let layouts = GalleryLayoutKind.allCases
    screen = GalleryScreen(
      library: library, pipeline: pipeline, layout: layouts[settings.layout.magnitudeIndex(in: layouts.count)],
      columns: nil)
    let resources = RenderResources(display: display, text: BlockTextRasterizer())
    window = Window(rootView: screen, resources: resources)
    loop = CommitLoop(
      window: window, display: display, events: events, clock: clock,
      pacing: LoopPacing(
        kind: .virtual, interval: .milliseconds(16), isMeasured: false, reason: "a simulation", followsDisplay: true),
      historyCapacity: 64)
    window.resize(to: size)
    screen.attach(to: window)
    screen.opener = opener
    window.addParticipant(observer)
    checker = SimulationChecker(self, fault: fault)
    connect()
  }

  /// Runs a session, up to its first violation.
  ///
  /// - Parameters:
  ///   - script: The session.
  ///   - digests: Whether the drawing of each frame is digested, which takes time. Default: false.
  ///   - fault: A fault of the check, for tests of the simulation. Default: nil.
  /// - Throws: `ThreadError` if the system has no thread for a decoder.
  package static func run(
    _ script: SimulationScript, digests: Bool = false, fault: SimulationChecker.PlantedFault? = nil
  ) throws -> Result {
    let use = try SimulatedUse(script, fault: fault)
    defer { use.pipeline.shutdown() }
    use.loop.digestsFrames = digests
    return use.run()
  }

  private func connect() {
    observer.onFrame = { [unowned self] in
      tally.frames += 1
      if isResting { for reason in loop.frameReasons { restReasons[reason, default: 0] += 1 } }
      checker.frameDidEnd(after: tally.events)
    }
    observer.nextStep = { [unowned self] in list.map(\.nextStep) ?? feed.nextStep }
    observer.onUpdate = { [unowned self] in
      advanceLibrary()
      applyPendingMode()
    }
    loop.isInterrupted = { [unowned self] in checker.violation != nil }
    opener.makeFeed = { [unowned self] path in open(path) }
    loop.isMemoryLow = { [unowned self] in
      defer { lacksMemory = false }
      return lacksMemory
    }
    display.simulatedTextureError = { [unowned self] _ in
      guard refusedTextures > 0 else { return nil }
      refusedTextures -= 1
      lastDisturbance = clock.now()
      return DisplayError(action: "create a texture", reason: "the simulation refuses it")
    }
    display.onPresent = { [unowned self] in
      guard presentDelays.count > 0 else { return }
      presentDelays.count -= 1
      clock.advance(by: presentDelays.duration)
      // A motion continues later.
      lastDisturbance = clock.now()
    }
  }

  private func run() -> Result {
    for event in script.events {
      run(for: .milliseconds(Double(event.delay)))
      guard checker.violation == nil else { break }
      tally.events += 1
      perform(event)
      guard checker.violation == nil else { break }
    }
    if checker.violation == nil { recover() }
    tally.milliseconds = Int((clock.now() - .zero).milliseconds)
    tally.checks = checker.checkCount
    var digest = checker.digest
    if loop.digestsFrames { for byte in loop.frameDigest.text.utf8 { digest = SplitMix64.mix(digest ^ UInt64(byte)) } }
    return Result(violation: checker.violation, tally: tally, digest: digest)
  }

  static func root(_ number: Int) -> PhotoPath { PhotoPath("/simulated/library\(number)") }

  /// The number of the library that is a list of pictures on the web.
  nonisolated static let listNumber = 3

  private func open(_ path: PhotoPath) -> any LibraryFeed {
    if let list { server = list.server } else { disks[feed.disk.root] = feed.disk }
    list = nil
    if path == SimulatedUse.root(SimulatedUse.listNumber) {
      let next = SimulatedListFeed(server, gap: .milliseconds(Double(script.settings.gap)), clock: clock)
      list = next
      return next
    }
    let seed = script.settings.seed &+ Int(path.bytes.last ?? 0)
    let disk =
      disks[path] ?? SimulatedDisk(root: path, files: script.settings.files / 2, folders: 2, seed: seed)
    feed = SimulatedFeed(disk, gap: .milliseconds(Double(script.settings.gap)), clock: clock)
    publishDecoderState()
    return feed
  }

  // MARK: - Time

  /// Advances the time, while files are read and frames drawn.
  private func run(for duration: FrameDuration) {
    advanceLibrary()
    applyPendingMode()
    guard checker.violation == nil, duration > .zero else { return }
    _ = loop.run(LoopLimits(duration: duration))
  }

  private func advanceLibrary() {
    if let list { list.advance(to: clock.now()) } else { feed.advance(to: clock.now()) }
  }

  private func applyPendingMode() {
    guard let mode = pendingMode, pipeline.isIdle else { return }
    pendingMode = nil
    decoderMode = mode
    hasBlamedFiles = hasBlamedFiles || mode == .crashing || mode == .hanging
    decoder.set(mode, offline: feed.disk.offline)
  }

  /// Sets the state of decoders once no job is running, so that the outcome of each is certain.
  private func publishDecoderState(_ mode: SimulatedDecoder.Mode? = nil) {
    pendingMode = mode ?? pendingMode ?? decoderMode
    applyPendingMode()
  }

  // MARK: - Steps

  private func send(_ kind: InputEvent.Kind) { events.append(kind, at: clock.now()) }

  private func point(_ x: Int, _ y: Int) -> Point {
    let size = display.info.size
    return Point(
      x: (size.width * Double(x) / 1_000).rounded(), y: (size.height * Double(y) / 1_000).rounded())
  }

  private func perform(_ event: SimulationEvent) {
    let numbers = event.numbers
    if event.kind.isInput { lastInput = clock.now() }
    switch event.kind {
    case .move:
      pointer = point(numbers[0], numbers[1])
      send(.pointerMoved(pointer))
    case .wheel: wheel(Double(numbers[0]) / 10)
    case .flick: flick(Double(numbers[0]))
    case .zoom: wheel(Double(numbers[0]), .control)
    case .click: click(point(numbers[0], numbers[1]), KeyModifiers(numbers[2]), count: numbers[3])
    case .menu:
      let place = point(numbers[0], numbers[1])
      press(place, .secondary, [], clicks: 1)
    case .drag: drag(from: point(numbers[0], numbers[1]), to: point(numbers[2], numbers[3]), frames: numbers[4])
    case .touch: touch(point(numbers[0], numbers[1]), by: Point(x: Double(numbers[2]), y: Double(numbers[3])))
    case .key: pressKey(event.word, KeyModifiers(numbers[0]), repetitions: numbers[1])
    case .type: type(event.word)
    case .search: GalleryInspection(screen).search(event.word == "-" ? "" : event.word)
    case .open:
      send(.filesDropped([SimulatedUse.root(numbers[0].magnitudeIndex(in: SimulatedUse.listNumber + 1)).bytes]))
    case .decode:
      let modes = SimulatedDecoder.Mode.allCases
      publishDecoderState(modes[numbers[0].magnitudeIndex(in: modes.count)])
    case .network:
      let modes = SimulatedServer.Mode.allCases
      setNetwork(modes[numbers[0].magnitudeIndex(in: modes.count)])
    case .unmount, .mount, .overflow, .add, .write, .begin, .finish, .remove, .rename, .folder, .vanish, .restore:
      changeFiles(event)
    case .rest: rest()
    default: disturb(event)
    }
  }

  private func setNetwork(_ mode: SimulatedServer.Mode) {
    downloader.set(mode)
    if let list { list.server.mode = mode } else { server.mode = mode }
  }

  private func changeFiles(_ event: SimulationEvent) {
    if let list { return list.server.apply(event) }
    switch event.kind {
    case .unmount:
      feed.unmount(event.numbers[0])
      publishDecoderState()
    case .mount:
      feed.folders(feed.disk.mount(), didChangeAt: clock.now())
      publishDecoderState()
    case .overflow: feed.loseNotifications()
    default: feed.folders(feed.disk.apply(event), didChangeAt: clock.now())
    }
  }

  /// Changes the window or the display.
  private func disturb(_ event: SimulationEvent) {
    lastDisturbance = clock.now()
    let numbers = event.numbers
    switch event.kind {
    case .resize:
      display.resize(
        to: Size(width: Double(min(3_000, max(1, numbers[0]))), height: Double(min(2_000, max(1, numbers[1])))))
      send(.resized)
    case .scale:
      let scale = DisplayScale(pixelsPerPoint: Double(min(300, max(100, numbers[0]))) / 100)
      display.resize(to: display.info.size, scale: scale)
      send(.resized)
    case .hide:
      isHidden = true
      send(.hidden)
    case .show: show()
    case .refresh:
      display.moveToDisplay(refreshHz: Double(min(480, max(1, numbers[0]))))
      send(.displayChanged)
    case .lose:
      hasLostTextures = true
      display.loseTextures()
      send(.texturesLost)
    case .expose: send(.exposed)
    case .memory: lacksMemory = true
    case .theme:
      let themes = [Theme.dark, .light, .highContrastDark, .highContrastLight]
      screen.setTheme(themes[numbers[0].magnitudeIndex(in: themes.count)])
    case .stall:
      clock.advance(by: .milliseconds(Double(min(60_000, max(0, numbers[0])))))
      // What was input before is handled after it.
      lastDisturbance = clock.now()
    case .present:
      presentDelays = (min(20, max(0, numbers[1])), .milliseconds(Double(min(2_000, max(0, numbers[0])))))
    case .refuse: refusedTextures = min(200, max(0, numbers[0]))
    case .cancel: send(.cancelled)
    case .leave: send(.pointerLeft)
    default: break
    }
  }

  private func show() {
    isHidden = false
    // What was pressed meanwhile has its effect in the first frame, before which nothing was visible.
    (lastInput, lastDisturbance) = (clock.now(), clock.now())
    send(.shown)
  }

  // MARK: - Input

  private func wheel(_ notches: Double, _ modifiers: KeyModifiers = []) {
    send(.wheel(WheelInput(location: pointer, deltaX: 0, deltaY: notches, modifiers: modifiers)))
  }

  /// Moves fingers on a trackpad, faster at first and then slower.
  private func flick(_ points: Double) {
    for step in 0..<12 {
      wheel(-points / 80 / 12 * (1.6 - Double(step) / 10))
      run(for: .milliseconds(8))
      lastInput = clock.now()
    }
  }

  private func press(_ place: Point, _ button: PointerButton, _ modifiers: KeyModifiers, clicks: Int) {
    pointer = place
    send(.pointerMoved(place))
    for click in 1...max(1, min(3, clicks)) {
      send(.pointerDown(place, button: button, clicks: click, modifiers: modifiers))
      run(for: .milliseconds(20))
      send(.pointerUp(place, button: button, modifiers: modifiers))
      run(for: .milliseconds(20))
    }
    lastInput = clock.now()
  }

  private func click(_ place: Point, _ modifiers: KeyModifiers, count: Int) {
    let expectation = count <= 1 ? checker.expectation(ofClickAt: place, modifiers) : nil
    press(place, .primary, modifiers, clicks: count)
    if let expectation { checker.check(expectation) }
  }

  private func drag(from start: Point, to end: Point, frames: Int) {
    send(.pointerMoved(start))
    send(.pointerDown(start, button: .primary, clicks: 1, modifiers: []))
    run(for: .milliseconds(16))
    let count = min(40, max(1, frames))
    for frame in 1...count {
      let part = Double(frame) / Double(count)
      pointer = Point(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
      send(.pointerMoved(pointer))
      run(for: .milliseconds(16))
      lastInput = clock.now()
    }
    send(.pointerUp(end, button: .primary, modifiers: []))
    run(for: .milliseconds(16))
    lastInput = clock.now()
  }

  private func touch(_ place: Point, by distance: Point) {
    send(.touch(TouchInput(finger: 1, phase: .began, location: place)))
    for step in 1...8 {
      run(for: .milliseconds(10))
      let part = Double(step) / 8
      send(
        .touch(
          TouchInput(
            finger: 1, phase: .moved, location: Point(x: place.x + distance.x * part, y: place.y + distance.y * part))))
    }
    send(.touch(TouchInput(finger: 1, phase: .ended, location: place + distance)))
    run(for: .milliseconds(16))
    lastInput = clock.now()
  }

  private func pressKey(_ name: String, _ modifiers: KeyModifiers, repetitions: Int) {
    guard let key = Key(simulationName: name) else { return }
    let expectation = checker.expectation(ofKey: key, modifiers)
    send(.keyDown(key, modifiers: modifiers, isRepeat: false))
    if case .character(let character) = key, modifiers.isSubset(of: .shift) { send(.text(String(character))) }
    for _ in 0..<min(60, max(0, repetitions)) {
      run(for: .milliseconds(33))
      send(.keyDown(key, modifiers: modifiers, isRepeat: true))
      lastInput = clock.now()
    }
    run(for: .milliseconds(20))
    send(.keyUp(key, modifiers: modifiers))
    lastInput = clock.now()
    if let expectation, repetitions == 0 { checker.check(expectation) }
  }

  private func type(_ text: String) {
    for character in text {
      send(.keyDown(.character(character), modifiers: [], isRepeat: false))
      send(.text(String(character)))
      send(.keyUp(.character(character), modifiers: []))
      run(for: .milliseconds(60))
      lastInput = clock.now()
    }
  }

  // MARK: - Rest

  /// Waits until nothing happens any more, and checks what must be true then.
  private func rest() {
    if isHidden { show() }
    refusedTextures = 0
    run(for: .seconds(40))
    // Slow pictures take a second each.
    for _ in 0..<30 where !pipeline.isIdle { run(for: .seconds(10)) }
    guard checker.violation == nil else { return }
    let frames = tally.frames
    let retries = GalleryInspection(screen).willRetry
    (isResting, restReasons) = (true, [:])
    run(for: .seconds(10))
    isResting = false
    checker.checkRest(
      framesWhileAtRest: tally.frames - frames, reasons: restReasons,
      allowsRetries: retries || GalleryInspection(screen).willRetry)
  }

  /// Ends all faults, reads everything again, and checks that all is well.
  private func recover() {
    rest()
    guard checker.violation == nil else { return }
    publishDecoderState(.working)
    setNetwork(.working)
    feed.folders(feed.disk.mount().union(feed.disk.apply(SimulationEvent(.finish))), didChangeAt: clock.now())
    publishDecoderState()
    for _ in 0..<4 {
      lastInput = clock.now()
      send(.keyDown(.escape, modifiers: [], isRepeat: false))
      run(for: .seconds(1))
    }
    publishDecoderState(.working)
    lastInput = clock.now()
    send(.keyDown(.function(5), modifiers: [], isRepeat: false))
    rest()
    if checker.violation == nil { checker.checkRecovery() }
  }
}

// MARK: - Frames and libraries

/// A participant that reports the end of each frame.
private final class FrameObserver: FrameParticipant {
  var onFrame: () -> Void = {}
  var onUpdate: () -> Void = {}
  var nextStep: () -> FrameInstant? = { nil }

  var nextArrival: FrameInstant? { nextStep() }

  func update(at target: FrameInstant) { onUpdate() }

  func frameDidEnd(_ record: FrameRecord) { onFrame() }
}

/// An opener of simulated libraries, which are dropped on the window.
private final class SimulatedOpener: LibraryOpener {
  var makeFeed: ((PhotoPath) -> any LibraryFeed)?
  private var path: PhotoPath?

  func open(_ paths: [[UInt8]]) { path = paths.first.map { PhotoPath($0) } }

  func cancel() { path = nil }

  var hasPendingResult: Bool { path != nil }

  func takeResult() -> LibraryOpenResult? {
    guard let path, let makeFeed else { return nil }
    self.path = nil
    return .success(makeFeed(path), pathToReveal: nil)
  }
}

extension KeyModifiers {
  /// Creates modifiers from the number of a step.
  init(_ number: Int) { self.init(rawValue: UInt8(number.magnitude & 7)) }
}

extension Key {
  /// The names of keys in scripts.
  static let simulationNames: [(name: String, key: Key)] = [
    ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("pageup", .pageUp), ("pagedown", .pageDown),
    ("home", .home), ("end", .end), ("space", .space), ("enter", .enter), ("escape", .escape), ("tab", .tab),
    ("backspace", .backspace), ("delete", .delete), ("menu", .menu),
  ]

  /// Creates the key of a name: one of the list, `f1` to `f12`, or a character; nil for other names.
  init?(simulationName name: String) {
    if let known = Key.simulationNames.first(where: { $0.name == name }) {
      self = known.key
    } else if name.hasPrefix("f"), let number = Int(name.dropFirst()), (1...12).contains(number) {
      self = .function(number)
    } else if name.count == 1, let character = name.first {
      self = .character(character)
    } else {
      return nil
    }
  }
}
