package io.lambdafs.hammer.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class CachedFilesTest {
    private final MemoryFileSystem files = new MemoryFileSystem();

    @Test
    void shouldMakeAllFilesAndLookAtEachOfThem() throws Exception {
        List<FsPath> looked = Collections.synchronizedList(new ArrayList<>());
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
                .contains(
                        FsPath.of("/bench/d0/f0"),
                        FsPath.of("/bench/d0/f15"),
                        FsPath.of("/bench/d1/f16"),
                        FsPath.of("/bench/d2/f32"));
        assertThat(files.apply(new ReadOperation.Stat(cached.file(32)))
                        .attributes()
                        .size())
                .isZero();
    }
}
