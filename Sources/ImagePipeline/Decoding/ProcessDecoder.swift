import Glibc
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering

/// A decoder that opens files and decodes them in a process, which it replaces when it is lost.
final class ProcessDecoder: PipelineImageDecoder {
  /// The number of forks after which a process is replaced, as its processor time for them is limited.
  private static let maximumForks = 10_000
  /// The maximum number of reads of a file that changes while it is read.
  private static let maximumReads = 3

  private let setup: @Sendable () -> DecodingProcess.Setup?
  private let delay: FrameDuration
  private let stop: StopSignal
  let health: DecoderHealth
  private let interrupter: DecodeInterrupter
  private let opener: FileOpener
  private let storage: (any ImageStorage)?
  private let onStarvation: (() -> Void)?
  private let times: DecodingProcessTimes.Entry?
  private let demand: ImageDemand?
  private var process: DecodingProcess?

  /// Creates a decoder without a process, which ``prepare()`` starts.
  ///
  /// - Parameters:
  ///   - setup: A closure that returns the configuration of a process to start, or nil if there is no executable.
  ///   - delay: The time added to each decode.
  ///   - stop: The signal that ends every wait.
  ///   - health: The knowledge about files and processes.
  ///   - interrupter: The interrupter of decodes.
  ///   - opener: The opener of files, the same for all decoders. Default: a new one.
  ///   - storage: The storage of thumbnails to read and to add to.
  ///   - onStarvation: A closure called when a process gets no core for a while. Default: nil.
  ///   - times: The entry that records the processes for the sum of processor times. Default: nil.
  ///   - demand: Whether other images wait, so that a file that hangs is given up sooner. Default: nil, they do not.
  init(
    setup: @escaping @Sendable () -> DecodingProcess.Setup?, delay: FrameDuration, stop: StopSignal,
    health: DecoderHealth = DecoderHealth(), interrupter: DecodeInterrupter = DecodeInterrupter(),
    opener: FileOpener = FileOpener(), storage: (any ImageStorage)? = nil, onStarvation: (() -> Void)? = nil,
    times: DecodingProcessTimes.Entry? = nil, demand: ImageDemand? = nil
  ) {
    self.setup = setup
    self.delay = delay
    self.stop = stop
    self.health = health
    self.interrupter = interrupter
    self.opener = opener
    self.storage = storage
    self.onStarvation = onStarvation
    self.times = times
    self.demand = demand
  }

  /// The identifier of the process that forks those of the pictures; nil if there is none.
  var processNumber: pid_t? { process?.number }

  func prepare() {
    // Stored thumbnails need no process and must not wait for one.
    guard storage == nil else {
      if let process = try? startProcessIfNeeded() { try? process.requestPictureProcess() }
      return
    }
    // A starved process is waited for by a job, so that its starvation is reported and a screen worker can take over.
    var isStarved = false
    let process = try? readyProcess(shouldContinue: { !isStarved }, onStarvation: { isStarved = true })
    try? process?.requestPictureProcess()
  }

  /// Ends the process; the next image that is not on disk starts another.
  func releaseIdleResources() { process = nil }

  func decode(_ job: ImageJob) -> ImageOutcome { decode(job.request, job: job.number) }

  func decode(_ request: ImageRequest) -> ImageOutcome { decode(request, job: nil) }

  private func decode(_ request: ImageRequest, job: UInt64?) -> ImageOutcome {
    storage?.beginWork()
    defer { storage?.endWork() }
    interrupter.beginDecode(job: job)
    defer { interrupter.endDecode() }
    var reading = readPicture(request)
    for _ in 1..<ProcessDecoder.maximumReads where reading.hasChanged { reading = readPicture(request) }
    // A file that keeps changing is shown as read last, possibly half old and half new.
    return reading.hasChanged ? reading.outcome.map(\.markedDamaged) : reading.outcome
  }

  private func readPicture(_ request: ImageRequest) -> (outcome: ImageOutcome, hasChanged: Bool) {
    do throws(ImageFailure) {
      let file = try openFile(request.source)
      let reading = readPicture(request, in: file)
      guard case .file = request.source, let listed = request.fingerprint, listed != file.version.fingerprint else {
        return reading
      }
      return (reading.outcome.map(\.markedOtherVersion), reading.hasChanged)
    } catch {
      return (storedPreview(for: request, after: error).map { .success($0) } ?? .failure(error), false)
    }
  }

