package io.lambdafs.client;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        return byOwner.stream()
                .map(owned -> send(owned, each))
                .reduce((some, more) -> some.thenCombine(more, BulkListings::together))
                .orElseThrow();
    }

    private static Map<FsPath, Reply> together(Map<FsPath, Reply> some, Map<FsPath, Reply> more) {
        Map<FsPath, Reply> both = new HashMap<>(some);
        both.putAll(more);
        return both;
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
