import Testing
import VitrineTestSupport
import VitrineThreads

@testable import VitrineHosting

@Suite("The opener of addresses")
struct AddressOpenerTests {
  @Test("Without a bus there is no opener, and with an address at which nothing listens opening fails")
  func noBus() throws {
    #expect(AddressOpener(environment: [:]) { _ in } == nil)
    let failures = Mailbox<String>()
    let opener = try #require(
      AddressOpener(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]) { failures.post($0) })
    opener.open("https://example.org/")
    #expect(try Self.next(failures) == "https://example.org/")
    opener.stop()
  }

  @Test(
    "The portal receives the address, and an address that it refuses is reported",
    .enabled(if: FakePortal.isInstalled, "dbus-daemon is not installed"))
  func portal() throws {
    let portal = try FakePortal()
    defer { portal.stop() }
    let failures = Mailbox<String>()
    let opener = try #require(
      AddressOpener(environment: ["DBUS_SESSION_BUS_ADDRESS": portal.address]) { failures.post($0) })
    opener.open("https://example.org/1")
    #expect(try portal.receiveAddress(isAccepted: false) == "https://example.org/1")
    #expect(try Self.next(failures) == "https://example.org/1")
    opener.open("https://example.org/2")
    #expect(try portal.receiveAddress(isAccepted: true) == "https://example.org/2")
    opener.stop()
    #expect(failures.isEmpty)
  }

  private static func next(_ failures: Mailbox<String>) throws -> String {
    try Deadline().wait(for: "the failure") { failures.takeMessages().messages.first }
  }
}
