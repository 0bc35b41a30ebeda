public import FramePacing
public import Geometry

extension StoredImage {
  // MARK: - By completion, on the thread that draws

  /// Prepares the picture to be shown at its own size, and calls back with its pixels, the right way up.
  ///
  /// Its size is the one after orientation, in pixels; where the pipeline's largest bitmap
  /// (``ImagePipelineConfiguration/slotBytes``) has room for fewer, it is reduced to as many. Prepared pictures are large:
  /// four bytes a pixel. They are kept in memory, within the pipeline's ``ImageCache``.
  ///
  /// - Parameters:
  ///   - pipeline: who prepares it.
  ///   - deadline: when it should be there, by the frames' clock; now, where nothing is told, as it is on screen.
  ///   - completion: called exactly once, on the main actor, in the collect phase of a frame, which is woken for it: a later
  ///     one, also where the picture is in memory already; with the reason where there is no picture. Not called once
  ///     the preparation was given up or the pipeline shut down.
  /// - Returns: what gives it up; letting go of it does not.
  /// - Complexity: O(log requests); nothing is read here. Who wants the same pixels of the same picture joins the work.
  @MainActor @discardableResult
  public func prepareForDisplay(
    in pipeline: ImagePipeline, deadline: FrameInstant = .onScreen,
    completion: @escaping @MainActor (ImageOutcome) -> Void
  ) -> ImagePreparation {
    pipeline.prepare(self, for: .display, deadline: deadline, completion: completion)
  }

  /// Prepares the picture to fill a place, and calls back with its pixels, the right way up.
  ///
  /// The middle of the picture is kept, in the shape of the place. It is never enlarged: the bitmap has exactly the size
  /// asked for, or, of a smaller picture, the pixels that there are; a view that enlarges these to the place fills it.
  ///
  /// - Parameters:
  ///   - size: the place in pixels, not in points.
  ///   - pipeline: who prepares it.
  ///   - deadline: when it should be there, by the frames' clock; now, where nothing is told, as it is on screen.
  ///   - completion: called as ``prepareForDisplay(in:deadline:completion:)`` says.
  /// - Returns: what gives it up; letting go of it does not.
  /// - Complexity: O(log requests); nothing is read here. Who wants the same pixels of the same picture joins the work.
  @MainActor @discardableResult
  public func prepareThumbnail(
    of size: PixelSize, in pipeline: ImagePipeline, deadline: FrameInstant = .onScreen,
    completion: @escaping @MainActor (ImageOutcome) -> Void
  ) -> ImagePreparation {
    pipeline.prepare(self, for: .thumbnail(size), deadline: deadline, completion: completion)
  }

  // MARK: - For tasks off the main actor

  /// The picture prepared to be shown at its own size; for tasks that do not run on the main actor.
  ///
  /// Ends in the collect phase of a frame, which is woken for it, so the loop has to run. Cancelling the task gives the
  /// preparation up, at once.
  ///
  /// - Parameters:
  ///   - pipeline: who prepares it.
  ///   - deadline: when it should be there; after all that is on screen, where nothing is told.
  /// - Returns: its pixels, as ``prepareForDisplay(in:deadline:completion:)`` gives them.
  /// - Throws: ``ImageFailure``, ``ImageFailure/interrupted`` where the pipeline is shut down; `CancellationError` where the
  ///   task is cancelled.
  /// - Precondition: it is not called on the thread that draws, whose loop runs no tasks.
  public func byPreparingForDisplay(
    in pipeline: ImagePipeline, deadline: FrameInstant = .zero
  ) async throws -> DecodedImage {
    try await pipeline.byPreparing(self, for: .display, deadline: deadline)
  }

  /// The picture prepared to fill a place; for tasks that do not run on the main actor.
  ///
  /// - Parameters:
  ///   - size: the place in pixels.
  ///   - pipeline: who prepares it.
  ///   - deadline: when it should be there; after all that is on screen, where nothing is told.
  /// - Returns: its pixels, as ``prepareThumbnail(of:in:deadline:completion:)`` gives them.
  /// - Throws: as ``byPreparingForDisplay(in:deadline:)``.
  /// - Precondition: it is not called on the thread that draws, whose loop runs no tasks.
  public func byPreparingThumbnail(
    ofSize size: PixelSize, in pipeline: ImagePipeline, deadline: FrameInstant = .zero
  ) async throws -> DecodedImage {
    try await pipeline.byPreparing(self, for: .thumbnail(size), deadline: deadline)
  }

  // MARK: - For threads that may wait

  /// The picture prepared to be shown at its own size; blocks until it is, for threads of the caller's own.
  ///
  /// Ends in the collect phase of a frame, which is woken for it, so the loop has to run meanwhile. Not for tasks, whose
  /// threads are few and not to be blocked.
  ///
  /// - Parameters:
  ///   - pipeline: who prepares it.
  ///   - deadline: when it should be there; after all that is on screen, where nothing is told.
  /// - Returns: its pixels, as ``prepareForDisplay(in:deadline:completion:)`` gives them.
  /// - Throws: why there is no picture; ``ImageFailure/interrupted`` where the pipeline is shut down.
  /// - Precondition: it is not called on the thread that draws, which would wait for itself.
  public func preparingForDisplay(
    in pipeline: ImagePipeline, deadline: FrameInstant = .zero
  ) throws(ImageFailure) -> DecodedImage {
    try pipeline.preparing(self, for: .display, deadline: deadline)
  }

  /// The picture prepared to fill a place; blocks until it is, for threads of the caller's own.
  ///
  /// - Parameters:
  ///   - size: the place in pixels.
  ///   - pipeline: who prepares it.
  ///   - deadline: when it should be there; after all that is on screen, where nothing is told.
  /// - Returns: its pixels, as ``prepareThumbnail(of:in:deadline:completion:)`` gives them.
  /// - Throws: as ``preparingForDisplay(in:deadline:)``.
  /// - Precondition: it is not called on the thread that draws, which would wait for itself.
  public func preparingThumbnail(
    of size: PixelSize, in pipeline: ImagePipeline, deadline: FrameInstant = .zero
  ) throws(ImageFailure) -> DecodedImage {
    try pipeline.preparing(self, for: .thumbnail(size), deadline: deadline)
  }
}
