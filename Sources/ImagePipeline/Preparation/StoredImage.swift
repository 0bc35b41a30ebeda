public import VitrineFramePacing
public import VitrineGeometry
public import VitrineImageMetadata
public import VitrineRendering

/// A reference to an encoded image that can be prepared for display.
///
/// The value holds none of the image's bytes and corresponds to UIKit's `UIImage` before it is decoded. Only a worker
/// opens the file, so creating a value is cheap and cannot fail: a missing or invalid file is a failure of its
/// preparation.
public struct StoredImage: Hashable, Sendable {
  /// The identity of the image and its version, used as the ``ImageKey/source`` of everything prepared from it.
  public let name: UInt64
  /// The source of the pixels.
  public let source: ImageSource
  /// The encoded size in bytes, or 0 if unknown; used to estimate the duration of decoding.
  public var byteCount: Int
  /// The size in pixels after orientation, if known from the header.
  public var size: PixelSize?
  /// Whether the file contains an embedded preview, as its header says.
  public var hasPreview: Bool
  /// The limits on images to decode.
  public var limits: ImageLimits
  /// The background colour of transparent pixels; its alpha is ignored.
  public let background: Color

  /// Creates a reference to an image file.
  ///
  /// - Parameters:
  ///   - path: The bytes of the file's path, without a zero byte.
  ///   - version: A number that changes whenever the file changes, such as its modification time. Otherwise images
  ///     prepared from the old content are used for the new one.
  ///   - byteCount: The file's size in bytes, or 0 if unknown.
  ///   - size: The image's size in pixels after orientation, if known.
  ///   - hasPreview: Whether the file contains an embedded preview, as its header says.
  ///   - background: The background colour of transparent pixels.
  ///   - limits: The limits on images to decode.
  public init(
    path: [UInt8], version: UInt64 = 0, byteCount: Int = 0, size: PixelSize? = nil, hasPreview: Bool = false,
    background: Color = .black, limits: ImageLimits = .standard
  ) {
    self.init(
      source: .file(path: path), version: version, byteCount: byteCount, size: size, hasPreview: hasPreview,
      background: background, limits: limits)
  }

  /// Creates a reference to an image from any source, such as a number for a custom ``PipelineImageDecoder``.
  ///
  /// - Parameters:
  ///   - source: The source of the pixels.
  ///   - version: A number that changes whenever the pixels change.
  ///   - byteCount: The encoded size in bytes, or 0 if unknown.
  ///   - size: The size in pixels after orientation, if known.
  ///   - hasPreview: Whether the source contains an embedded preview.
  ///   - background: The background colour of transparent pixels.
  ///   - limits: The limits on images to decode.
  /// - Complexity: O(bytes of the path).
  public init(
    source: ImageSource, version: UInt64 = 0, byteCount: Int = 0, size: PixelSize? = nil, hasPreview: Bool = false,
    background: Color = .black, limits: ImageLimits = .standard
  ) {
    var digest = ContentDigest()
    switch source {
    case .file(let path):
      digest.combine(1)
      path.withUnsafeBytes { digest.combine(bytes: $0) }
    case .generated(let number):
      digest.combine(2)
      digest.combine(number)
    case .memory(let file):
      digest.combine(3)
      digest.combine(file.name)
    case .remote(let image):
      digest.combine(4)
      digest.combine(image.digest)
    }
    digest.combine(version)
    // Another background colour means other pixels.
    digest.combine(UInt64(background.packed))
    name = digest.value
    self.source = source
    self.byteCount = byteCount
    self.size = size
    self.hasPreview = hasPreview
    self.background = background
    self.limits = limits
  }

  /// Returns the cache key of the image in a form.
  ///
  /// - Parameter maximumPixels: The maximum number of pixels of a bitmap.
  func key(for form: PreparedForm, maximumPixels: Int) -> ImageKey {
    switch form {
    case .thumbnail(let size): ImageKey(source: name, size: size, fit: .fillWithoutEnlarging)
    case .display:
      ImageKey(source: name, size: (size ?? .maximum).scaled(toMaximumArea: maximumPixels), fit: .fit)
    }
  }

  /// Returns the request that prepares the image in a form.
  ///
  /// - Parameter maximumPixels: The maximum number of pixels of a bitmap.
  func request(for form: PreparedForm, maximumPixels: Int) -> ImageRequest {
    ImageRequest(
      key: key(for: form, maximumPixels: maximumPixels), source: source, background: background.packed,
      fileBytes: byteCount,
      limits: limits, hasPreview: hasPreview)
  }
}

extension StoredImage {
  // MARK: - Preparing with a completion on the render thread

  /// Prepares the image at its own size and calls a closure with the upright pixels.
  ///
  /// The size is the one after orientation, reduced to the pipeline's largest bitmap
  /// (``ImagePipelineConfiguration/slotBytes``) if necessary. Prepared images are large: four bytes per pixel. They are
  /// cached in the pipeline's ``ImageCache``.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline that prepares the image.
  ///   - deadline: The time at which the image is needed, on the frame clock. Default: now, as it is on screen.
  ///   - completion: A closure called once on the main actor with the image or the failure, in the collect phase of a
  ///     later frame, which is requested for it, even if the image is in memory already. Not called if the preparation
  ///     is cancelled or the pipeline is shut down.
  /// - Returns: A handle that cancels the preparation. Releasing it does not.
  /// - Complexity: O(log requests); reads no file. Requests for the same pixels share the work.
  @MainActor @discardableResult
  public func prepareForDisplay(
    in pipeline: ImagePipeline, deadline: FrameInstant = .onScreen,
    completion: @escaping @MainActor (ImageOutcome) -> Void
  ) -> ImagePreparation {
    pipeline.prepare(self, for: .display, deadline: deadline, completion: completion)
  }

