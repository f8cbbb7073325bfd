package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.ACL;

/**
 * Mailboxes as ZooKeeper nodes: letters are children of their member's node. A letter is an ephemeral node of its
 * sender, so it disappears with a crashed sender, and with its member's node. The addressee watches its member's
 * children and writes the answer into the letter's node, which the sender watches. Thread-safe.
 */
final class ZooKeeperMailboxes implements Mailboxes {
    private final CuratorFramework client;
    private final Nodes nodes;
    private final List<ACL> acl;
    private final Scheduler scheduler;
    private final Map<Letter, AwaitedAnswer> awaited = new ConcurrentHashMap<>();
    private final Map<Long, BoxWatch> boxes = new ConcurrentHashMap<>();

    ZooKeeperMailboxes(CuratorFramework client, Nodes nodes, List<ACL> acl, Scheduler scheduler) {
        this.client = client;
        this.nodes = nodes;
        this.acl = acl;
        this.scheduler = scheduler;
    }

    @Override
    public CompletionStage<Void> post(Letter letter, byte[] content) {
        return Answers.of(
                        callback -> client.create()
                                .withMode(CreateMode.EPHEMERAL)
                                .withACL(acl)
                                .inBackground(callback)
                                .forPath(path(letter), LetterData.unanswered(content)),
                        Code.NONODE)
                .thenAccept(event -> {
                    if (event.getResultCode() == Code.NONODE.intValue()) {
                        throw FsException.unavailable("no member has the epoch " + letter.box());
                    }
                });
    }

    @Override
    public CompletionStage<byte[]> answer(Letter letter) {
        AwaitedAnswer waiting = new AwaitedAnswer(client, path(letter), scheduler);
        awaited.put(letter, waiting);
        waiting.look();
        return waiting.answer().whenComplete((answer, failure) -> awaited.remove(letter, waiting));
    }

    @Override
    public void remove(Letter letter) {
        AwaitedAnswer waiting = awaited.remove(letter);
        if (waiting != null) {
            waiting.giveUp();
        }
        // If it cannot be removed now, it disappears with this client's session.
        Answers.of(callback -> client.delete().inBackground(callback).forPath(path(letter)), Code.NONODE);
    }

    @Override
    public void follow(Set<Long> own, Reader reader) {
        boxes.entrySet().removeIf(known -> {
            if (own.contains(known.getKey())) {
                return false;
            }
            known.getValue().close();
            return true;
        });
        for (Long box : own) {
            BoxWatch fresh = new BoxWatch(client, nodes.member(box), scheduler, (name, content) -> {
                reader.read(new Letter(box, name), content);
            });
            if (boxes.putIfAbsent(box, fresh) == null) {
                fresh.refresh();
            }
        }
    }

    @Override
    public CompletionStage<Void> reply(Letter letter, byte[] answer) {
        return Answers.of(
                        callback -> client.setData()
                                .inBackground(callback)
                                .forPath(path(letter), LetterData.answer(answer)),
                        Code.NONODE)
                .thenAccept(written -> {});
    }

    /** Called on a new connection: watches may have been lost with the previous one. */
    void refresh() {
        boxes.values().forEach(BoxWatch::refresh);
        awaited.values().forEach(AwaitedAnswer::look);
    }

    private String path(Letter letter) {
        return nodes.letter(letter.box(), letter.name());
    }
}
