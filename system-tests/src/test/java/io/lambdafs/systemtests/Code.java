package io.lambdafs.systemtests;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The class files that the rules look at. */
final class Code {
    static final String ROOT = "io.lambdafs";
    static final String VIOLATIONS_ROOT = ROOT + ".systemtests.violations";

    private Code() {}

    /** Returns the classes that this project ships. */
    static JavaClasses production() {
        return Production.CLASSES;
    }

    /** The classes that break the rules on purpose. */
    static JavaClasses violations() {
        return new ClassFileImporter().importPackages(VIOLATIONS_ROOT);
    }

    /** Has this module any source but the description of a package? Rules must then have seen classes of it. */
    static boolean hasSources(Room room) {
        return hasSources(room.folder());
    }

    /** Returns whether its sources are compiled here: those of NDB's engine need a jar that no registry has. */
    static boolean isBuilt(Room room) {
        return hasSources(room) && (room != Room.STORE_NDB || hasNdb());
    }

    /** Returns whether there is the jar that NDB's engine needs. */
    static boolean hasNdb() {
        return !System.getenv().getOrDefault("CLUSTERJ_JAR", "").isEmpty();
    }

    static boolean hasSources(String folder) {
        Path sources = Path.of("..", folder.split("/")).resolve(Path.of("src", "main", "java"));
        if (!Files.isDirectory(sources)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.map(file -> file.getFileName().toString())
                    .anyMatch(name -> name.endsWith(".java") && !name.equals("package-info.java"));
        } catch (IOException e) {
            throw new AssertionError("cannot list " + sources, e);
        }
    }

    static DescribedPredicate<JavaClass> inRoom(Room room, String root) {
        return DescribedPredicate.describe(
                "in " + room,
                type -> Room.of(root, type.getPackageName())
                        .filter(room::equals)
                        .isPresent());
    }

    /** Reads the class files once, for all rules. */
    private static final class Production {
        static final JavaClasses CLASSES = new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("-tests.jar"))
                .importPackages(ROOT);
    }
}
