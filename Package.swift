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

/// The setting of targets that are optimized in debug builds too.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The settings of targets whose types are isolated to the main actor.
///
/// State machines without isolation are in other targets.
let mainActor: [SwiftSetting] = common + [.defaultIsolation(MainActor.self)]

/// The programs of tests, whose names have no prefix.
let testPrograms = ["ConfinementProbe", "HostileDecoder", "JobsProbe", "StoreProbe"]

/// Returns the name of the module in a folder of Sources.
///
/// In a build, the targets of all packages need different names. So `Views` is the module VitrineViews, and `CSDL2`, a C
/// module, is CVitrineSDL2. Programs and `CollectionUI` are called as their folders are.
func module(_ folder: String) -> String {
  guard folder != "CollectionUI", let first = folder.first, first.isUppercase, !testPrograms.contains(folder) else {
    return folder
  }
  let isC = first == "C" && folder.dropFirst().first?.isUppercase == true
  return isC ? "CVitrine" + folder.dropFirst() : "Vitrine" + folder
}

/// Returns dependencies on modules by the names of their folders.
func modules(_ folders: [String]) -> [Target.Dependency] { folders.map { .byName(name: module($0)) } }

/// Returns a target with C code.
func cLibrary(
  _ folder: String, _ dependencies: [String] = [], settings: [CSetting] = [], linking: [LinkerSetting] = []
) -> Target {
  .target(
    name: module(folder), dependencies: modules(dependencies), path: "Sources/" + folder, cSettings: settings,
    linkerSettings: linking)
}

/// Returns a target with the headers of a library that Debian has.
func system(_ folder: String, pkgConfig: String? = nil, packages: [String] = []) -> Target {
  .systemLibrary(
    name: module(folder), path: "Sources/" + folder, pkgConfig: pkgConfig,
    providers: packages.isEmpty ? nil : [.apt(packages)])
}

/// Returns a target that may import Geometry, DataStructures and the given dependencies.
func library(
  _ folder: String, _ dependencies: [String] = [], settings: [SwiftSetting] = common, linking: [LinkerSetting] = []
) -> Target {
  .target(
    name: module(folder), dependencies: modules(["Geometry", "DataStructures"] + dependencies),
    path: "Sources/" + folder, swiftSettings: settings, linkerSettings: linking)
}

/// Returns the tests of a target, which may also import TestSupport.
func tests(_ folder: String, _ dependencies: [String] = [], settings: [SwiftSetting] = common) -> Target {
  .testTarget(
    name: folder + "Tests",
    dependencies: modules(Set([folder, "TestSupport", "Geometry", "DataStructures"] + dependencies).sorted()),
    swiftSettings: settings)
}

/// The modules that clients may import, by folder: those of the products and those that these export.
let openModules = [
  "CollectionUI", "CollectionEngine", "CollectionLayout", "DiffableData", "Views", "Hosting", "Diagnostics",
  "Declarative", "Testing", "Images",
  "ImagePipeline", "ImageStore", "ImageMetadata", "DecodingProtocol", "ScrollPhysics", "FramePacing", "Rendering",
  "Geometry", "Threads", "RemoteImages",
]

/// Returns a product with one module, which exports what its interface needs.
func product(_ folder: String) -> Product { .library(name: module(folder), targets: [module(folder)]) }

/// The linker settings of the decoding programs.
///
/// Symbols are bound at the start. Otherwise each process that is forked for a picture would bind them again.
let decodingProgram: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"]),
  .unsafeFlags(["-static-stdlib"], .when(configuration: .release)),
]