  /// Prepares the image to fill a size and calls a closure with the upright pixels.
  ///
  /// The image is cropped around its centre to the aspect ratio of the size and never enlarged: the bitmap has exactly
  /// the given size, or fewer pixels if the image is smaller. A view that enlarges it fills the size.
  ///
  /// - Parameters:
  ///   - size: The size in pixels, not in points.
  ///   - pipeline: The pipeline that prepares the image.
  ///   - deadline: The time at which the image is needed, on the frame clock. Default: now, as it is on screen.
  ///   - completion: A closure called as for ``prepareForDisplay(in:deadline:completion:)``.
  /// - Returns: A handle that cancels the preparation. Releasing it does not.
  /// - Complexity: O(log requests); reads no file. Requests for the same pixels share the work.
  @MainActor @discardableResult
  public func prepareThumbnail(
    of size: PixelSize, in pipeline: ImagePipeline, deadline: FrameInstant = .onScreen,
    completion: @escaping @MainActor (ImageOutcome) -> Void
  ) -> ImagePreparation {
    pipeline.prepare(self, for: .thumbnail(size), deadline: deadline, completion: completion)
  }

  // MARK: - Preparing in tasks off the main actor

  /// Returns the image prepared at its own size, for tasks that do not run on the main actor.
  ///
  /// The result is delivered in the collect phase of a frame, which is requested for it, so the loop must be running.
  /// Cancelling the task cancels the preparation immediately.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline that prepares the image.
  ///   - deadline: The time at which the image is needed. Default: after everything on screen.
  /// - Returns: The image, as for ``prepareForDisplay(in:deadline:completion:)``.
  /// - Throws: ``ImageFailure``, which is ``ImageFailure/interrupted`` if the pipeline is shut down;
  ///   `CancellationError` if the task is cancelled.
  /// - Precondition: It is not called on the render thread, whose loop runs no tasks.
  public func byPreparingForDisplay(
    in pipeline: ImagePipeline, deadline: FrameInstant = .zero
  ) async throws -> DecodedImage {
    try await pipeline.byPreparing(self, for: .display, deadline: deadline)
  }

  /// Returns the image prepared to fill a size, for tasks that do not run on the main actor.
  ///
  /// - Parameters:
  ///   - size: The size in pixels.
  ///   - pipeline: The pipeline that prepares the image.
  ///   - deadline: The time at which the image is needed. Default: after everything on screen.
  /// - Returns: The image, as for ``prepareThumbnail(of:in:deadline:completion:)``.
  /// - Throws: The errors of ``byPreparingForDisplay(in:deadline:)``.
  /// - Precondition: It is not called on the render thread, whose loop runs no tasks.
  public func byPreparingThumbnail(
    ofSize size: PixelSize, in pipeline: ImagePipeline, deadline: FrameInstant = .zero
  ) async throws -> DecodedImage {
    try await pipeline.byPreparing(self, for: .thumbnail(size), deadline: deadline)
  }

  // MARK: - Preparing on threads that may block

  /// Returns the image prepared at its own size; blocks the calling thread until it is ready.
  ///
  /// The result is delivered in the collect phase of a frame, which is requested for it, so the loop must be running.
  /// Call this on a thread of your own, not in a task, which must not block its thread.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline that prepares the image.
  ///   - deadline: The time at which the image is needed. Default: after everything on screen.
  /// - Returns: The image, as for ``prepareForDisplay(in:deadline:completion:)``.
  /// - Throws: ``ImageFailure``, which is ``ImageFailure/interrupted`` if the pipeline is shut down.
  /// - Precondition: It is not called on the render thread, which would wait for itself.
  public func preparingForDisplay(
    in pipeline: ImagePipeline, deadline: FrameInstant = .zero
  ) throws(ImageFailure) -> DecodedImage {
    try pipeline.preparing(self, for: .display, deadline: deadline)
  }

  /// Returns the image prepared to fill a size; blocks the calling thread until it is ready.
  ///
  /// - Parameters:
  ///   - size: The size in pixels.
  ///   - pipeline: The pipeline that prepares the image.
  ///   - deadline: The time at which the image is needed. Default: after everything on screen.
  /// - Returns: The image, as for ``prepareThumbnail(of:in:deadline:completion:)``.
  /// - Throws: The errors of ``preparingForDisplay(in:deadline:)``.
  /// - Precondition: It is not called on the render thread, which would wait for itself.
  public func preparingThumbnail(
    of size: PixelSize, in pipeline: ImagePipeline, deadline: FrameInstant = .zero
  ) throws(ImageFailure) -> DecodedImage {
    try pipeline.preparing(self, for: .thumbnail(size), deadline: deadline)
  }
}

// MARK: - Prepared forms

/// The form in which a stored image is prepared.
public enum PreparedForm: Hashable, Sendable {
  /// The whole image at its own size in pixels, or at the size of the pipeline's largest bitmap.
  case display
  /// A thumbnail that fills a size in pixels, cropped around its centre and never enlarged.
  case thumbnail(PixelSize)
}
