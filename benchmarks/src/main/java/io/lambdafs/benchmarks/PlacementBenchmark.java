package io.lambdafs.benchmarks;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Finds the deployment of an operation, as the client does for each call and an instance for each fill and INV. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlacementBenchmark {
    @Param({"4", "64"})
    private int deployments = 4;

    private Operation<?> stat =
            new ReadOperation.Stat(FsPath.of("/spotify0/playlist/country1/day00042/hour0017/part0099"));

    @Benchmark
    public int ofAnOperation() {
        return new Placement(deployments).of(stat);
    }
}