let package = Package(
  name: "vitrine",
  products: [
    .executable(name: "vitrine", targets: ["vitrine"]),
    .executable(name: "vitrine-decode", targets: ["vitrine-decode"]),
    .executable(name: "vitrine-decode-all", targets: ["vitrine-decode-all"]),
    .executable(name: "vitrine-read", targets: ["vitrine-read"]),
    product("CollectionUI"),
    // Windows, and programs with options.
    product("Hosting"),
    // Reports, traces, recordings, scripts and the overlay, for programs that have them.
    product("Diagnostics"),
    // Grids and lists that are described by values, with state by Observation.
    product("Declarative"),
    // A window without a screen and a virtual clock, for tests of clients.
    product("Testing"),
    // Pictures from files, and from the web. The latter needs libcurl when it is used.
    product("Images"),
    product("RemoteImages"),
    // The lock and the thread for work that blocks.
    product("Threads"),
    // Generated images, and decoders for clients that decode in their own process.
    product("SampleLibrary"),
    product("ImageDecoding"),
    // For the packages Benchmarks, Examples and Fuzzing, not for clients.
    .library(
      name: "VitrineInternals",
      targets: (openModules + ["CPlatform", "DataStructures", "Painting", "SDLBackend", "TestSupport"]).map(module)),
    .library(
      name: "VitrineReaders",
      targets: [
        "CJPEG", "DataStructures", "DecodingProtocol", "Geometry", "ImageDecoding", "ImageDecodingCore",
        "ImageMetadata",
        "ImagePipeline", "ImageStore", "PhotoLibrary", "ReadingProtocol", "ReadingService", "RemoteImages", "Rendering",
      ].map(module)),
    .library(name: "FuzzedReaders", targets: ["FuzzedReaders"]),
  ],
  targets: [
    // C libraries.
    system("CSDL2"),
    system("CXCB"),
    // pkg-config supplies the path of FreeType's headers, which those of HarfBuzz include.
    system("CType", pkgConfig: "freetype2", packages: ["libfreetype-dev", "libharfbuzz-dev"]),
    // Contains C code, which loads Pango and fontconfig when they are needed. The paths of GLib's headers depend on the
    // processor, so pkg-config supplies them.
    cLibrary(
      "CPango", ["CGLib"],
      settings: [
        .unsafeFlags(["pango-1.0", "harfbuzz", "freetype2", "fribidi"].map { "-I/usr/include/" + $0 })
      ]),
    system("CTurboJPEG"),
    // Contains C code, because libjpeg reports errors by longjmp.
    cLibrary("CJPEG", linking: [.linkedLibrary("jpeg")]),
    system("CSPNG"),
    system("CDeflate"),
    system("CWebP"),
    system("CAVIF"),
    system("CGIF"),
    system("CTIFF"),
    system("CLCMS"),
    system("CGLib", pkgConfig: "glib-2.0", packages: ["libglib2.0-dev"]),
    // Contains C code, which loads libcurl when it is needed.
    cLibrary("CCurl"),
    // Contains C code, which loads cairo when it is needed.
    cLibrary("CCairo"),
    system("CDBus", pkgConfig: "dbus-1", packages: ["libdbus-1-dev"]),
    system("CSQLite"),
    // Contains C code, which registers an HEVC decoder that starts no threads.
    cLibrary("CHEIF", linking: [.linkedLibrary("heif"), .linkedLibrary("de265")]),
    cLibrary("CPlatform"),
    // Contains C code, because Dispatch declares its functions for run loops in no header.
    cLibrary("CEventLoop"),
    // Contains C code, which the compiler makes for several processors. Optimized in debug builds too.
    cLibrary("CResampling", settings: [.unsafeFlags(["-O2"])]),
    // Replaces the C library's allocator in programs that link it.
    cLibrary("CAllocations"),

    // Values and state machines.
    .target(name: module("Geometry"), path: "Sources/Geometry", swiftSettings: common),
    .target(name: module("DataStructures"), path: "Sources/DataStructures", swiftSettings: common),
    library("Threads", ["CPlatform"]),
    library("FramePacing", ["CPlatform"]),
    library("DiffableData"),
    library("ScrollPhysics", ["FramePacing"]),
    library("CollectionLayout"),
    library("CollectionEngine", ["FramePacing", "DiffableData", "ScrollPhysics", "CollectionLayout"]),
    library("Rendering", ["FramePacing", "CPlatform", "Threads"]),
    library("ImageMetadata"),
    library("DecodingProtocol", ["ImageMetadata"]),
    library("ReadingProtocol", ["ImageMetadata", "DecodingProtocol"]),

    // Images.
    library(
      "ImageDecodingCore",
      [
        "ImageMetadata", "Rendering", "CJPEG", "CTurboJPEG", "CSPNG", "CDeflate", "CWebP", "CGIF", "CLCMS",
        "CResampling",
      ]),
    library("DecodingService", ["Rendering", "ImageMetadata", "DecodingProtocol", "ImageDecodingCore", "CPlatform"]),
    // Headers, texts of thumbnails and lists, in a process of their own.
    library("ReadingService", ["ImageMetadata", "DecodingProtocol", "ReadingProtocol", "CPlatform"]),
    // The formats whose libraries depend on thirty others.
    library("ImageDecoding", ["ImageMetadata", "ImageDecodingCore", "CAVIF", "CHEIF", "CTIFF"]),
    library(
      "ImagePipeline",
      ["FramePacing", "Rendering", "ImageMetadata", "DecodingProtocol", "Threads", "CPlatform"]),
    library(
      "FileReading",
      ["FramePacing", "ImageMetadata", "DecodingProtocol", "ReadingProtocol", "ImagePipeline", "Threads"]),
    library(
      "ImageStore",
      [
        "FramePacing", "Rendering", "ImageMetadata", "DecodingProtocol", "ImagePipeline", "FileReading", "Threads",
        "CPlatform",
        "CGLib", "CSQLite",
      ],
      // The archive, because loading the shared library costs each launch a million instructions.
      linking: [.linkedLibrary(":libsqlite3.a"), .linkedLibrary("m"), .linkedLibrary("z")]),
    library("Images", ["ImageMetadata", "DecodingProtocol", "ImagePipeline", "ImageStore"]),
    library(
      "RemoteImages", ["FramePacing", "Rendering", "ImageMetadata", "ImagePipeline", "Threads", "CPlatform", "CCurl"]),

    // Views.
    library("PathRasterization", ["Rendering", "CCairo"], settings: common + optimized),
    library(
      "Views", ["FramePacing", "ScrollPhysics", "Rendering", "PathRasterization", "Threads"], settings: mainActor),
    library(
      "CollectionUI",
      [
        "Views", "Rendering", "CollectionEngine", "CollectionLayout", "DiffableData", "FramePacing",
        "ScrollPhysics",
      ], settings: mainActor),

    // The platform.
    // Optimized in debug builds too, in which programs of clients are developed: not optimized, an animation of half a
    // second took ten.
    library("Painting", ["Rendering"], settings: common + optimized),
    library(
      "SDLBackend",
      [
        "FramePacing", "Rendering", "Painting", "Threads", "CSDL2", "CXCB", "CType", "CPango", "CEventLoop",
        "CPlatform",
      ],
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
    library("Declarative", ["CollectionUI", "Hosting", "Diagnostics", "Threads"], settings: mainActor),

    // The gallery.
    library(
      "PhotoLibrary",
      [
        "ImageMetadata", "ImagePipeline", "ImageStore", "FileReading", "ReadingProtocol", "RemoteImages", "Threads",
        "CPlatform",
      ]),
    library(
      "SampleLibrary", ["Rendering", "ImagePipeline", "PhotoLibrary", "Threads"],
      settings: common + optimized),
    library(
      "GalleryUI",
      [
        "Views", "CollectionUI", "CollectionEngine", "CollectionLayout", "DiffableData",
        "FramePacing", "ScrollPhysics", "Rendering", "ImageMetadata", "DecodingProtocol", "ImagePipeline",
        "ImageStore", "FileReading", "PhotoLibrary", "Threads",
      ], settings: mainActor),
    .executableTarget(
      name: "vitrine",
      dependencies: modules([
        "Geometry", "DataStructures", "FramePacing", "Rendering", "CollectionUI",
        "DecodingProtocol", "ImageMetadata", "ImagePipeline", "ImageStore", "FileReading", "RemoteImages",
        "PhotoLibrary", "SampleLibrary",
        "GalleryUI",
        "Hosting", "Diagnostics", "Threads",
      ]),
      swiftSettings: mainActor,
      // A start without the runtime's dynamic libraries takes a third fewer instructions, and users need none of them. The
      // last two are what FoundationEssentials needs.
      linkerSettings: [
        .unsafeFlags(
          ["-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections"], .when(configuration: .release))
      ]),
    .executableTarget(
      name: "vitrine-decode",
      dependencies: modules(["DecodingService", "ImageDecodingCore"]),
      swiftSettings: common, linkerSettings: decodingProgram),
    .executableTarget(
      name: "vitrine-decode-all",
      dependencies: modules(["DecodingService", "ImageDecoding"]),
      swiftSettings: common, linkerSettings: decodingProgram),
    .executableTarget(
      name: "vitrine-read", dependencies: modules(["ReadingService"]), swiftSettings: common,
      linkerSettings: [
        .unsafeFlags(
          ["-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections", "-lswiftSynchronization"],
          .when(configuration: .release))
      ]),

    // Tests.
    library("Testing", ["FramePacing", "Rendering", "Views"]),
    library(
      "TestSupport",
      [
        "Testing",
        "CollectionEngine", "CollectionLayout", "CollectionUI", "DecodingProtocol", "FramePacing", "Rendering",
        "ImagePipeline", "ScrollPhysics", "Threads", "Views",
      ]),
    // Simulated use of the gallery, for scripts/simulate and tests.
    library(
      "Simulation",
      [
        "CollectionUI", "CollectionEngine", "CollectionLayout", "DecodingProtocol", "FramePacing", "GalleryUI",
        "ImageMetadata", "ImagePipeline", "PhotoLibrary", "Rendering",
        "ScrollPhysics", "TestSupport", "Threads", "Views",
      ], settings: mainActor),
    .executableTarget(name: "simulate", dependencies: modules(["Simulation"]), swiftSettings: mainActor),
    .testTarget(
      name: "SimulationTests", dependencies: modules(["Simulation", "simulate"]), exclude: ["Scripts"],
      swiftSettings: mainActor),
    tests("TestSupport", ["Rendering", "Threads", "Views"]),
    tests("Geometry"),
    tests("DataStructures"),
    tests("Threads"),
    tests("FramePacing", ["Threads", "CPlatform"]),
    tests("DiffableData", ["Threads"]),
    tests("ScrollPhysics", ["FramePacing"]),
    tests("CollectionLayout"),
    tests(
      "Declarative", ["CollectionUI", "Views", "DiffableData", "CollectionLayout", "Rendering"], settings: mainActor),
    tests("CollectionEngine", ["FramePacing", "ScrollPhysics", "CollectionLayout", "DiffableData"]),
    tests("Rendering", ["FramePacing"]),
    .target(
      name: "FuzzedReaders",
      dependencies: modules([
        "CJPEG", "DataStructures", "DecodingProtocol", "Geometry", "ImageDecoding", "ImageMetadata", "ImagePipeline",
        "ImageStore", "PhotoLibrary", "ReadingProtocol", "ReadingService", "RemoteImages", "Rendering",
      ]),
      path: "Tests/FuzzedReaders", swiftSettings: common),
    .testTarget(name: "FuzzedReadersTests", dependencies: ["FuzzedReaders"], swiftSettings: common),
    tests("ImageMetadata"),
    tests("DecodingProtocol", ["ImageMetadata"]),
    .executableTarget(name: "ConfinementProbe", dependencies: modules(["CPlatform"]), path: "Tests/ConfinementProbe"),
    .executableTarget(name: "HostileDecoder", dependencies: modules(["CPlatform"]), path: "Tests/HostileDecoder"),
    .executableTarget(
      name: "StoreProbe", dependencies: modules(["ImageStore"]), path: "Tests/StoreProbe", swiftSettings: common),
    tests(
      "ImageDecoding",
      [
        "DecodingService", "ImageDecodingCore", "ImageMetadata", "ImagePipeline", "Rendering", "DecodingProtocol",
        "CPlatform",
        "CResampling", "CTurboJPEG", "vitrine-decode", "vitrine-decode-all",
        "ConfinementProbe",
      ]),
    tests(
      "ImagePipeline",
      [
        "FramePacing", "Rendering", "ImageMetadata", "DecodingProtocol", "Threads", "CPlatform", "vitrine-decode",
        "vitrine-decode-all",
        "HostileDecoder",
      ]),
    tests(
      "ImageStore",
      [
        "FramePacing", "Rendering", "ImageMetadata", "DecodingProtocol", "ImagePipeline", "FileReading", "Threads",
        "vitrine-decode", "vitrine-decode-all", "vitrine-read", "HostileDecoder",
      ]),
    tests("RemoteImages", ["FramePacing", "ImagePipeline", "Rendering", "Threads"]),
    tests("PathRasterization", ["Rendering"]),
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
        "vitrine-decode-all", "vitrine-read",
      ], settings: mainActor),
    tests("Painting", ["Rendering"]),
    tests(
      "SDLBackend", ["FramePacing", "Painting", "Rendering", "Threads", "CSDL2", "CPlatform"], settings: mainActor),
    .executableTarget(
      name: "JobsProbe",
      dependencies: modules(["Views", "Hosting", "Diagnostics", "Rendering", "FramePacing", "Geometry"]),
      path: "Tests/JobsProbe", swiftSettings: mainActor),
    tests("Hosting", ["Views", "ImagePipeline", "FramePacing", "Rendering", "Threads", "CDBus"], settings: mainActor),
    tests(
      "Diagnostics",
      [
        "Hosting", "Views", "CollectionUI", "CollectionEngine", "CollectionLayout", "DiffableData", "FramePacing",
        "ScrollPhysics", "Rendering", "Threads", "CAllocations", "ImagePipeline",
      ], settings: mainActor),
    tests(
      "PhotoLibrary",
      [
        "ImageMetadata", "ImagePipeline", "ImageStore", "FileReading", "ReadingProtocol", "ReadingService",
        "RemoteImages", "Threads", "CPlatform", "vitrine-read",
      ]),
    tests(
      "FileReading",
      [
        "ImageMetadata", "FramePacing", "DecodingProtocol", "ReadingProtocol", "ReadingService", "CPlatform",
        "vitrine-read", "HostileDecoder",
      ]),
    tests(
      "SampleLibrary",
      [
        "Rendering", "ImageMetadata", "ImageDecoding", "ImagePipeline", "PhotoLibrary", "Threads", "vitrine-decode",
        "vitrine-decode-all", "vitrine-read",
      ]),
    .testTarget(
      name: "ScenarioTests",
      dependencies: modules([
        "vitrine", "vitrine-decode", "vitrine-decode-all", "vitrine-read", "JobsProbe", "StoreProbe", "TestSupport",
        "Geometry",
        "Rendering",
        "ImageDecoding",
        "ImageMetadata",
        "ImagePipeline", "PhotoLibrary", "Hosting", "Diagnostics", "CXCB",
      ]),
      swiftSettings: common),
  ],
  swiftLanguageModes: [.v6]
)

// scripts/coverage builds the tests of readers alone, which takes a fraction of the time.
if let folders = Context.environment["VITRINE_TESTS"]?.split(separator: " ") {
  package.targets.removeAll { target in
    target.type == .test && !folders.contains { target.name == $0 + "Tests" }
  }
}