  private func openFile(_ source: ImageSource) throws(ImageFailure) -> ImageFile {
    guard case .file(let path) = source else { return try ImageFile(source) }
    return try opener.file(at: path) { !interrupter.isInterrupted && !stop.isRaised }
  }

  private func readPicture(
    _ request: ImageRequest, in file: borrowing ImageFile
  ) -> (outcome: ImageOutcome, hasChanged: Bool) {
    do throws(ImageFailure) {
      let identity = file.version.identity
      if let failure = health.refusal(of: identity) { throw failure }
      // Files in memory have no persistent identity, and parts of images are not stored.
      guard case .file(let path) = request.source, let storage, request.region == nil else {
        let outcome = decode(file.number, identity, request)
        return (outcome, !outcome.isTimeout && file.currentVersion != file.version)
      }
      // Checked before decoding: after a long decode a change within the same clock step would look old.
      let isFresh = identity.isFresh
      let name = FileFingerprint(file.version, request)
      if let picture = storage.pixels(for: name), picture.satisfies(request) {
        storage.recordShown(path, file.version, request, sourceSize: picture.sourceSize)
        return (.success(DecodedImage(picture)), false)
      }
      let outcome: ImageOutcome
      var isDecoded = false
      let storedOutcome = storage.storedImage(of: file, at: path, for: request) { file, identity, request in
        health.refusal(of: identity).map { .failure($0) } ?? decode(file, identity, request)
      }
      if let storedOutcome {
        outcome = storedOutcome
        // Other programs may have no thumbnail of it yet.
        if case .success(let image) = outcome, image.representation == .full {
          storage.recordShown(path, file.version, request, sourceSize: image.sourceSize)
        }
      } else if request.representation == .embedded, !request.hasPreview {
        return (.failure(.refused(.noPreview)), false)
      } else {
        outcome = decode(file.number, identity, request)
        isDecoded = request.representation == .full
      }
      // A server that has not answered for this long may not do so now either.
      let hasChanged = !outcome.isTimeout && file.currentVersion != file.version
      if case .success(let image) = outcome, image.representation == .full, !image.isDamaged, !hasChanged, !isFresh {
        storage.insertPixels(
          StoredThumbnail(bitmap: image.bitmap, sourceSize: image.sourceSize, origin: image.origin), for: name)
      }
      if isDecoded, !hasChanged { storage.recordDecoded(path, file.version, request, outcome) }
      return (outcome, hasChanged)
    } catch {
      return (.failure(error), false)
    }
  }

  /// Returns the stored thumbnail of a file that could not be opened, as a preview, or nil if there is none.
  private func storedPreview(for request: ImageRequest, after failure: ImageFailure) -> DecodedImage? {
    guard case .cannotOpen(let code) = failure, let fingerprint = request.fingerprint else { return nil }
    let outcome = storage?.storedImage(ofUnreachable: fingerprint, for: request) { file, identity, request in
      health.refusal(of: identity).map { .failure($0) } ?? decode(file, identity, request)
    }
    guard case .success(let image)? = outcome else { return nil }
    return image.markedPreview(ofFileWithOpenFailure: code)
  }

  /// Decodes an open file without using stored thumbnails.
  func decode(_ file: borrowing ImageFile, _ request: ImageRequest) -> ImageOutcome {
    if let failure = health.refusal(of: file.version.identity) { return .failure(failure) }
    return decode(file.number, file.version.identity, request)
  }

  func decode(_ file: Int32, _ identity: ImageFileIdentity, _ request: ImageRequest) -> ImageOutcome {
    do throws(ImageFailure) {
      guard let process = try readyProcess(shouldContinue: { !interrupter.isInterrupted }, onStarvation: onStarvation)
      else {
        throw .interrupted
      }
      do throws(DecodingProcessError) {
        let image = try process.decode(
          file: file, fileBytes: identity.byteCount, request, delay: delay, interrupter: interrupter,
          demand: health.hasHurried(identity) ? nil : demand,
          onStarvation: onStarvation)
        health.recordSuccess(of: identity)
        return .success(image)
      } catch {
        if error.isFault { recordFault(of: process, error, file: identity) }
        return .failure(error.failure)
      }
    } catch {
      return .failure(error)
    }
  }

