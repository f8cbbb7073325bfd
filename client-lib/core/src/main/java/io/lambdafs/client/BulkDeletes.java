package io.lambdafs.client;

import io.lambdafs.client.call.BulkIds;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.BulkDelete;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Removes many paths with one message per owning deployment ({@link LambdaFs#deleteEach}). Immutable. */
record BulkDeletes(LambdaFs fs, BulkIds ids) {
    /** Removes the paths; completes with their outcomes in order. */
    CompletionStage<List<Reply>> run(List<FsPath> paths, Placement placement) {
        Map<Integer, List<Integer>> byOwner = IntStream.range(0, paths.size())
                .boxed()
                .collect(Collectors.groupingBy(i -> placement.owner(paths.get(i))));
        Reply[] outcomes = new Reply[paths.size()];
        List<CompletableFuture<Void>> messages = new ArrayList<>();
        for (List<Integer> some : byOwner.values()) {
            List<FsPath> owned = some.stream().map(paths::get).toList();
            messages.add(send(owned).toCompletableFuture().thenAccept(each -> {
                for (int i = 0; i < each.size(); i++) {
                    outcomes[some.get(i)] = each.get(i);
                }
            }));
        }
        return CompletableFuture.allOf(messages.toArray(CompletableFuture[]::new))
                .thenApply(done -> List.of(outcomes));
    }

    private CompletionStage<List<Reply>> send(List<FsPath> paths) {
        RequestId first = ids.acquire();
        return fs.execute(new BulkDelete(first, paths)).handle((each, thrown) -> {
            if (thrown != null) {
                return Collections.nCopies(paths.size(), Reply.Failure.of(thrown));
            }
            ids.release(first);
            return each.outcomes();
        });
    }
}
