package io.lambdafs.cluster.dump;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import io.lambdafs.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Dumps in which any part is something else, with sums that fit: they are refused as input that is wrong, never as a fault of the system. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class DamagedDumpTest {
    private static final Progress SILENT = (what, rows, all) -> {};
    private static final Set<ErrorCode> REFUSALS =
            Set.of(ErrorCode.INVALID_ARGUMENT, ErrorCode.UNSUPPORTED, ErrorCode.NOT_ALLOWED, ErrorCode.NOT_FOUND);
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final List<String> OTHERS = List.of(
            "null", "true", "-1", "0", "3", "4611686018427387904", "1e300", "\"\"", "\"../x\"", "[]", "{}", "[null]");

    @TempDir
    private Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("dump-test", 2, 1_000);
    private final List<String> manifest = new ArrayList<>();

    @BeforeEach
    void dump() throws IOException {
        try (MemoryStore store = new MemoryStore(scheduler)) {
            Formatter.format(store, 2, "root", 1).toCompletableFuture().join();
            List<Mutation> puts = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                INode node = INode.directory(INode.ROOT_ID, "d" + i, 1_000 + i, "root", "users", 0755, 7);
                puts.add(new Mutation.Put(Rows.of(node)));
                puts.add(new Mutation.Put(Rows.location(node)));
            }
            store.begin(0).commit(puts, Long.MAX_VALUE).toCompletableFuture().join();
            Dump.run(store, folder, false, SILENT);
        }
        manifest.addAll(Files.readAllLines(folder.resolve(Manifest.FILE)));
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    /** Writes the manifest with the end that counts its lines. */
    private void write(List<String> lines) throws IOException {
        long rows = 0;
        long bytes = 0;
        for (String line : lines.subList(1, lines.size())) {
            rows += number(line, "rows");
            bytes += number(line, "bytes");
        }
        String all = String.join("\n", lines) + "\n";
        String sum = Manifest.sha256(all.getBytes(StandardCharsets.UTF_8));
        Files.writeString(
                folder.resolve(Manifest.FILE),
                all + Manifest.line(new Manifest.End(lines.size() - 1L, rows, bytes, sum)) + "\n");
    }

    private static long number(String line, String name) {
        try {
            return MAPPER.readTree(line).path(name).asLong();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Loads it; fails unless it is taken, or refused as it should be. */
    private boolean isTaken(String what) {
        try (MemoryStore store = new MemoryStore(scheduler)) {
            Load.run(store, folder, 1, Load.Comparing.AFTERWARDS, SILENT);
            return true;
        } catch (FsException e) {
            assertThat(e.code()).as("%s: %s", what, e.getMessage()).isIn(REFUSALS);
            return false;
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }

    /** A line with one of its parts replaced or left out, for each part and each replacement. */
    private static List<String> variants(String line) throws IOException {
        JsonNode whole = MAPPER.readTree(line);
        List<String> variants = new ArrayList<>(OTHERS);
        variants.addAll(List.of("", line.substring(1), line.substring(0, line.length() - 1), line + line));
        addVariants(whole, whole, variants);
        variants.removeIf(line::equals);
        return variants;
    }

    private static void addVariants(JsonNode whole, JsonNode within, List<String> variants) throws IOException {
        if (within instanceof ObjectNode object) {
            List<String> names =
                    object.properties().stream().map(each -> each.getKey()).toList();
            for (String name : names) {
                JsonNode before = object.get(name);
                for (JsonNode other : others(before)) {
                    object.set(name, other);
                    variants.add(whole.toString());
                }
                object.remove(name);
                variants.add(whole.toString());
                object.set(name, before);
                addVariants(whole, before, variants);
            }
            object.put("unknown", 1);
            variants.add(whole.toString());
            object.remove("unknown");
        } else if (within instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i += Math.max(1, array.size() - 1)) {
                JsonNode before = array.get(i);
                for (JsonNode other : others(before)) {
                    array.set(i, other);
                    variants.add(whole.toString());
                }
                array.remove(i);
                variants.add(whole.toString());
                array.insert(i, before);
                addVariants(whole, before, variants);
            }
            array.add(JsonNodeFactory.instance.numberNode(1));
            variants.add(whole.toString());
            array.remove(array.size() - 1);
        }
    }

    private static List<JsonNode> others(JsonNode before) throws IOException {
        List<JsonNode> others = new ArrayList<>();
        for (String other : OTHERS) {
            JsonNode replacement = MAPPER.readTree(other);
            if (!replacement.equals(before)) {
                others.add(replacement);
            }
        }
        return others;
    }

    @Test
    void shouldRefuseAManifestWithAnyPartDamaged() throws IOException {
        assertThat(isTaken("as it was")).isTrue();
        List<String> lines = manifest.subList(0, manifest.size() - 1);
        write(lines);
        assertThat(isTaken("with the same end")).isTrue();
        for (int i = 0; i < lines.size(); i++) {
            for (String variant : variants(lines.get(i))) {
                List<String> other = new ArrayList<>(lines);
                other.set(i, variant);
                write(other);
                // Much of the header decides nothing: columns of tables without rows, and when it was made.
                assertThat(isTaken(variant) && i > 0).as(variant).isFalse();
            }
            List<String> twice = new ArrayList<>(lines);
            twice.add(i, lines.get(i));
            write(twice);
            assertThat(isTaken("twice: " + lines.get(i))).isFalse();
        }
        for (String variant : variants(manifest.get(manifest.size() - 1))) {
            List<String> other = new ArrayList<>(lines);
            other.add(variant);
            Files.writeString(folder.resolve(Manifest.FILE), String.join("\n", other) + "\n");
            assertThat(isTaken(variant)).isFalse();
        }
    }

    @Test
    void shouldRefuseASegmentWithAnyPartDamaged() throws IOException {
        for (int i = 1; i < manifest.size() - 1; i++) {
            ObjectNode segment = (ObjectNode) MAPPER.readTree(manifest.get(i));
            Path file = folder.resolve(segment.path("file").asText());
            List<String> rows = Files.readAllLines(file);
            for (int row = 0; row < rows.size(); row++) {
                for (String variant : variants(rows.get(row))) {
                    List<String> other = new ArrayList<>(rows);
                    other.set(row, variant);
                    byte[] bytes = (String.join("\n", other) + "\n").getBytes(StandardCharsets.UTF_8);
                    Files.write(file, bytes);
                    assertThat(isTaken(variant)).as("another sum").isFalse();

                    List<String> lines = new ArrayList<>(manifest.subList(0, manifest.size() - 1));
                    lines.set(
                            i,
                            segment.put("bytes", bytes.length)
                                    .put("sha256", Manifest.sha256(bytes))
                                    .toString());
                    write(lines);
                    isTaken(variant);
                    Files.write(folder.resolve(Manifest.FILE), manifest);
                }
            }
            Files.write(file, rows);
        }
    }
}