  /// Encodes a bitmap as an opaque PNG file with texts.
  func encodePNG(_ bitmap: Bitmap, texts: PNGTexts) -> Result<[UInt8], ImageFailure> {
    encode { process throws(DecodingProcessError) in try process.encodePNG(bitmap, texts: texts) }
  }

  /// Encodes a bitmap as a JPEG file.
  ///
  /// - Parameter quality: The quality, 1 to 100.
  func encodeJPEG(_ bitmap: Bitmap, quality: Int) -> Result<[UInt8], ImageFailure> {
    encode { process throws(DecodingProcessError) in try process.encode(bitmap, quality: quality) }
  }

  private func encode(
    _ body: (DecodingProcess) throws(DecodingProcessError) -> [UInt8]
  ) -> Result<[UInt8], ImageFailure> {
    do throws(ImageFailure) {
      guard let process = try readyProcess(shouldContinue: { !interrupter.isInterrupted }, onStarvation: onStarvation)
      else {
        throw .interrupted
      }
      do throws(DecodingProcessError) {
        return .success(try body(process))
      } catch {
        if !process.isUsable { self.process = nil }
        throw error.failure
      }
    } catch {
      return .failure(error)
    }
  }

  // MARK: - Process lifecycle

  private func recordFault(of process: DecodingProcess, _ error: DecodingProcessError, file: ImageFileIdentity) {
    // A process that could not be started is not lost.
    if case .system = error {
      if !process.isUsable { self.process = nil }
      return
    }
    health.recordLoss(error, process.termination, of: file, timeout: process.timeoutCause)
    if !process.isUsable { self.process = nil }
  }

  /// Returns a ready process; starts a second one if the first does not become ready.
  ///
  /// - Parameters:
  ///   - shouldContinue: A closure called from time to time that returns whether to continue. The process continues in
  ///     any case.
  ///   - onStarvation: A closure called when the process gets no core for a while.
  /// - Returns: The process, or nil if it is not wanted any more.
  private func readyProcess(
    shouldContinue: () -> Bool, onStarvation: (() -> Void)?
  ) throws(ImageFailure) -> DecodingProcess? {
    let first = try startProcessIfNeeded()
    do throws(DecodingProcessError) {
      return try waitUntilReady(of: first, shouldContinue, onStarvation) ? first : nil
    } catch .interrupted {
      throw .interrupted
    } catch {
      let second = try startProcessIfNeeded()
      do throws(DecodingProcessError) {
        return try waitUntilReady(of: second, shouldContinue, onStarvation) ? second : nil
      } catch {
        throw error.failure
      }
    }
  }

  private func waitUntilReady(
    of process: DecodingProcess, _ shouldContinue: () -> Bool, _ onStarvation: (() -> Void)?
  ) throws(DecodingProcessError) -> Bool {
    guard process.readiness == nil else { return true }
    do throws(DecodingProcessError) {
      guard try process.waitUntilReady(shouldContinue: shouldContinue, onStarvation: onStarvation) else { return false }
      health.recordStart(process)
      return true
    } catch {
      self.process = nil
      health.recordLoss(error, nil, of: nil)
      throw error
    }
  }

  /// Returns the process, or starts a new one if there is none, it has ended, or it is due for replacement.
  private func startProcessIfNeeded() throws(ImageFailure) -> DecodingProcess {
    guard !health.isStopped else {
      process = nil
      throw .decodingStopped
    }
    if let process {
      if process.hasEnded {
        health.recordLoss(.exited, process.ownTermination, of: nil)
      } else if process.isUsable, process.forkCount < ProcessDecoder.maximumForks {
        return process
      } else {
        health.recordRetirement()
      }
    }
    process = nil
    guard let setup = setup() else { throw .decoderUnavailable }
    do throws(DecodingProcessError) {
      let started = try startProcess(setup)
      process = started
      return started
    } catch {
      throw error.failure
    }
  }

  /// Starts a process; tries a second time, as the system may be short of resources for a moment only.
  ///
  /// A process that could not be started does not count as lost.
  private func startProcess(_ setup: DecodingProcess.Setup) throws(DecodingProcessError) -> DecodingProcess {
    do throws(DecodingProcessError) {
      return try DecodingProcess(starting: setup, stop: stop, times: times)
    } catch {
      return try DecodingProcess(starting: setup, stop: stop, times: times)
    }
  }
}
