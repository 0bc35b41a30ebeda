import VitrineDecodingProtocol
public import VitrineRendering

extension ImagePipeline {
  /// Sets the profile of the display, to whose colors all images and frames of animations are converted from now on.
  ///
  /// What is stored on disk remains in sRGB. After a change, images in memory are not used any more: those of pinned keys
  /// become previews, the others are evicted. Running requests deliver images in the new colors. Images that were
  /// delivered before keep their colors, and so do animations; request them again.
  ///
  /// A decoding process reads the profile. An invalid profile, one that is not of red, green and blue, and one of sRGB
  /// have the same effect as none.
  ///
  /// - Parameter profile: The profile. Default of a pipeline: nil, the display shows sRGB, which costs nothing.
  /// - Returns: Whether the profile was another one before.
  /// - Complexity: O(images in memory) if the profile is another one.
  @discardableResult
  public func setDisplayProfile(_ profile: ColorProfile?) -> Bool {
    guard profile != displayProfile else { return false }
    displayProfile = profile
    let revision = converter.setProfile(profile)
    cache.demoteAll()
    executor.handle(.setColorRevision(revision))
    restartHits()
    return true
  }

  /// Returns the table of a profile, made in a process that ends then, or nil if the profile is not usable.
  ///
  /// It blocks until the process has answered, and must be called on a thread that lives as long.
  nonisolated static func makeColorTable(
    _ profile: ColorProfile, helperPath: String?, stop: StopSignal
  ) -> ColorTable? {
    guard let executable = try? DecoderExecutable.locate(explicit: helperPath) else { return nil }
    let setup = DecodingProcess.Setup(
      executable: executable, slotBytes: max(ColorProfile.maximumByteCount, ColorTableFormat.byteCount),
      priority: .normal)
    return try? DecodingProcess(setup, stop: stop).colorTable(of: profile)
  }
}
