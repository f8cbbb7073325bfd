package io.lambdafs.client;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.Placement;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** Lists many directories with one message per owning deployment ({@link LambdaFs#listEach}). Immutable. */
record BulkListings(LambdaFs fs) {
    /** Lists the directories; completes with the outcomes of those that fitted. */
    CompletionStage<Map<FsPath, Reply>> run(List<FsPath> paths, int limit, Placement placement) {
        Collection<List<FsPath>> byOwner = paths.stream()
                .collect(Collectors.groupingBy(placement::ofChildren))
                .values();
        int each = Math.max(1, limit / byOwner.size());
        List<CompletableFuture<Map<FsPath, Reply>>> messages = byOwner.stream()
                .map(owned -> send(owned, each).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(messages.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    Map<FsPath, Reply> all = new HashMap<>();
                    messages.forEach(message -> all.putAll(message.join()));
                    return all;
                });
    }

    private CompletionStage<Map<FsPath, Reply>> send(List<FsPath> paths, int limit) {
        return fs.execute(new ReadOperation.ListEach(paths, limit)).handle((answer, thrown) -> {
            Map<FsPath, Reply> outcomes = new HashMap<>();
            if (thrown != null) {
                paths.forEach(path -> outcomes.put(path, Reply.Failure.of(thrown)));
                return outcomes;
            }
            for (int i = 0; i < answer.outcomes().size(); i++) {
                outcomes.put(paths.get(i), answer.outcomes().get(i));
            }
            return outcomes;
        });
    }
}
