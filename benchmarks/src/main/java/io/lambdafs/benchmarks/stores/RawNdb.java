package io.lambdafs.benchmarks.stores;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.JavaCommand;
import io.lambdafs.hammer.measure.MeasuringProcess;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.File;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures NDB through ClusterJ, in processes that print their results, with tables of its own like the store's.
 * Confined to one thread.
 */
final class RawNdb implements Raw {
    private static final String MAIN = "io.lambdafs.benchmarks.stores.ndb.RawNdbMain";
    private static final int HEAP_MB = 512;
    private static final int DIRECT_MB = 3_072;

    private final String connect;
    private final int directories;
    private final Path log;
    private @Nullable Copied copied;

    /**
     * @param store the settings of the store's server
     * @param directories directories of the initial namespace
     */
    RawNdb(JsonNode store, int directories, Path log) {
        this.connect = store.path("connect").asText();
        this.directories = directories;
        this.log = log;
    }

    @Override
    public Map<Kind, Double> perSecond(double seconds) throws InterruptedException {
        copied();
        Map<String, Double> told = run("operations", String.valueOf(seconds));
        Map<Kind, Double> all = new EnumMap<>(Kind.class);
        for (Kind each : Kind.values()) {
            all.put(each, told.getOrDefault(each.label(), Double.NaN));
        }
        return all;
    }

    /** Writes the rows that its operations read. */
    @Override
    public Copied copy(long inodes, Path folder) throws InterruptedException {
        return copied();
    }

    private Copied copied() throws InterruptedException {
        Copied done = copied;
        if (done == null) {
            Map<String, Double> told = run("copy");
            done = new Copied(told.getOrDefault("read", Double.NaN), told.getOrDefault("written", Double.NaN));
            copied = done;
        }
        return done;
    }

    private Map<String, Double> run(String... what) throws InterruptedException {
        Class<?> main;
        try {
            // By name, as this process has no NDB jar.
            main = Class.forName(MAIN, false, RawNdb.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new FsException(
                    ErrorCode.UNAVAILABLE,
                    "this build was made without NDB's client: build it again with CLUSTERJ_JAR set",
                    e);
        }
        String classPath = JavaCommand.classPath() + File.pathSeparator + System.getenv("CLUSTERJ_JAR");
        List<String> command = JavaCommand.measuring(main, HEAP_MB, classPath);
        // ClusterJ keeps each row in memory of its own, beside the heap.
        command.add(1, "-XX:MaxDirectMemorySize=" + DIRECT_MB + "m");
        command.add(1, "-Djava.library.path=" + System.getenv("NDB_LIBRARY_PATH"));
        command.addAll(List.of(connect, String.valueOf(directories)));
        command.addAll(List.of(what));
        Map<String, Double> told = new HashMap<>();
        new MeasuringProcess("measuring", log).run(command, line -> {
            String[] parts = line.split(" ", -1);
            if (parts.length == 2) {
                told.put(parts[0].toLowerCase(Locale.ROOT), Double.parseDouble(parts[1]));
            }
        });
        return told;
    }
}
