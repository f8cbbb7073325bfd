package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the members. Their nodes never change once made, so what they say is read once and kept while they are listed. Thread-safe.
 */
final class Membership {
    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final CuratorFramework client;
    private final Nodes nodes;
    private final Map<Long, Member> known = new ConcurrentHashMap<>();
    private final AtomicLong version = new AtomicLong();

    Membership(CuratorFramework client, Nodes nodes) {
        this.client = client;
        this.nodes = nodes;
    }

    /**
     * Reads afresh: a sync, so that a follower has seen what others have written before this call; then the members; then who is
     * present. In this order: a member is made together with its presence, so one that is listed and not present has lost it.
     *
     * @param watcher left on both folders, to be called at their next change; null for none
     */
    CompletionStage<View> read(@Nullable CuratorWatcher watcher) {
        return Answers.of(callback -> client.sync().inBackground(callback).forPath(nodes.base()))
                .thenCompose(synced -> children(nodes.members(), watcher))
                .thenCompose(members ->
                        children(nodes.present(), watcher).thenCompose(present -> describe(members, present)));
    }

    private CompletionStage<Set<Long>> children(String folder, @Nullable CuratorWatcher watcher) {
        return Answers.of(callback -> {
                    if (watcher == null) {
                        client.getChildren().inBackground(callback).forPath(folder);
                    } else {
                        client.getChildren()
                                .usingWatcher(watcher)
                                .inBackground(callback)
                                .forPath(folder);
                    }
                })
                .thenApply(Membership::epochs);
    }

    private static Set<Long> epochs(CuratorEvent listed) {
        Set<Long> epochs = new HashSet<>();
        for (String name : listed.getChildren()) {
            try {
                epochs.add(Long.parseLong(name));
            } catch (NumberFormatException foreign) {
                log.warn("Node {}/{} is no member; remove it", listed.getPath(), name);
            }
        }
        return epochs;
    }

    private CompletionStage<View> describe(Set<Long> epochs, Set<Long> present) {
        known.keySet().retainAll(epochs);
        Map<Long, Member> members = new ConcurrentHashMap<>();
        List<CompletableFuture<?>> missing = new ArrayList<>();
        for (Long epoch : epochs) {
            Member member = known.get(epoch);
            if (member != null) {
                members.put(epoch, member);
            } else {
                missing.add(Answers.of(
                                callback ->
                                        client.getData().inBackground(callback).forPath(nodes.member(epoch)),
                                Code.NONODE)
                        .thenAccept(event -> add(epoch, event, members))
                        .toCompletableFuture());
            }
        }
        return CompletableFuture.allOf(missing.toArray(new CompletableFuture<?>[0]))
                .thenApply(read -> {
                    Set<Long> absent = new HashSet<>(members.keySet());
                    absent.removeAll(present);
                    return new View(version.incrementAndGet(), new HashMap<>(members), absent);
                });
    }

    private void add(long epoch, CuratorEvent event, Map<Long, Member> members) {
        // Without a node it was forgotten since it was listed.
        if (event.getResultCode() == Code.OK.intValue()) {
            Member member = MemberData.read(epoch, event.getData());
            known.put(epoch, member);
            members.put(epoch, member);
        }
    }
}
