package io.lambdafs.benchmarks.stores;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Column;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Measures PostgreSQL through {@code pgbench} and {@code psql}. Confined to one thread. */
final class RawPostgres implements Raw {
    private static final Pattern RESULT = Pattern.compile("tps = ([0-9.]+)");
    private static final List<String> COPIED = List.of("inodes", "directory_stats", "locations");
    private static final String COPY = "lambdafs_copy";
    /** The queries and writes of the store for one create, without the row that numbers its groups. */
    @SuppressWarnings("InlineFormatString") // A page of SQL.
    private static final String CREATE = """
            \\set directory random(0, %d)
            \\set file random(1, 9000000000000000000)
            BEGIN;
            SELECT * FROM lambdafs.inodes WHERE parent_id = 1 AND name = 'directory-' || :directory;
            SELECT * FROM lambdafs.inodes WHERE parent_id = %d + :directory AND name = 'raw-' || :file;
            SELECT * FROM lambdafs.directory_stats WHERE directory_id = %2$d + :directory FOR UPDATE;
            INSERT INTO lambdafs.inodes (parent_id, name, %s) VALUES (%2$d + :directory, 'raw-' || :file, %s) ON CONFLICT (parent_id, name) DO UPDATE SET id = EXCLUDED.id;
            UPDATE lambdafs.directory_stats SET children = children + 1, mtime = :file WHERE directory_id = %2$d + :directory;
            INSERT INTO lambdafs.slots (client, slot, sequence, result, expires_millis) VALUES ('raw', :client_id, :file, decode(repeat('00', 64), 'hex'), 9000000000000000000) ON CONFLICT (client, slot) DO UPDATE SET sequence = EXCLUDED.sequence, result = EXCLUDED.result;
            COMMIT;
            """;

    private final String url;
    private final String password;
    private final Path folder;

    /**
     * @param store the settings of the store's server
     * @param folder folder for files
     */
    RawPostgres(JsonNode store, Path folder) {
        this.folder = folder;
        String user = store.path("user").asText();
        url = store.path("jdbcUrl").asText().replaceFirst("^jdbc:", "").replaceFirst("//", "//" + user + "@");
        String file = store.path("passwordFile").asText("");
        try {
            password = file.isEmpty() ? "" : Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot read " + file, e);
        }
    }

    private static String create() {
        Object[] sample = Rows.of(Namespace.listed(0, 0)).values();
        List<String> columns = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < sample.length; i++) {
            Column column = Schema.INODES.valueColumns().get(i);
            columns.add('"' + column.name() + '"');
            values.add(
                    column.name().equals("id")
                            ? ":file"
                            : sample[i] instanceof String text ? "'" + text + "'" : String.valueOf(sample[i]));
        }
        return String.format(
                Locale.ROOT,
                CREATE,
                Kind.DIRECTORIES - 1,
                Namespace.directory(0).id(),
                String.join(", ", columns),
                String.join(", ", values));
    }

    @Override
    public Map<Kind, Double> perSecond(double seconds) throws InterruptedException {
        Path script = folder.resolve("create.sql");
        try {
            Files.writeString(script, create());
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot write " + script, e);
        }
        String out = run(
                "pgbench",
                "--client=" + Kind.IN_FLIGHT,
                "--jobs=2",
                "--time=" + Math.max(1, Math.round(seconds)),
                "--no-vacuum",
                "--protocol=prepared",
                "--file=" + script,
                url);
        Matcher result = RESULT.matcher(out);
        if (!result.find()) {
            throw new FsException(ErrorCode.INTERNAL, "pgbench says no transactions per second: " + out);
        }
        return Map.of(Kind.CREATE, Double.parseDouble(result.group(1)));
    }

    @Override
    public Copied copy(long inodes, Path to) throws InterruptedException {
        long began = System.nanoTime();
        for (String table : COPIED) {
            sql("\\copy lambdafs." + table + " to '" + to.resolve(table) + "' (format binary)");
        }
        long read = System.nanoTime();
        sql("CREATE SCHEMA " + COPY);
        for (String table : COPIED) {
            sql("CREATE TABLE " + COPY + "." + table + " (LIKE lambdafs." + table + " INCLUDING ALL)");
        }
        long writing = System.nanoTime();
        for (String table : COPIED) {
            sql("\\copy " + COPY + "." + table + " from '" + to.resolve(table) + "' (format binary)");
        }
        long written = System.nanoTime();
        sql("DROP SCHEMA " + COPY + " CASCADE");
        return new Copied(inodes * 1e9 / (read - began), inodes * 1e9 / (written - writing));
    }

    private void sql(String command) throws InterruptedException {
        run("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--command=" + command, url);
    }

    private String run(String... command) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PGPASSWORD", password);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new FsException(ErrorCode.INTERNAL, command[0] + " failed: " + out.strip());
            }
            return out;
        } catch (IOException e) {
            throw new FsException(
                    ErrorCode.UNAVAILABLE, command[0] + " cannot be started: install PostgreSQL's client programs", e);
        }
    }
}
