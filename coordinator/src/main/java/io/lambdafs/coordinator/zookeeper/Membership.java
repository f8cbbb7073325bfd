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

/**
 * Reads the members. Their nodes never change once made, so what they say is read once and kept while they are listed. Thread-safe.
 */
final class Membership {
    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final Nodes nodes;
    private final Map<Long, Member> known = new ConcurrentHashMap<>();
    private final AtomicLong version = new AtomicLong();

    Membership(Nodes nodes) {
        this.nodes = nodes;
    }

    /** Takes note of a member that is made, so that it need not be read. */
    void learn(Member member) {
        known.put(member.epoch(), member);
    }

    /**
     * Reads afresh: a sync, so that a follower has seen what others have written before this call; then the members; then who is
     * present. In this order: a member is made together with its presence, so one that is listed and not present has lost it. The three
     * are on their way at once, and no later call of the session can come between: ZooKeeper does them in the order in which one
     * session sends them.
     *
     * @param sender the handle of the present session
     * @param watcher left on both folders, to be called at their next change; null for none
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

    /** What a member's node says; null where it was forgotten since it was listed. */
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
