import DecodingProtocol
import FramePacing
import Geometry
import Glibc

/// Opens files and has its decoding process decode them; starts another process when one is lost.
final class ProcessDecoder: JobDecoder {
  /// The pictures after which a process is replaced, so that what it leaks stays small.
  private static let maximumServedPictures = 10_000
  /// The pictures after which a process's memory is looked at.
  private static let picturesBetweenMemoryChecks = 16
  /// How often a file that changes while it is read is read again.
  private static let maximumReads = 3

  private let setup: @Sendable () -> DecodingProcess.Setup?
  private let delay: FrameDuration
  private let stop: StopSignal
  let health: DecoderHealth
  private let interrupter: DecodeInterrupter
  private let store: ThumbnailStore?
  private let sharing: SharingCoordinator?
  private let whenStarved: (() -> Void)?
  private let times: DecodingProcessTimes.Entry?
  private var process: DecodingProcess? {
    didSet { times?.record(process?.number) }
  }

  /// Makes a decoder without a process, which ``prepare()`` starts.
  ///
  /// - Parameters:
  ///   - setup: tells what a process is started with, each time one is; nothing when there is no executable to start.
  ///   - delay: time added to each decode.
  ///   - stop: what makes every wait end early.
  ///   - health: what is known of files and processes.
  ///   - interrupter: what may stop a decode from another thread.
  ///   - store: where pictures are that were made before, and where those are put that are made.
  ///   - sharing: where it is noted what was decoded.
  ///   - whenStarved: called when a process has got no core for a while; nothing where nobody wants to know.
  ///   - times: where the process is recorded for who sums up processor times. Default: nil.
  init(
    setup: @escaping @Sendable () -> DecodingProcess.Setup?, delay: FrameDuration, stop: StopSignal,
    health: DecoderHealth = DecoderHealth(), interrupter: DecodeInterrupter = DecodeInterrupter(),
    store: ThumbnailStore? = nil, sharing: SharingCoordinator? = nil, whenStarved: (() -> Void)? = nil,
    times: DecodingProcessTimes.Entry? = nil
  ) {
    self.setup = setup
    self.delay = delay
    self.stop = stop
    self.health = health
    self.interrupter = interrupter
    self.store = store
    self.sharing = sharing
    self.whenStarved = whenStarved
    self.times = times
  }

  /// The kernel's number of the process; nothing while there is none.
  var processNumber: pid_t? { process?.number }

  func prepare() {
    retireOversizedProcess()
    // What is on disk needs no process, and is not to wait for one.
    guard store == nil else {
      _ = try? startProcessIfNeeded()
      return
    }
    // One that gets no core is waited for with a job: then its starving is seen, and others can help.
    var isStarved = false
    _ = try? readyProcess(isWanted: { !isStarved }, whenStarved: { isStarved = true })
  }

  /// Ends the process; the next picture that is not on disk starts another.
  func releaseIdleResources() { process = nil }

  func decode(_ job: ImageJob) -> ImageOutcome { decode(job.request, job: job.number) }

  func decode(_ request: ImageRequest) -> ImageOutcome { decode(request, job: nil) }

  private func decode(_ request: ImageRequest, job: UInt64?) -> ImageOutcome {
    sharing?.beginWork()
    defer { sharing?.endWork() }
    interrupter.beginDecode(request.key, job: job)
    defer { interrupter.endDecode() }
    var reading = readPicture(request)
    for _ in 1..<ProcessDecoder.maximumReads where reading.hasChanged { reading = readPicture(request) }
    // Of a file that does not come to rest, what was seen last is shown: half of the old and half of the new, maybe.
    return reading.hasChanged ? reading.outcome.map(\.markedDamaged) : reading.outcome
  }

  private func readPicture(_ request: ImageRequest) -> (outcome: ImageOutcome, hasChanged: Bool) {
    do throws(ImageFailure) {
      let file = try PictureFile(request.source)
      let identity = file.version.identity
      if let failure = health.refusal(of: identity) { throw failure }
      // What is held in memory has no name that another run would know.
      guard case .file(let path) = request.source, let store else {
        let outcome = decode(file.number, identity, request)
        return (outcome, file.currentVersion != file.version)
      }
      // Asked now: after a long decode a change within the same step of the clock would look old.
      let isFresh = identity.isFresh
      let name = FileFingerprint(file.version, request)
      if let picture = store.picture(for: name), picture.satisfies(request) {
        // It may never have been: the run that made it may have had no rest.
        sharing?.addCandidate(SharingCandidate.shown(path, file.version, request, of: picture.sourceSize))
        return (.success(DecodedImage(picture)), false)
      }
      let outcome: ImageOutcome
      var isDecoded = false
      if let shared = store.shared, let taken = decodeSharedThumbnail(file, of: path, shared, request) {
        outcome = taken
      } else if request.representation == .embedded, !request.hasPreview {
        return (.failure(.refused(.noPreview)), false)
      } else {
        outcome = decode(file.number, identity, request)
        isDecoded = request.representation == .full
      }
      let hasChanged = file.currentVersion != file.version
      if case .success(let image) = outcome, image.representation == .full, !image.isDamaged, !hasChanged, !isFresh {
        store.insert(StoredThumbnail(bitmap: image.bitmap, sourceSize: image.sourceSize), for: name)
      }
      if isDecoded, !hasChanged {
        sharing?.addCandidate(SharingCandidate.decoded(path, file.version, request, outcome))
      }
      return (outcome, hasChanged)
    } catch {
      return (.failure(error), false)
    }
  }

