package io.lambdafs.benchmarks;

import io.lambdafs.model.FsPath;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Checks and splits paths, as an arriving request needs, and takes them apart for placement. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PathBenchmark {
    /** Six names of 8 characters. */
    private String deep = "/spotify0/playlist/country1/day00042/hour0017/part0099";

    private String beyondAscii = "/spotify0/spille1i/größe001/día00042/час00017/部分0099";
    private FsPath path = FsPath.of(deep);

    @Benchmark
    public FsPath parse() {
        return FsPath.of(deep);
    }

    @Benchmark
    public FsPath parseBeyondAscii() {
        return FsPath.of(beyondAscii);
    }

    @Benchmark
    public FsPath parent() {
        return path.parent();
    }

    @Benchmark
    public FsPath child() {
        return path.child("part0100");
    }
}
