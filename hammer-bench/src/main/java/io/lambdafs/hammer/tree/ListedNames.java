package io.lambdafs.hammer.tree;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The names of a listing: a path on each line, followed by {@code /} for a directory, or by a tab and its size in bytes
 * for a file. A path's parent directories need no lines. Immutable.
 */
public final class ListedNames implements TreeNames {
    private static final int MOST = 10_000_000;

    private final Path file;
    /** By path, each directory before its children. */
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private record Entry(boolean directory, long size, int line) {}

    private ListedNames(Path file) {
        this.file = file;
    }

    /**
     * Reads a listing.
     *
     * @throws FsException {@link ErrorCode#INVALID_ARGUMENT} naming the file, the line and the error
     */
    public static ListedNames read(Path file) {
        ListedNames names = new ListedNames(file);
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (!line.isBlank()) {
                    names.add(line, number);
                }
            }
        } catch (IOException e) {
            throw FsException.invalidArgument("the listing " + file + " cannot be read as UTF-8: " + e, e);
        }
        if (names.entries.isEmpty()) {
            throw names.invalid(1, "it names nothing");
        }
        return names;
    }

    private void add(String line, int number) {
        String path = line;
        long size = 0;
        int tab = line.indexOf('\t');
        if (tab >= 0) {
            path = line.substring(0, tab);
            String text = line.substring(tab + 1).strip();
            if (!text.matches("[0-9]{1,15}")) {
                throw invalid(number, "a size is a number of bytes, not \"" + text + "\"");
            }
            size = Long.parseLong(text);
        }
        boolean directory = path.endsWith("/");
        StringBuilder at = new StringBuilder();
        String[] parts = path.replaceAll("^/+|/+$", "").split("/+", -1);
        for (int i = 0; i < parts.length; i++) {
            if (!FsPath.isValidName(parts[i])) {
                throw invalid(number, "\"" + parts[i] + "\" is no name that a file can have");
            }
            at.append('/').append(parts[i]);
            put(at.toString(), i < parts.length - 1 || directory, i < parts.length - 1 ? 0 : size, number);
        }
    }

    private void put(String path, boolean directory, long size, int number) {
        if (path.getBytes(StandardCharsets.UTF_8).length > FsPath.MAX_PATH_BYTES / 2) {
            throw invalid(number, "the path has more than " + FsPath.MAX_PATH_BYTES / 2 + " bytes");
        }
        Entry before = entries.putIfAbsent(path, new Entry(directory, size, number));
        if (before != null && !(before.directory && directory)) {
            throw invalid(number, path + " is in line " + before.line + " already");
        }
        if (entries.size() > MOST) {
            throw invalid(number, "there are more than " + MOST + " names");
        }
    }

    private FsException invalid(int line, String why) {
        return FsException.invalidArgument(file + ":" + line + ": " + why);
    }

    @Override
    public void tell(Sink sink) {
        Map<String, Integer> directories = new LinkedHashMap<>();
        for (Map.Entry<String, Entry> each : entries.entrySet()) {
            if (sink.isFull()) {
                return;
            }
            String path = each.getKey();
            int slash = path.lastIndexOf('/');
            int parent = directories.getOrDefault(path.substring(0, slash), Sink.TOP);
            Entry entry = each.getValue();
            int number = sink.add(parent, path.substring(slash + 1), entry.directory, entry.size);
            if (entry.directory) {
                directories.put(path, number);
            }
        }
    }

    @Override
    public String describe() {
        return "the names of " + file;
    }
}