  /// Has an open file decoded, whatever is kept of it.
  func decode(_ file: borrowing PictureFile, _ request: ImageRequest) -> ImageOutcome {
    if let failure = health.refusal(of: file.version.identity) { return .failure(failure) }
    return decode(file.number, file.version.identity, request)
  }

  func decode(_ file: Int32, _ identity: FileIdentity, _ request: ImageRequest) -> ImageOutcome {
    do throws(ImageFailure) {
      guard let process = try readyProcess(isWanted: { !interrupter.isInterrupted }, whenStarved: whenStarved) else {
        throw .interrupted
      }
      do throws(DecodingProcessError) {
        let image = try process.decode(
          file: file, fileBytes: identity.byteCount, request, delay: delay, interrupter: interrupter,
          whenStarved: whenStarved)
        health.recordSuccess(of: identity)
        return .success(image)
      } catch {
        if error.invalidatesProcess { discardProcess(process, error, of: identity) }
        return .failure(error.failure)
      }
    } catch {
      return .failure(error)
    }
  }

  private func discardProcess(_ process: DecodingProcess, _ error: DecodingProcessError, of file: FileIdentity) {
    health.recordLoss(error, error == .exited ? process.termination : nil, of: file)
    self.process = nil
  }

  /// A decoder that keeps what it took is replaced while nobody waits for it.
  private func retireOversizedProcess() {
    guard let process, process.servedCount > 0,
      process.servedCount.isMultiple(of: ProcessDecoder.picturesBetweenMemoryChecks),
      process.exceedsMemoryLimit
    else { return }
    self.process = nil
    health.recordRetirement()
  }

  /// The process, ready; tries another once where it does not become so.
  ///
  /// - Parameters:
  ///   - isWanted: asked now and then; without it the process goes on to get ready by itself.
  ///   - whenStarved: called when it gets no core for a while.
  /// - Returns: nothing where it is not wanted any more.
  private func readyProcess(
    isWanted: () -> Bool, whenStarved: (() -> Void)?
  ) throws(ImageFailure) -> DecodingProcess? {
    let first = try startProcessIfNeeded()
    do throws(DecodingProcessError) {
      return try waitUntilReady(of: first, isWanted, whenStarved) ? first : nil
    } catch .interrupted {
      throw .interrupted
    } catch {
      let second = try startProcessIfNeeded()
      do throws(DecodingProcessError) {
        return try waitUntilReady(of: second, isWanted, whenStarved) ? second : nil
      } catch {
        throw error.failure
      }
    }
  }

  private func waitUntilReady(
    of process: DecodingProcess, _ isWanted: () -> Bool, _ whenStarved: (() -> Void)?
  ) throws(DecodingProcessError) -> Bool {
    guard process.readiness == nil else { return true }
    do throws(DecodingProcessError) {
      guard try process.waitUntilReady(isWanted: isWanted, whenStarved: whenStarved) else { return false }
      health.recordStart(process)
      return true
    } catch {
      self.process = nil
      health.recordLoss(error, nil, of: nil)
      throw error
    }
  }

  /// The process, a fresh one where there is none, it has ended, or it has served for long enough.
  private func startProcessIfNeeded() throws(ImageFailure) -> DecodingProcess {
    guard !health.isStopped else {
      process = nil
      throw .decodingStopped
    }
    if let process {
      if process.hasEnded {
        health.recordLoss(.exited, process.termination, of: nil)
      } else if process.servedCount < ProcessDecoder.maximumServedPictures {
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

  /// Starts a process; tries once more where the system had none to give for a moment.
  ///
  /// A process that the system did not give is none that was lost.
  private func startProcess(_ setup: DecodingProcess.Setup) throws(DecodingProcessError) -> DecodingProcess {
    do throws(DecodingProcessError) {
      return try DecodingProcess(starting: setup, stop: stop)
    } catch {
      return try DecodingProcess(starting: setup, stop: stop)
    }
  }
}
