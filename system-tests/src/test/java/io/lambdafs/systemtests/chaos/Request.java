package io.lambdafs.systemtests.chaos;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * A request of a client to a world. Immutable.
 *
 * @param kind as the checker's model calls it
 * @param path relative to the world's directory; empty for that directory
 * @param to destination of a rename, relative too; empty otherwise
 * @param mode permission bits of what makes or changes them
 * @param number of a create's content, or the time of {@code settimes} in seconds
 * @param replaces whether a create or rename overwrites, a delete is recursive
 * @param parents whether a create makes missing directories
 */
record Request(Kind kind, String path, String to, int mode, int number, boolean replaces, boolean parents) {
    private static final String[] DIRECTORIES = {"a", "b"};
    private static final String[] FILES = {"a/x", "a/y", "b/x", "b/y", "f"};
    private static final String[] ALL = {"a", "b", "a/x", "a/y", "b/x", "b/y", "f"};
    private static final int[] MODES = {0755, 0700, 0750, 0711};
    private static final int REPLICATION = 3;
    private static final long BLOCK_BYTES = 1 << 20;

    /** The kinds, as the checker's model calls them, with how many of {@link #TOTAL_WEIGHT} they are. */
    enum Kind {
        STAT(20),
        OPEN(20),
        LIST(18),
        CREATE(16),
        MKDIRS(7),
        DELETE(7),
        RENAME(7),
        CHMOD(3),
        SETTIMES(2);

        private final int weight;

        Kind(int weight) {
            this.weight = weight;
        }
    }

    private static final int TOTAL_WEIGHT = 100;

    /** The first call to a world: makes it. */
    static Request makeWorld() {
        return new Request(Kind.MKDIRS, "", "", 0755, 0, false, true);
    }

    static Request random(RandomGenerator random) {
        int at = random.nextInt(TOTAL_WEIGHT);
        for (Kind kind : Kind.values()) {
            at -= kind.weight;
            if (at < 0) {
                return random(kind, random);
            }
        }
        throw new IllegalStateException("weights do not add up to " + TOTAL_WEIGHT);
    }

    private static Request random(Kind kind, RandomGenerator random) {
        int mode = MODES[random.nextInt(MODES.length)];
        int number = random.nextInt(1, 1_000_000);
        String path = switch (kind) {
            case OPEN, CREATE -> oneOf(FILES, random);
            case MKDIRS -> oneOf(random.nextInt(4) == 0 ? ALL : DIRECTORIES, random);
            case LIST -> random.nextInt(3) == 0 ? "" : oneOf(DIRECTORIES, random);
            default -> oneOf(ALL, random);
        };
        boolean isDirectory = path.length() == 1 && !path.equals("f");
        String to = kind == Kind.RENAME ? oneOf(isDirectory ? DIRECTORIES : ALL, random) : "";
        boolean replaces = kind == Kind.DELETE ? random.nextInt(3) > 0 : random.nextBoolean();
        return new Request(kind, path, to, mode, number, replaces, random.nextInt(4) > 0);
    }

    private static String oneOf(String[] texts, RandomGenerator random) {
        return texts[random.nextInt(texts.length)];
    }

    /** Returns the requests that read a whole retired world. */
    static Request[] lookThrough() {
        Request[] all = new Request[DIRECTORIES.length + FILES.length + 1];
        int next = 0;
        all[next++] = new Request(Kind.LIST, "", "", 0, 0, false, false);
        for (String each : DIRECTORIES) {
            all[next++] = new Request(Kind.LIST, each, "", 0, 0, false, false);
        }
        for (String each : FILES) {
            all[next++] = new Request(Kind.OPEN, each, "", 0, 0, false, false);
        }
        return all;
    }

    @JsonIgnore
    boolean isWrite() {
        return switch (kind) {
            case STAT, OPEN, LIST -> false;
            case CREATE, MKDIRS, DELETE, RENAME, CHMOD, SETTIMES -> true;
        };
    }

    private int fileMode() {
        return (mode & 0666) | 0200;
    }

    long mtime() {
        return number * 1_000L;
    }

    byte[] content() {
        return ("content " + number + " " + "x".repeat(number % 200)).getBytes(StandardCharsets.UTF_8);
    }

    /** As the client is asked for it. */
    Operation<?> inWorld(FsPath world) {
        FsPath at = below(world, path);
        return switch (kind) {
            case STAT -> new ReadOperation.Stat(at);
            case OPEN -> new ReadOperation.Open(at);
            case LIST -> new ReadOperation.ListPage(at, "", Operation.MAX_PAGE);
            case CREATE ->
                new FileOperation.Create(at, fileMode(), replaces, parents, REPLICATION, BLOCK_BYTES, content(), null);
            case MKDIRS -> new NamespaceOperation.Mkdirs(at, mode, true);
            case DELETE -> new NamespaceOperation.Delete(at, replaces);
            case RENAME ->
                new NamespaceOperation.Rename(
                        at, below(world, to), replaces ? RenameMode.OVERWRITE : RenameMode.STRICT);
            case CHMOD -> new AttributeOperation.SetPermission(at, mode);
            case SETTIMES -> new AttributeOperation.SetTimes(at, mtime(), mtime());
        };
    }

    private static FsPath below(FsPath world, String relative) {
        FsPath at = world;
        for (String name : relative.split("/")) {
            at = name.isEmpty() ? at : at.child(name);
        }
        return at;
    }

    /** As the checker reads it. */
    void describe(ObjectNode line) {
        line.put("op", kind.name().toLowerCase(Locale.ROOT)).put("path", path);
        switch (kind) {
            case RENAME -> line.put("to", to).put("overwrite", replaces);
            case DELETE -> line.put("recursive", replaces);
            case CREATE ->
                line.put("mode", fileMode())
                        .put("overwrite", replaces)
                        .put("parents", parents)
                        .put("size", content().length)
                        .put("content", History.hash(content()));
            case MKDIRS, CHMOD -> line.put("mode", mode);
            case SETTIMES -> line.put("mtime", mtime());
            case STAT, OPEN, LIST -> {}
        }
    }
}
