// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target.
///
/// Warnings are errors.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
  // Snapshots are generic types that other modules use. Without specialisation every identifier costs thousands of
  // instructions.
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// The settings of targets whose types are isolated to the main actor.
///
/// State machines without isolation are in other targets.
let mainActor: [SwiftSetting] = common + [.defaultIsolation(MainActor.self)]

/// Returns a target that may import Geometry, DataStructures and the given dependencies.
func library(
  _ name: String, _ dependencies: [String] = [], settings: [SwiftSetting] = common, linking: [LinkerSetting] = []
) -> Target {
  .target(
    name: name,
    dependencies: (["Geometry", "DataStructures"] + dependencies).map { .init(stringLiteral: $0) },
    swiftSettings: settings, linkerSettings: linking)
}

/// Returns the tests of a target, which may also import TestSupport.
func tests(_ name: String, _ dependencies: [String] = [], settings: [SwiftSetting] = common) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: Set([name, "TestSupport", "Geometry", "DataStructures"] + dependencies).sorted().map {
      .init(stringLiteral: $0)
    },
    swiftSettings: settings)
}

/// The modules that clients and examples may import: the product CollectionUI.
let openModules = [
  "CollectionUI", "CollectionEngine", "CollectionLayout", "DiffableData", "Views", "Hosting", "Diagnostics",
  "ImagePipeline", "ImageStore", "ImageMetadata", "DecodingProtocol", "ScrollPhysics", "FramePacing", "Rendering",
  "Geometry", "DataStructures",
  "Threads",
]

