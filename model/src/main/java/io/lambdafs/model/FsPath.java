package io.lambdafs.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An absolute path of the namespace, normalised once, on entry to the system: {@code /a/b}, without empty or {@code .}
 * components and without a trailing slash. Rejected, as in HDFS: {@code ..} and {@code :} in a name; rejected in
 * addition: NUL, unpaired surrogates, names over {@value #MAX_NAME_BYTES} bytes and paths over {@value #MAX_PATH_BYTES}
 * bytes of UTF-8. Immutable.
 */
public final class FsPath implements Comparable<FsPath> {
    public static final int MAX_NAME_BYTES = 255;
    public static final int MAX_PATH_BYTES = 8_000;

    public static final FsPath ROOT = new FsPath("/", new String[0]);

    private final String value;
    private final String[] names;

    private FsPath(String value, String[] names) {
        this.value = value;
        this.names = names;
    }

    /**
     * Parses and normalises a path.
     *
     * @throws FsException {@link ErrorCode#INVALID_PATH} with the reason
     */
    public static FsPath of(String text) {
        if (text.isEmpty() || text.charAt(0) != '/') {
            throw invalid(text, "a path must be absolute");
        }
        if (text.length() > MAX_PATH_BYTES) {
            throw invalid(text, "longer than " + MAX_PATH_BYTES + " bytes");
        }
        String[] names = new String[16];
        int count = 0;
        int start = 1;
        for (int i = 1; i <= text.length(); i++) {
            if (i < text.length() && text.charAt(i) != '/') {
                continue;
            }
            String name = text.substring(start, i);
            start = i + 1;
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            checkName(text, name);
            if (count == names.length) {
                names = Arrays.copyOf(names, count * 2);
            }
            names[count++] = name;
        }
        return ofChecked(text, Arrays.copyOf(names, count));
    }

    /** @param text used as is if already normalised, as most are */
    private static FsPath ofChecked(String text, String[] names) {
        if (names.length == 0) {
            return ROOT;
        }
        int length = names.length;
        for (String name : names) {
            length += name.length();
        }
        String value = length == text.length() ? text : "/" + String.join("/", names);
        if (length * 3 > MAX_PATH_BYTES && utf8Length(value) > MAX_PATH_BYTES) {
            throw invalid(value, "longer than " + MAX_PATH_BYTES + " bytes");
        }
        return new FsPath(value, names);
    }

    private static void checkName(String path, String name) {
        if (name.equals("..")) {
            throw invalid(path, "\"..\" is not allowed");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == ':' || c == 0) {
                throw invalid(path, c == ':' ? "':' is not allowed in a name" : "NUL is not allowed in a name");
            }
            if (Character.isSurrogate(c)) {
                if (Character.isHighSurrogate(c)
                        && i + 1 < name.length()
                        && Character.isLowSurrogate(name.charAt(i + 1))) {
                    i++;
                } else {
                    throw invalid(path, "not valid Unicode");
                }
            }
        }
        if (name.length() * 3 > MAX_NAME_BYTES && utf8Length(name) > MAX_NAME_BYTES) {
            throw invalid(path, "a name is longer than " + MAX_NAME_BYTES + " bytes");
        }
    }

    /**
     * Rejects paths with components that HDFS reserves: {@code .snapshot} anywhere, {@code /.reserved} at the root.
     *
     * @throws FsException {@link ErrorCode#INVALID_PATH}
     */
    public void checkNotReserved() {
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(".snapshot") || (i == 0 && names[i].equals(".reserved"))) {
                throw invalid(value, '"' + names[i] + "\" is a reserved name");
            }
        }
    }

    /** Returns the depth of the first component {@code .snapshot}; -1 if there is none. */
    public int snapshotDepth() {
        if (value.contains("/.snapshot")) {
            for (int i = 0; i < names.length; i++) {
                if (names[i].equals(".snapshot")) {
                    return i + 1;
                }
            }
        }
        return -1;
    }

    private static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static FsException invalid(String path, String why) {
        StringBuilder shown = new StringBuilder();
        path.codePoints().limit(200).forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return new FsException(ErrorCode.INVALID_PATH, "invalid path \"" + shown + "\": " + why);
    }

    /** Returns whether a name is valid as a path component. */
    public static boolean isValidName(String name) {
        if (name.isEmpty() || name.equals(".") || name.indexOf('/') >= 0) {
            return false;
        }
        try {
            checkName(name, name);
            return true;
        } catch (FsException refused) {
            return false;
        }
    }

    public boolean isRoot() {
        return names.length == 0;
    }

    /** Number of components; 0 for the root. */
    public int depth() {
        return names.length;
    }

    /** The i-th component from the root, 0-based. */
    public String name(int i) {
        return names[i];
    }

    /** The last component; the empty string for the root. */
    public String name() {
        return names.length == 0 ? "" : names[names.length - 1];
    }

    public List<String> names() {
        return List.of(names);
    }

    /** The parent; the root is its own parent. */
    public FsPath parent() {
        if (names.length <= 1) {
            return ROOT;
        }
        return new FsPath(
                value.substring(0, value.length() - name().length() - 1), Arrays.copyOf(names, names.length - 1));
    }

    /** The path of the first {@code depth} components. */
    public FsPath ancestor(int depth) {
        if (depth == names.length) {
            return this;
        }
        return ofChecked("", Arrays.copyOf(names, depth));
    }

    /**
     * The path of a child.
     *
     * @throws FsException {@link ErrorCode#INVALID_PATH} if the name is not one component or the path would be too long
     */
    public FsPath child(String name) {
        if (name.isEmpty() || name.equals(".") || name.indexOf('/') >= 0) {
            throw invalid(value + "/" + name, "not a single name");
        }
        checkName(name, name);
        String[] longer = Arrays.copyOf(names, names.length + 1);
        longer[names.length] = name;
        return ofChecked(isRoot() ? value + name : value + "/" + name, longer);
    }

    /** Returns whether this path is the other or lies below it. */
    public boolean isAtOrBelow(FsPath other) {
        if (other.isRoot()) {
            return true;
        }
        return value.startsWith(other.value)
                && (value.length() == other.value.length() || value.charAt(other.value.length()) == '/');
    }

    /** Returns whether this path is directly below a directory. */
    public boolean isChildOf(FsPath directory) {
        return names.length == directory.names.length + 1 && isAtOrBelow(directory);
    }

    /** Returns whether the paths are equal or one lies below the other. */
    public boolean overlaps(FsPath other) {
        return isAtOrBelow(other) || other.isAtOrBelow(this);
    }

    @Override
    public int compareTo(FsPath other) {
        return Arrays.compare(names, other.names, Utf8Order::compare);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FsPath path && value.equals(path.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /** The normalised text, {@code /a/b}. */
    @Override
    public String toString() {
        return value;
    }

    /** Writes paths for {@link #readAll(WireReader)}. */
    public static void writeAll(WireWriter out, List<FsPath> paths) {
        out.writeSize(paths.size());
        paths.forEach(path -> out.writeString(path.toString()));
    }

    /** Reads paths that {@link #writeAll} wrote. */
    public static List<FsPath> readAll(WireReader in) {
        return readAll(new ArrayList<>(), in);
    }

    /** Reads paths that {@link #writeAll} wrote, and puts another first. */
    public static List<FsPath> readAll(FsPath first, WireReader in) {
        return readAll(new ArrayList<>(List.of(first)), in);
    }

    private static List<FsPath> readAll(List<FsPath> paths, WireReader in) {
        int count = in.readCount(1);
        for (int i = 0; i < count; i++) {
            paths.add(of(in.readString()));
        }
        return paths;
    }
}
