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
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the members. Their nodes never change, so each is read once and cached while listed. Thread-safe. */
final class Membership {
    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final Nodes nodes;
    private final Map<Long, Member> known = new ConcurrentHashMap<>();
    private final AtomicLong version = new AtomicLong();

    Membership(Nodes nodes) {
        this.nodes = nodes;
    }

    /** Caches a member being created, so that it need not be read. */
    void learn(Member member) {
        known.put(member.epoch(), member);
    }

    /**
     * Reads the current members: a sync, so that a follower has seen everything written before this call; then the
     * members; then their presence. In this order, because a member is created together with its presence, so one
     * listed but not present has lost it. The three calls are pipelined, and ZooKeeper executes a session's calls in
     * order, so no later call can come in between.
     *
     * @param sender the handle of the current session
     * @param watcher set on both folders for their next change; null for none
     */
    CompletionStage<View> read(ZooKeeper sender, @Nullable Watcher watcher) {
        CompletableFuture<String> synced = new CompletableFuture<>();
        sender.sync(nodes.base(), (rc, path, context) -> Answers.answer(synced, rc, path), null);
        CompletionStage<Set<Long>> members = children(sender, nodes.members(), watcher);
        CompletionStage<Set<Long>> present = children(sender, nodes.present(), watcher);
        return synced.thenCompose(
                done -> members.thenCompose(listed -> present.thenCompose(there -> describe(sender, listed, there))));
    }

    private static CompletionStage<Set<Long>> children(ZooKeeper sender, String folder, @Nullable Watcher watcher) {
        CompletableFuture<Set<Long>> epochs = new CompletableFuture<>();
        sender.getChildren(
                folder,
                watcher,
                (int rc, String path, Object context, List<String> names) ->
                        Answers.answer(epochs, rc, names == null ? Set.of() : epochs(folder, names)),
                null);
        return epochs;
    }

    private static Set<Long> epochs(String folder, List<String> names) {
        Set<Long> epochs = new HashSet<>();
        for (String name : names) {
            try {
                epochs.add(Long.parseLong(name));
            } catch (NumberFormatException foreign) {
                log.warn("Node {}/{} is no member; remove it", folder, name);
            }
        }
        return epochs;
    }

    private CompletionStage<View> describe(ZooKeeper sender, Set<Long> epochs, Set<Long> present) {
        known.keySet().retainAll(epochs);
        Map<Long, Member> members = new ConcurrentHashMap<>();
        List<CompletableFuture<?>> missing = new ArrayList<>();
        for (Long epoch : epochs) {
            Member member = known.get(epoch);
            if (member != null) {
                members.put(epoch, member);
            } else {
                missing.add(data(sender, epoch).thenAccept(data -> add(epoch, data, members)));
            }
        }
        return CompletableFuture.allOf(missing.toArray(new CompletableFuture<?>[0]))
                .thenApply(read -> {
                    Set<Long> absent = new HashSet<>(members.keySet());
                    absent.removeAll(present);
                    return new View(version.incrementAndGet(), new HashMap<>(members), absent);
                });
    }

    /** Reads a member's node; null if it was removed since it was listed. */
    private CompletableFuture<byte @Nullable []> data(ZooKeeper sender, long epoch) {
        CompletableFuture<byte @Nullable []> data = new CompletableFuture<>();
        sender.getData(
                nodes.member(epoch),
                false,
                (rc, path, context, bytes, stat) -> Answers.answer(data, rc, bytes, Code.NONODE),
                null);
        return data;
    }

    private void add(long epoch, byte @Nullable [] data, Map<Long, Member> members) {
        if (data != null) {
            Member member = MemberData.read(epoch, data);
            known.put(epoch, member);
            members.put(epoch, member);
        }
    }
}