let package = Package(
  name: "vitrine",
  products: [
    .executable(name: "vitrine", targets: ["vitrine"]),
    .executable(name: "vitrine-decode", targets: ["vitrine-decode"]),
    .library(name: "CollectionUI", targets: openModules),
    // Images from the web, for clients that show some. Links libcurl.
    .library(name: "RemoteImages", targets: ["RemoteImages"]),
    // Generated images, and decoders for clients that decode in their own process.
    .library(name: "SampleLibrary", targets: ["SampleLibrary"]),
    .library(name: "ImageDecoding", targets: ["ImageDecoding"]),
    // For the packages Benchmarks, Examples and Fuzzing, not for clients.
    .library(name: "VitrineInternals", targets: ["CPlatform", "SDLBackend", "TestSupport"]),
    .library(
      name: "VitrineReaders",
      targets: [
        "CJPEG", "DataStructures", "DecodingProtocol", "Geometry", "ImageDecoding", "ImageMetadata", "ImagePipeline",
        "ImageStore", "PhotoLibrary", "RemoteImages", "Rendering",
      ]),
  ],
  targets: [
    // C libraries.
    .systemLibrary(name: "CSDL2"),
    .systemLibrary(name: "CXCB"),
    // pkg-config supplies the path of FreeType's headers, which those of HarfBuzz include.
    .systemLibrary(name: "CType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev", "libharfbuzz-dev"])]),
    .systemLibrary(name: "CTurboJPEG"),
    // Contains C code, because libjpeg reports errors by longjmp.
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .systemLibrary(name: "CSPNG"),
    .systemLibrary(name: "CDeflate"),
    .systemLibrary(name: "CWebP"),
    .systemLibrary(name: "CAVIF"),
    .systemLibrary(name: "CGIF"),
    .systemLibrary(name: "CTIFF"),
    .systemLibrary(name: "CLCMS"),
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    // Contains C code, which loads libcurl when it is needed.
    .target(name: "CCurl"),
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CSQLite"),
    // Contains C code, which registers an HEVC decoder that starts no threads.
    .target(name: "CHEIF", linkerSettings: [.linkedLibrary("heif"), .linkedLibrary("de265")]),
    .target(name: "CPlatform"),
    // Contains C code, because Dispatch declares its functions for run loops in no header.
    .target(name: "CEventLoop"),
    // Contains C code, which the compiler makes for several processors. Optimized in debug builds too.
    .target(name: "CResampling", cSettings: [.unsafeFlags(["-O2"])]),
    // Replaces the C library's allocator in programs that link it.
    .target(name: "CAllocations"),

    // Values and state machines.
    .target(name: "Geometry", swiftSettings: common),
    .target(name: "DataStructures", swiftSettings: common),
    library("Threads", ["CPlatform"]),
    library("FramePacing", ["CPlatform"]),
    library("DiffableData"),
    library("ScrollPhysics", ["FramePacing"]),
    library("CollectionLayout"),
    library("CollectionEngine", ["FramePacing", "DiffableData", "ScrollPhysics", "CollectionLayout"]),
    library("Rendering", ["FramePacing", "CPlatform", "Threads"]),
    library("ImageMetadata"),
    library("DecodingProtocol", ["ImageMetadata"]),

    // Images.
    library(
      "ImageDecoding",
      [
        "ImageMetadata", "Rendering", "CJPEG", "CTurboJPEG", "CSPNG", "CDeflate", "CWebP", "CAVIF", "CHEIF", "CGIF",
        "CTIFF", "CLCMS", "CResampling",
      ]),
    library(
      "ImagePipeline",
      ["FramePacing", "Rendering", "ImageMetadata", "DecodingProtocol", "Threads", "CPlatform"]),
    library(
      "ImageStore",
      [
        "FramePacing", "Rendering", "ImageMetadata", "DecodingProtocol", "ImagePipeline", "Threads", "CPlatform",
        "CGLib", "CSQLite",
      ],
      // The archive, because loading the shared library costs each launch a million instructions.
      linking: [.linkedLibrary(":libsqlite3.a"), .linkedLibrary("m"), .linkedLibrary("z")]),
    library(
      "RemoteImages", ["FramePacing", "Rendering", "ImageMetadata", "ImagePipeline", "Threads", "CPlatform", "CCurl"]),

    // Views.
    library("Views", ["FramePacing", "ScrollPhysics", "Rendering", "Threads"], settings: mainActor),
    library(
      "CollectionUI",
      [
        "Views", "Rendering", "CollectionEngine", "CollectionLayout", "DiffableData", "FramePacing",
        "ScrollPhysics",
      ], settings: mainActor),

    // The platform.
    library(
      "SDLBackend", ["FramePacing", "Rendering", "Threads", "CSDL2", "CXCB", "CType", "CEventLoop", "CPlatform"],
      settings: mainActor),
    library(
      "Hosting",
      [
        "Views", "CollectionUI", "ImagePipeline", "FramePacing", "Rendering", "SDLBackend", "Threads", "CEventLoop",
        "CPlatform", "CDBus",
      ], settings: mainActor),
    library(
      "Diagnostics",
      [
        "Views", "CollectionUI", "CollectionEngine", "ImagePipeline", "DecodingProtocol", "FramePacing", "Rendering",
        "SDLBackend", "Hosting", "ScrollPhysics", "Threads", "CPlatform",
      ], settings: mainActor),

    // The gallery.
    library(
      "PhotoLibrary",
      ["ImageMetadata", "ImagePipeline", "ImageStore", "RemoteImages", "Threads", "CPlatform"]),
    library(
      "SampleLibrary", ["Rendering", "ImagePipeline", "PhotoLibrary", "Threads"],
      settings: common + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    library(
      "GalleryUI",
      [
        "Views", "CollectionUI", "CollectionEngine", "CollectionLayout", "DiffableData",
        "FramePacing", "ScrollPhysics", "Rendering", "ImageMetadata", "DecodingProtocol", "ImagePipeline",
        "ImageStore", "PhotoLibrary", "Threads",
      ], settings: mainActor),
    .executableTarget(
      name: "vitrine",
      dependencies: [
        "Geometry", "DataStructures", "FramePacing", "Rendering", "CollectionUI",
        "DecodingProtocol", "ImageMetadata", "ImagePipeline", "ImageStore", "RemoteImages", "PhotoLibrary",
        "SampleLibrary",
        "GalleryUI",
        "Hosting", "Diagnostics", "Threads",
      ],
      swiftSettings: mainActor,
      // A start without the runtime's dynamic libraries takes a third fewer instructions, and users need none of them. The
      // last two are what FoundationEssentials needs.
      linkerSettings: [
        .unsafeFlags(
          ["-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections"], .when(configuration: .release))
      ]),
    .executableTarget(
      name: "vitrine-decode",
      dependencies: [
        "Geometry", "Rendering", "ImageMetadata", "DecodingProtocol", "ImageDecoding", "CPlatform",
      ],
      swiftSettings: common,
      linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(configuration: .release))]),

    // Tests.
    library(
      "TestSupport",
      [
        "CollectionEngine", "CollectionLayout", "CollectionUI", "FramePacing", "Rendering", "ImagePipeline",
        "ScrollPhysics", "Threads", "Views",
      ]),
    tests("TestSupport", ["Threads"]),
    tests("Geometry"),
    tests("DataStructures"),
    tests("Threads"),
    tests("FramePacing", ["Threads", "CPlatform"]),
    tests("DiffableData"),
    tests("ScrollPhysics", ["FramePacing"]),
    tests("CollectionLayout"),
    tests("CollectionEngine", ["FramePacing", "ScrollPhysics", "CollectionLayout", "DiffableData"]),
    tests("Rendering", ["FramePacing"]),
    tests("ImageMetadata"),
    tests("DecodingProtocol", ["ImageMetadata"]),
    .executableTarget(name: "ConfinementProbe", dependencies: ["CPlatform"], path: "Tests/ConfinementProbe"),
    tests(
      "ImageDecoding",
      [
        "ImageMetadata", "ImagePipeline", "Rendering", "DecodingProtocol", "CPlatform", "CResampling", "CTurboJPEG",
        "vitrine-decode",
        "ConfinementProbe",
      ]),
    tests(
      "ImagePipeline",
      ["FramePacing", "Rendering", "ImageMetadata", "DecodingProtocol", "Threads", "CPlatform", "vitrine-decode"]),
    tests(
      "ImageStore", ["FramePacing", "Rendering", "DecodingProtocol", "ImagePipeline", "Threads", "vitrine-decode"]),
    tests("RemoteImages", ["FramePacing", "ImagePipeline", "Rendering", "Threads"]),
    tests("Views", ["FramePacing", "ScrollPhysics", "Rendering", "Threads"], settings: mainActor),
    tests(
      "CollectionUI",
      [
        "Views", "Rendering", "CollectionEngine", "CollectionLayout", "DiffableData", "FramePacing", "ScrollPhysics",
        "Threads", "ImagePipeline", "RemoteImages",
      ], settings: mainActor),
    tests(
      "GalleryUI",
      [
        "Views", "CollectionUI", "CollectionEngine", "FramePacing", "Rendering", "ImageMetadata", "ImagePipeline",
        "ImageStore",
        "DecodingProtocol", "PhotoLibrary", "SampleLibrary", "ScrollPhysics", "Threads", "vitrine-decode",
      ], settings: mainActor),
    tests("SDLBackend", ["FramePacing", "Rendering", "Threads", "CSDL2", "CPlatform"], settings: mainActor),
    .executableTarget(
      name: "JobsProbe",
      dependencies: ["Views", "Hosting", "Diagnostics", "Rendering", "FramePacing", "Geometry"],
      path: "Tests/JobsProbe", swiftSettings: mainActor),
    tests("Hosting", ["Views", "ImagePipeline", "FramePacing", "Rendering", "Threads", "CDBus"], settings: mainActor),
    tests(
      "Diagnostics",
      [
        "Hosting", "Views", "CollectionUI", "CollectionEngine", "CollectionLayout", "DiffableData", "FramePacing",
        "ScrollPhysics", "Rendering", "Threads", "CAllocations", "ImagePipeline",
      ], settings: mainActor),
    tests("PhotoLibrary", ["ImageMetadata", "ImagePipeline", "ImageStore", "RemoteImages", "Threads", "CPlatform"]),
    tests(
      "SampleLibrary",
      ["Rendering", "ImageMetadata", "ImageDecoding", "ImagePipeline", "PhotoLibrary", "Threads", "vitrine-decode"]),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "vitrine", "vitrine-decode", "JobsProbe", "TestSupport", "Geometry", "Rendering", "ImageDecoding",
        "ImageMetadata",
        "ImagePipeline", "PhotoLibrary", "Hosting", "Diagnostics", "CXCB",
      ],
      swiftSettings: common),
  ],
  swiftLanguageModes: [.v6]
)
