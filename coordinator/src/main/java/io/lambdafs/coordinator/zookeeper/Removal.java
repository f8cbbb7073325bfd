package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.model.FsException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Removes a member's node and the letters below it. Others may still post meanwhile, until the epoch is dead; after
 * {@value #MAX_ROUNDS} rounds the removal fails, to be retried. Single use.
 */
final class Removal {
    private static final int MAX_ROUNDS = 16;

    private final CuratorFramework client;
    private final String node;
    private int rounds;

    Removal(CuratorFramework client, String node) {
        this.client = client;
        this.node = node;
    }

    CompletionStage<@Nullable Void> run() {
        if (++rounds > MAX_ROUNDS) {
            return CompletableFuture.failedFuture(
                    FsException.unavailable("letters keep coming below " + node + "; try again"));
        }
        return Answers.of(callback -> client.delete().inBackground(callback).forPath(node), Code.NONODE, Code.NOTEMPTY)
                .thenCompose(event -> event.getResultCode() == Code.NOTEMPTY.intValue()
                        ? children().thenCompose(this::deleteAll).thenCompose(emptied -> run())
                        : CompletableFuture.completedFuture(null));
    }

    private CompletionStage<List<String>> children() {
        return Answers.of(
                        callback -> client.getChildren().inBackground(callback).forPath(node), Code.NONODE)
                .thenApply(event -> event.getResultCode() == Code.OK.intValue() ? event.getChildren() : List.of());
    }

    private CompletionStage<@Nullable Void> deleteAll(List<String> names) {
        CompletableFuture<?>[] all = names.stream()
                .map(name -> Answers.of(
                                callback ->
                                        client.delete().inBackground(callback).forPath(node + "/" + name),
                                Code.NONODE)
                        .toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(all);
    }
}
