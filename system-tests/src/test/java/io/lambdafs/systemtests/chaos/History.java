package io.lambdafs.systemtests.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.model.Attributes;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Reply;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Every call and its result, one JSON line each, as the checker reads them; and when they completed. Thread-safe. */
final class History implements AutoCloseable {
    /** How a call ended: with an answer of the namespace, not known how, or without effect. */
    enum End {
        DONE,
        PENDING,
        FAILED
    }

    /** Who asked, and when: nanoseconds of this process's monotonic clock. */
    record Asked(int world, int client, Request request, long nanos) {}

    private final ObjectMapper json = new ObjectMapper();
    private final BufferedWriter out;
    private final Progress progress;
    private final Map<String, Integer> failures = new TreeMap<>();
    private final Map<String, String> examples = new TreeMap<>();

    History(Path file, Progress progress) throws IOException {
        this.out = Files.newBufferedWriter(file);
        this.progress = progress;
    }

    /** Notes how a call ended, now. */
    End completed(Asked asked, @Nullable Reply reply, @Nullable Throwable error) {
        long now = System.nanoTime();
        ErrorCode code = error == null ? null : FsException.of(error).code();
        End end = code == null || isAnswer(code) ? End.DONE : end(asked, code);
        ObjectNode line = json.createObjectNode().put("world", asked.world()).put("client", asked.client());
        asked.request().describe(line);
        line.put("invoked", asked.nanos())
                .put("completed", now)
                .put("state", end.name().toLowerCase(Locale.ROOT));
        if (code != null) {
            line.put("error", code.name());
        } else if (reply != null) {
            show(reply, line);
        }
        if (end == End.DONE) {
            progress.completed(asked.request().isWrite(), asked.nanos(), now);
        } else {
            failed(end + " " + asked.request().kind() + " " + code, String.valueOf(error));
        }
        write(line);
        return end;
    }

    /** Whether a code says something of the namespace. */
    private static boolean isAnswer(ErrorCode code) {
        return code.number() < ErrorCode.UNAUTHENTICATED.number() && code != ErrorCode.UNSUPPORTED;
    }

    private static End end(Asked asked, ErrorCode code) {
        boolean open = code.disposition() == Disposition.OUTCOME_UNKNOWN
                || code == ErrorCode.INTERNAL
                || code == ErrorCode.BAD_FRAME;
        return asked.request().isWrite() && open ? End.PENDING : End.FAILED;
    }

    private static void show(Reply reply, ObjectNode line) {
        ArrayNode entries = line.putArray("entries");
        if (reply instanceof Reply.Done done) {
            line.put("changed", done.changed());
        } else if (reply instanceof Reply.Status status) {
            show(status.attributes(), entries.addObject());
        } else if (reply instanceof Reply.Opened opened) {
            byte[] content = opened.content();
            show(opened.attributes(), entries.addObject()).put("content", content == null ? "" : hash(content));
        } else if (reply instanceof Reply.Page page) {
            page.entries().forEach(each -> show(each, entries.addObject()));
        } else {
            throw new IllegalArgumentException("not a reply of success: " + reply);
        }
    }

    private static ObjectNode show(Attributes seen, ObjectNode entry) {
        return entry.put("name", seen.name())
                .put("dir", seen.isDirectory())
                .put("id", seen.id())
                .put("mode", seen.mode())
                .put("size", seen.size())
                .put("mtime", seen.mtime())
                .put("children", seen.children());
    }

    static String hash(byte[] content) {
        CRC32C sum = new CRC32C();
        sum.update(content);
        return HexFormat.of().toHexDigits(sum.getValue(), 8);
    }

    private synchronized void write(ObjectNode line) {
        try {
            out.write(json.writeValueAsString(line));
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void failed(String kind, String message) {
        failures.merge(kind, 1, Integer::sum);
        examples.putIfAbsent(kind, message);
    }

    /** Calls that got no answer of the namespace: how many of each kind and code. */
    synchronized Map<String, Integer> failures() {
        return new TreeMap<>(failures);
    }

    /** The first message of each kind and code of {@link #failures}. */
    synchronized Map<String, String> examples() {
        return new TreeMap<>(examples);
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
