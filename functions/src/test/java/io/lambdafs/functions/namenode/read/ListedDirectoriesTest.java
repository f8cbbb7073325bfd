package io.lambdafs.functions.namenode.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many directories that one request lists: how many at once, and what fails them all. */
class ListedDirectoriesTest {
    @Test
    void shouldFailIfOneCanBeNeitherListedNorRefusedNow() {
        List<FsPath> paths =
                IntStream.range(0, 40).mapToObj(i -> FsPath.of("/d" + i)).toList();
        ReadOperation.ListEach operation = new ReadOperation.ListEach(paths, 100);
        List<CompletableFuture<Reply>> pending = new ArrayList<>();

        CompletableFuture<Reply> reply = new ListedDirectories(operation)
                .readAll(one -> {
                    pending.add(new CompletableFuture<>());
                    return pending.get(pending.size() - 1);
                })
                .toCompletableFuture();

        assertThat(pending).as("at once").hasSize(ListedDirectories.AT_ONCE);
        for (CompletableFuture<Reply> one : List.copyOf(pending)) {
            one.complete(new Reply.Page(List.of(), false));
        }
        assertThat(pending).hasSize(2 * ListedDirectories.AT_ONCE);
        pending.subList(16, 32).forEach(one -> one.complete(new Reply.Failure(ErrorCode.FENCED, "ask again")));
        assertThat(reply)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .satisfies(error -> {
                    assertThat(FsException.of(error).code()).isEqualTo(ErrorCode.FENCED);
                    assertThat(error).hasMessageContaining("/d16");
                });
    }
}
