extension ImagePipeline {
  /// Decodes a picture on the calling thread, which waits for it: what a pipeline is there to avoid, for showing what it costs.
  ///
  /// Counted in ``ImageStatistics/decodedOnRenderThread`` where the thread is the one that draws. The pixels are the caller's
  /// and not kept.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - form: what it is prepared for.
  ///   - decoder: the caller's own, as the pipeline's work elsewhere.
  /// - Returns: its pixels, or why there are none.
  /// - Complexity: that of the decoder.
  public nonisolated func decodeInPlace(
    _ image: StoredImage, for form: PreparedForm, by decoder: any PictureDecoder
  ) -> ImageOutcome {
    witness.noteDecode()
    return decoder.decode(image.request(for: form, mostPixels: mostPixels))
  }
}
