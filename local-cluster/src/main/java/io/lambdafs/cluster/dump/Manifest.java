package io.lambdafs.cluster.dump;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Sha256;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.store.Key;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.format.FormatLevel;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The contents of a dump: a line with its origin, one for each whole segment, and one at the end of a whole dump.
 * Immutable.
 *
 * @param lines as read, without the remains of an interrupted last line
 */
record Manifest(Header header, List<Segment> segments, boolean isWhole, List<String> lines) {
    static final String FILE = "manifest.jsonl";
    static final int SCHEMA = 1;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    Manifest {
        segments = List.copyOf(segments);
        lines = List.copyOf(lines);
    }

    /**
     * The first line.
     *
     * @param dump a name that no other dump has
     * @param snapshot of the store, with which an interrupted dump continues
     * @param settings the store's, without its engine's own
     * @param tables the columns of each table, as {@code name type}
     */
    record Header(
            String dump,
            int schema,
            long createdMillis,
            String snapshot,
            Map<String, String> settings,
            Map<String, List<String>> tables) {
        Header {
            settings = Map.copyOf(settings);
            tables = Map.copyOf(tables);
        }

        /** Returns the format level of the store; empty if it was not formatted. */
        String level() {
            return settings.getOrDefault(FormatLevel.KEY.string(0), "");
        }
    }

    /**
     * A segment: a file of rows, in key order.
     *
     * @param sha256 of the file
     * @param last the key of its last row
     */
    record Segment(String file, String table, long rows, long bytes, String sha256, List<Object> last) {
        Segment {
            last = List.copyOf(last);
            if (!file.matches("[0-9]{1,9}-[a-z_]{1,64}\\.jsonl")) {
                throw new IllegalArgumentException("a segment cannot have the name " + file);
            }
            if (rows < 1 || rows > Integer.MAX_VALUE || bytes < 0) {
                throw new IllegalArgumentException(
                        "the segment " + file + " cannot have " + rows + " rows of " + bytes + " bytes");
            }
        }

        Key lastKey() {
            return RowLines.key(of(), last);
        }

        Table of() {
            return Schema.TABLES.stream()
                    .filter(each -> each.name().equals(table))
                    .findFirst()
                    .orElseThrow(() -> new FsException(
                            ErrorCode.UNSUPPORTED,
                            "the dump has rows of a table " + table
                                    + ", which this build does not know: use the build that made it, or a later one"));
        }
    }

    /**
     * The last line.
     *
     * @param sha256 of all lines before, each with its line feed
     */
    record End(long segments, long rows, long bytes, String sha256) {}

    /** Returns the number of value columns of a table in the dump. */
    int columns(Table table) {
        return header.tables().getOrDefault(table.name(), List.of()).size() - table.keySize();
    }

    /** Fails with {@code UNSUPPORTED} if the dump has columns that this build does not know. */
    void checkColumns() {
        for (Segment segment : segments) {
            Table table = segment.of();
            List<String> known = columnsOf(table);
            List<String> has = header.tables().getOrDefault(table.name(), List.of());
            boolean fits = has.size() <= known.size()
                    && known.subList(0, has.size()).equals(has)
                    && columns(table) >= table.requiredSize();
            if (!fits) {
                throw new FsException(
                        ErrorCode.UNSUPPORTED,
                        "the dump's table " + table + " has the columns " + has + ", this build's " + known
                                + ": use the build that made it, or a later one");
            }
        }
    }

    static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(Sha256.of(bytes));
    }

    static List<String> columnsOf(Table table) {
        return Stream.concat(table.keyColumns().stream(), table.valueColumns().stream())
                .map(each -> each.name() + " " + each.type().name().toLowerCase(Locale.ROOT))
                .toList();
    }

    static String line(Object part) {
        try {
            return MAPPER.writeValueAsString(part);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static End end(List<Segment> segments, List<String> lines) {
        return new End(
                segments.size(),
                segments.stream().mapToLong(Segment::rows).sum(),
                segments.stream().mapToLong(Segment::bytes).sum(),
                sha256((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Reads a manifest, whole or not.
     *
     * @throws FsException {@code NOT_FOUND}: there is none; {@code INVALID_ARGUMENT}: it is damaged;
     *     {@code UNSUPPORTED}: it is of a later format
     */
    static Manifest read(Path directory) {
        Path file = directory.resolve(FILE);
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new FsException(ErrorCode.NOT_FOUND, "there is no dump in " + directory + ": it has no " + FILE, e);
        } catch (CharacterCodingException e) {
            throw damaged(file, new IOException("it is not text in UTF-8", e));
        } catch (IOException e) {
            throw FileTrouble.of("cannot read " + file, e);
        }
        // Anything after the last line feed was being written when the dump was interrupted.
        List<String> lines =
                text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        try {
            return of(lines);
        } catch (IOException e) {
            throw damaged(file, e);
        }
    }

    /** Returns whether a dump was interrupted while its first line was written. */
    static boolean hasNoLine(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        return Files.exists(file)
                && !Files.readString(file, StandardCharsets.ISO_8859_1).contains("\n");
    }

    /** Returns the failure for input that is no dump; nothing is wrong with the system. */
    static FsException damaged(Path file, Exception why) {
        return FsException.invalidArgument(file + " is damaged: " + why.getMessage() + "; take another dump", why);
    }

    private static Manifest of(List<String> lines) throws IOException {
        if (lines.isEmpty()) {
            throw new IOException("it has no line");
        }
        JsonNode first = MAPPER.readTree(lines.get(0));
        if (first.path("schema").asInt() != SCHEMA) {
            throw new FsException(
                    ErrorCode.UNSUPPORTED,
                    "the dump is of the schema " + first.path("schema").asInt() + ", this build reads " + SCHEMA
                            + ": use the build that made it, or a later one");
        }
        Header header = MAPPER.treeToValue(first, Header.class);
        List<Segment> segments = new ArrayList<>();
        Set<String> files = new HashSet<>();
        for (int i = 1; i < lines.size(); i++) {
            JsonNode next = MAPPER.readTree(lines.get(i));
            if (next.has("file")) {
                Segment segment = segment(next);
                if (!files.add(segment.file())) {
                    throw new IOException("it names the file " + segment.file() + " twice");
                }
                segments.add(segment);
                continue;
            }
            if (i < lines.size() - 1
                    || !end(segments, lines.subList(0, i)).equals(MAPPER.treeToValue(next, End.class))) {
                throw new IOException("its lines are not those that its end counted");
            }
            return new Manifest(header, segments, true, lines);
        }
        return new Manifest(header, segments, false, lines);
    }

    private static Segment segment(JsonNode line) throws IOException {
        Segment segment = MAPPER.treeToValue(line, Segment.class);
        try {
            segment.lastKey();
        } catch (IllegalArgumentException e) {
            throw new IOException("the segment " + segment.file() + " cannot end at " + segment.last(), e);
        }
        return segment;
    }
}
