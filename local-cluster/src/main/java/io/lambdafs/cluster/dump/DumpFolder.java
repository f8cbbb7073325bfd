package io.lambdafs.cluster.dump;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.model.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A folder with dumps of several moments, each named after its own. All other files stay untouched. Not thread-safe.
 */
public final class DumpFolder {
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss'Z'").withZone(ZoneOffset.UTC);
    private static final String OURS = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}Z";

    private final Path folder;

    public DumpFolder(Path folder) {
        this.folder = folder;
    }

    /** Returns the name of a dump that starts at a moment. */
    public static String name(Instant moment) {
        return NAME.format(moment);
    }

    /** Returns whether a name is that of a dump. */
    public static boolean isDump(String name) {
        return name.matches(OURS);
    }

    /** Returns the directory of a dump that starts at a moment. */
    public Path at(Instant moment) {
        return folder.resolve(name(moment));
    }

    /**
     * Returns the newest whole dump.
     *
     * @throws FsException {@code NOT_FOUND}: there is none
     */
    public Path newest() {
        return dumps().stream()
                .filter(DumpFolder::isWhole)
                .findFirst()
                .orElseThrow(() -> new FsException(ErrorCode.NOT_FOUND, "there is no whole dump in " + folder));
    }

    /**
     * Removes all but the newest whole dumps, and interrupted ones older than the newest.
     *
     * @param count the number of dumps that stay
     * @return the removed dumps
     */
    public List<Path> keep(int count) {
        List<Path> removed = superfluous(dumps(), DumpFolder::isWhole, count);
        removed.forEach(DumpFolder::remove);
        return removed;
    }

    /** Returns all but the newest whole dumps, and interrupted ones older than the newest, of all, the newest first. */
    static <T> List<T> superfluous(Iterable<T> dumps, Predicate<T> isWhole, int count) {
        List<T> superfluous = new ArrayList<>();
        int whole = 0;
        for (T each : dumps) {
            boolean stays = isWhole.test(each) ? whole++ < count : whole == 0;
            if (!stays) {
                superfluous.add(each);
            }
        }
        return superfluous;
    }

    /** Returns the dumps, the newest first. */
    private List<Path> dumps() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(each -> isDump(name(each)) && Files.isDirectory(each))
                    .sorted(Comparator.comparing((Path each) -> name(each), Comparator.reverseOrder()))
                    .toList();
        } catch (IOException e) {
            throw FileTrouble.of("cannot list " + folder, e);
        }
    }

    private static String name(Path dump) {
        return String.valueOf(dump.getFileName());
    }

    private static boolean isWhole(Path dump) {
        try {
            return Manifest.read(dump).isWhole();
        } catch (FsException e) {
            if (e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.INVALID_ARGUMENT) {
                return false;
            }
            throw e;
        }
    }

    private static void remove(Path dump) {
        try {
            Folders.delete(dump);
        } catch (IOException e) {
            throw FileTrouble.of("cannot remove the old dump " + dump, e);
        }
    }
}
