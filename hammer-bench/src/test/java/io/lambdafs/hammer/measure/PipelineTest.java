package io.lambdafs.hammer.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.hammer.MemoryFileSystem;
import io.lambdafs.hammer.Target;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Operation;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PipelineTest {
    private final MemoryFileSystem files = new MemoryFileSystem();

    @Test
    void shouldWaitForAllAnswers() throws Exception {
        Target late = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                return CompletableFuture.supplyAsync(
                        () -> files.apply(operation), CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
            }
        };
        Pipeline pipeline = new Pipeline(late);
        for (int i = 0; i < 300; i++) {
            pipeline.start(new ReadOperation.Stat(FsPath.ROOT));
        }
        // No more than 256 are in flight: the others were started when these were done.
        assertThat(pipeline.done()).isGreaterThanOrEqualTo(44);
        pipeline.finish();
        assertThat(pipeline.done()).isEqualTo(300);
        pipeline.start(new ReadOperation.Stat(FsPath.ROOT));
        pipeline.finish();
        assertThat(pipeline.done()).isEqualTo(301);
    }

    @Test
    void shouldEndWithTheFirstFailure() throws Exception {
        Target broken = new Target() {
            private int asked;

            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                return CompletableFuture.failedFuture(new FsException(ErrorCode.UNAVAILABLE, "planted " + ++asked));
            }
        };
        Pipeline pipeline = new Pipeline(broken);
        pipeline.start(new ReadOperation.Stat(FsPath.ROOT));
        assertThatThrownBy(() -> pipeline.start(new ReadOperation.Stat(FsPath.ROOT)))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("planted 1");
        assertThatThrownBy(pipeline::finish).hasMessageContaining("planted 1");
    }

    @Test
    void shouldMakeAllFilesAndLookAtEachOfThem() throws Exception {
        List<FsPath> looked = new ArrayList<>();
        Target watched = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                if (operation instanceof ReadOperation.Stat) {
                    looked.add(operation.path());
                }
                return files.execute(operation);
            }
        };
        CachedFiles cached = new CachedFiles(FsPath.of("/bench"), 33);
        cached.make(watched);
        assertThat(looked)
                .hasSize(33)
                .contains(FsPath.of("/bench/d0/f0"), FsPath.of("/bench/d0/f15"), FsPath.of("/bench/d1/f16"))
                .endsWith(FsPath.of("/bench/d2/f32"));
        assertThat(files.apply(new ReadOperation.Stat(cached.file(32)))
                        .attributes()
                        .size())
                .isZero();
    }
}
