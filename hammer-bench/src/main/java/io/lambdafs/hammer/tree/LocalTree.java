package io.lambdafs.hammer.tree;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.disk.FileTrouble;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A walk over a local directory tree: breadth first, each directory in order of names, without following symbolic
 * links, so that the same tree and limit always choose the same files. Used by one thread.
 */
final class LocalTree {
    /** Lists a directory; tests pass one that fails. */
    interface Lister {
        List<Path> list(Path directory) throws IOException;
    }

    /**
     * An entry to import.
     *
     * @param path source of its content; null for a name that is on no disk
     */
    record Found(int parent, String name, @Nullable Path path, boolean directory, int mode, long size, long mtime) {}

    private record Named(String name, Path path) {}

    private record Pending(int index, Path path, int depth, int pathBytes) {}

    /** From 0400 down to 0001. */
    private static final List<PosixFilePermission> BITS = List.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_EXECUTE,
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE);

    /** Modification time of names that are on no disk: the same in every import. */
    private static final long TOLD_MTIME = 1_600_000_000_000L;

    private final Lister lister;
    private final ImportSettings settings;
    private final List<Found> found = new ArrayList<>();
    private final Map<SkipReason, Long> skipped = new EnumMap<>(SkipReason.class);
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private int files;
    private boolean limited;

    LocalTree(ImportSettings settings, Lister lister) {
        this.settings = settings;
        this.lister = lister;
    }

    static List<Path> listFiles(Path directory) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(children::add);
        } catch (java.nio.file.DirectoryIteratorException e) {
            throw e.getCause();
        }
        return children;
    }

    /**
     * Walks the whole tree, or as much of it as the limit allows.
     *
     * @throws FsException {@link ErrorCode#NOT_FOUND} or {@link ErrorCode#NOT_A_DIRECTORY}, or as documented at {@link
     * FileTrouble} if the tree itself cannot be read
     */
    void walk() {
        if (settings.names() != null) {
            settings.names().tell(new Told());
            return;
        }
        Path root = settings.tree();
        if (!Files.exists(root)) {
            throw refuse(ErrorCode.NOT_FOUND, "there is no such directory on this machine; name another");
        }
        if (!Files.isDirectory(root)) {
            throw refuse(ErrorCode.NOT_A_DIRECTORY, "it is not a directory; name the directory to import");
        }
        List<Path> top;
        try {
            top = lister.list(root);
        } catch (IOException e) {
            throw FileTrouble.of("cannot read the tree " + root, e);
        }
        FsPath target = settings.target();
        int targetBytes = target.toString().getBytes(StandardCharsets.UTF_8).length;
        addChildren(new Pending(-1, root, 0, targetBytes), top);
        while (!pending.isEmpty() && !limited) {
            Pending directory = pending.remove();
            try {
                addChildren(directory, lister.list(directory.path));
            } catch (IOException e) {
                // The directory's own entry stays: its name was readable, its children are not.
                skip(SkipReason.UNREADABLE);
            }
        }
    }

    /** Takes names from {@link TreeNames} instead of the disk. */
    private final class Told implements TreeNames.Sink {
        @Override
        public int add(int parent, String name, boolean directory, long size) {
            limited |= !directory && files == settings.maxFiles();
            if (limited) {
                return TOP;
            }
            files += directory ? 0 : 1;
            found.add(new Found(parent, name, null, directory, directory ? 0755 : 0644, size, TOLD_MTIME));
            return found.size() - 1;
        }

        @Override
        public boolean isFull() {
            return limited;
        }
    }

    List<Found> found() {
        return found;
    }

    Map<SkipReason, Long> skipped() {
        return skipped;
    }

    /** Returns whether the limit on files ended the walk. */
    boolean limited() {
        return limited;
    }

    void skip(SkipReason reason) {
        skipped.merge(reason, 1L, Long::sum);
    }

    private void addChildren(Pending directory, List<Path> children) {
        List<Named> named = new ArrayList<>(children.size());
        for (Path child : children) {
            Optional<String> name = nameOf(child);
            if (name.isPresent() && FsPath.isValidName(name.get()) && fits(directory, name.get())) {
                named.add(new Named(name.get(), child));
            } else {
                skip(SkipReason.REFUSED_NAME);
            }
        }
        named.sort(Comparator.comparing(Named::name));
        for (Named child : named) {
            add(directory, child);
            if (limited) {
                return;
            }
        }
    }

    private void add(Pending directory, Named child) {
        PosixFileAttributes attributes;
        try {
            attributes = Files.readAttributes(child.path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            skip(SkipReason.UNREADABLE);
            return;
        }
        if (attributes.isSymbolicLink()) {
            skip(SkipReason.SYMBOLIC_LINK);
        } else if (attributes.isDirectory()) {
            int index = found.size();
            found.add(entry(directory, child, attributes));
            int bytes = directory.pathBytes + 1 + child.name.getBytes(StandardCharsets.UTF_8).length;
            pending.add(new Pending(index, child.path, directory.depth + 1, bytes));
        } else if (!attributes.isRegularFile()) {
            skip(SkipReason.SPECIAL_FILE);
        } else if (files == settings.maxFiles()) {
            limited = true;
        } else {
            files++;
            found.add(entry(directory, child, attributes));
        }
    }

    private static Found entry(Pending directory, Named child, PosixFileAttributes attributes) {
        boolean isDirectory = attributes.isDirectory();
        return new Found(
                directory.index,
                child.name,
                child.path,
                isDirectory,
                modeOf(attributes),
                isDirectory ? 0 : attributes.size(),
                Math.max(0, attributes.lastModifiedTime().toMillis()));
    }

    private static int modeOf(PosixFileAttributes attributes) {
        int mode = 0;
        for (PosixFilePermission permission : BITS) {
            mode = mode << 1 | (attributes.permissions().contains(permission) ? 1 : 0);
        }
        return mode;
    }

    /** Reserves room below the longest path for the names that a replay creates. */
    private static boolean fits(Pending directory, String name) {
        int bytes = directory.pathBytes + 1 + name.getBytes(StandardCharsets.UTF_8).length;
        return bytes <= FsPath.MAX_PATH_BYTES / 2;
    }

    /**
     * Returns the name as the disk has it. Unless the JVM's locale is UTF-8, {@code Path.toString} loses other letters;
     * the URI keeps the bytes. Empty if they are not UTF-8.
     */
    private static Optional<String> nameOf(Path path) {
        String name = String.valueOf(path.getFileName());
        if (name.chars().allMatch(c -> c < 0x80)) {
            return Optional.of(name);
        }
        String raw = rawName(path.toUri());
        byte[] bytes = new byte[raw.length()];
        int count = 0;
        for (int i = 0; i < raw.length(); i++) {
            if (raw.charAt(i) == '%') {
                bytes[count++] = (byte) Integer.parseInt(raw, i + 1, i + 3, 16);
                i += 2;
            } else {
                bytes[count++] = (byte) raw.charAt(i);
            }
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, count))
                    .toString());
        } catch (CharacterCodingException notUtf8) {
            return Optional.empty();
        }
    }

    private static String rawName(URI uri) {
        String path = uri.getRawPath();
        int end = path.endsWith("/") ? path.length() - 1 : path.length();
        return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
    }

    private FsException refuse(ErrorCode code, String why) {
        return new FsException(code, "cannot import " + settings.tree() + ": " + why);
    }
}
