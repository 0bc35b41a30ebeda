import Testing

extension Scenarios {
  @Suite("With --reduce-motion nothing is seen on its way")
  struct ReducedMotionTests {
    @Test("A zoom is seen on its way, and at once where motion is reduced")
    func zoom() throws {
      let script = try TemporaryFolder(named: "script")
      try script.write(Array(#"{"steps": [{"wait": 0.5}, {"zoom": 1}]}"#.utf8), to: "zoom.json")
      let options =
        VitrineRun.smallWindow + [
          "--synthetic", "2000", "--clock", "virtual", "--duration", "2", "--scroll", script.path + "/zoom.json",
        ]
      let moving = try VitrineRun.report(options).figures
      let still = try VitrineRun.report(options + ["--reduce-motion"]).figures
      #expect(moving.frames.trackedSeconds > 0.1, "items are seen on their way")
      #expect(still.frames.trackedSeconds == 0)
      #expect(still.frameDigest != moving.frameDigest)
    }
  }
}
