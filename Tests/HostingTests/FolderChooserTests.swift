import Testing
import VitrineTestSupport
import VitrineThreads

@testable import VitrineHosting

@Suite("The dialog for folders")
struct FolderChooserTests {
  @Test(
    "A file address names a path by its bytes, and other addresses none",
    arguments: [
      ("file:///home/a%20b", Array("/home/a b".utf8)), ("file:///%FF%c3", [0x2F, 0xFF, 0xC3]), ("file:///", [0x2F]),
      ("http:///a", nil), ("file://host/a", nil), ("file:///a%0", nil), ("file:///a%zz", nil), ("file:///a%00b", nil),
      ("", nil),
    ] as [(String, [UInt8]?)])
  func address(address: String, expected: [UInt8]?) {
    #expect(FileAddress.path(of: address) == expected)
  }

  @Test("Without a bus there is no chooser, and with an address at which nothing listens there is no dialog")
  func noBus() throws {
    #expect(FolderChooser(environment: [:]) { _ in } == nil)
    let outcomes = Mailbox<FolderChooser.Outcome>()
    let chooser = try #require(
      FolderChooser(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]) { outcomes.post($0) })
    chooser.open(title: "Open")
    #expect(try Self.next(outcomes) == .unavailable)
    chooser.stop()
  }

  private static func next(_ outcomes: Mailbox<FolderChooser.Outcome>) throws -> FolderChooser.Outcome {
    try Deadline().wait(for: "the end of the dialog") { outcomes.takeMessages().messages.first }
  }
}

@Suite(
  "The dialog of a portal on a bus of its own", .serialized,
  .enabled(if: FakePortal.isInstalled, "dbus-daemon is not installed"))
struct FolderDialogTests {
  @Test("A choice, a closed dialog and a portal without dialogs are told apart, one after another")
  func outcomes() throws {
    let portal = try FakePortal()
    defer { portal.stop() }
    let outcomes = Mailbox<FolderChooser.Outcome>()
    let chooser = try #require(
      FolderChooser(environment: ["DBUS_SESSION_BUS_ADDRESS": portal.address]) { outcomes.post($0) })
    defer { chooser.stop() }
    let answers: [(UInt32?, FolderChooser.Outcome)] = [
      (0, .chosen(Array("/a b".utf8))), (1, .cancelled), (nil, .unavailable), (0, .chosen(Array("/a b".utf8))),
    ]
    for (response, expected) in answers {
      chooser.open(title: "Open")
      chooser.open(title: "a second one has no effect")
      try portal.receiveDialog(answeringWith: response, "file:///a%20b")
      let outcome = try Deadline().wait(for: "the end of the dialog") { outcomes.takeMessages().messages.first }
      #expect(outcome == expected)
    }
  }

  @Test("A dialog that is open when the program quits is forgotten")
  func stopped() throws {
    let portal = try FakePortal()
    defer { portal.stop() }
    let outcomes = Mailbox<FolderChooser.Outcome>()
    let chooser = try #require(
      FolderChooser(environment: ["DBUS_SESSION_BUS_ADDRESS": portal.address]) { outcomes.post($0) })
    chooser.open(title: "Open")
    chooser.stop()
    #expect(outcomes.isEmpty)
  }
}
